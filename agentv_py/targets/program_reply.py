"""What a program wrote → its answer, or an error that quotes it."""

from typing import Literal

from agentv_py import jsontext
from agentv_py.models.program_error import build_error
from agentv_py.process.child import ProcessResult
from agentv_py.process.pipes import MOST_STDERR
from agentv_py.targets.agentv_reply import has_agentv_answer, read_agentv_answer
from agentv_py.targets.answer import FACTS, Answer, InvalidAnswer, build_answer, read_answer

ReplyForm = Literal["evalctl", "agentv", "text"]
"""How an answer that is an object names its parts; `text`: the answer is all that was written, whatever it is."""


def parse_output(output: bytes, result: ProcessResult, form: ReplyForm, *, in_file: bool) -> Answer:
    """Read the answer to one case: JSON, else text. Raises ProgramError."""
    text = output.decode(errors="replace").removeprefix("\ufeff").strip()
    if not text:
        place = "its output file" if in_file else "stdout"
        raise build_error("no_answer", f"the command exited with code 0 and wrote nothing to {place}", result)
    if form == "text":
        return Answer(text, {})
    try:
        value = jsontext.loads_text(text)
    except jsontext.NotJson:
        return Answer(text, {})
    try:
        return read_agentv_answer(value, text) if form == "agentv" else read_answer(value)
    except InvalidAnswer as error:
        raise build_error("answer", f"the command's {error}", result) from None


def parse_row(line: bytes, result: ProcessResult, form: ReplyForm) -> tuple[str, Answer]:
    """Read a row {id, output}: the id and the answer. Raises ProgramError."""
    try:
        row = jsontext.loads(line.strip())
    except jsontext.NotJson:
        row = None
    if form == "agentv" and isinstance(row, dict) and isinstance(row.get("id"), str) and has_agentv_answer(row):
        return row["id"], read_agentv_answer({key: row[key] for key in row if key != "id"}, line.decode())
    if not (isinstance(row, dict) and isinstance(row.get("id"), str) and ("output" in row or "error" in row)):
        raise build_error("no_row", "the command wrote something other than a row {id, output}", result, _quote(line))
    if "output" not in row:
        raise build_error("command", "the command reports an error", result, str(row["error"]))
    facts = {name: row[name] for name in FACTS if row.get(name) is not None}
    try:
        return row["id"], build_answer(row["output"], facts)
    except InvalidAnswer as error:
        raise build_error("answer", f"the command's {error}", result, _quote(line)) from None


def _quote(line: bytes) -> str:
    return repr(line[:MOST_STDERR].decode(errors="replace"))
