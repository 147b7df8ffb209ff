"""Readers that are fuzzed on their own: each takes bytes, and raises where something is wrong."""

import math
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from zlib import crc32

import fuzz_seeds as seeds
from pydantic import ValidationError

from agentv_py import jsontext
from agentv_py.case import CandidateNotJson, Case
from agentv_py.comparison import paths
from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.matchers.name import Name
from agentv_py.comparison.readers.date import is_ambiguous_date, read_date
from agentv_py.comparison.readers.date_format import compile_format
from agentv_py.comparison.readers.number import DecimalMark, Number, read_number
from agentv_py.errors import EvaluationError
from agentv_py.evaluators.json_quality.safety import Blocklist
from agentv_py.evaluators.json_quality.strategies import read_strategies
from agentv_py.evaluators.json_quality.text_file import UnusableFile
from agentv_py.evaluators.llm_judge import LlmJudge
from agentv_py.evaluators.rules import Rules
from agentv_py.inference.example import build_example
from agentv_py.inference.json_schema import UnusableSchema, profile_schema
from agentv_py.inference.schema_comparators import suggest_from_schema
from agentv_py.inference.schema_validator import SchemaValidator
from agentv_py.models.backends.embedding import Embedding
from agentv_py.models.endpoint import MalformedReply
from agentv_py.models.program_error import ProgramError
from agentv_py.models.prompt_template import fill_template, find_names
from agentv_py.process.child import ProcessResult
from agentv_py.targets.answer import complete, decode_answer
from agentv_py.targets.confidence import Confidence
from agentv_py.targets.program_reply import ReplyForm, parse_output, parse_row

_MODEL: dict[str, Any] = {"base_url": "http://127.0.0.1:9/v1", "model": "m", "prices": {"prompt": 1, "completion": 1}}
_VALUE = {"a": [1, {"b": 2, "x.y": 3, "": 4}], "0": [[5]], "x": None, "$": 6}


class Wrong(Exception):  # noqa: N818  a finding about a result
    """The program did not fail, but what came of it cannot be."""


def fuzz_model_reply(data: bytes) -> None:
    rubrics: list[Any] = ["good", [{"id": "r", "text": "is right"}]]
    judges = [LlmJudge(type="llm_judge", rubric=rubric, **_MODEL) for rubric in rubrics]
    embedding = Embedding(**_MODEL)
    try:
        said = jsontext.loads(data)
    except jsontext.NotJson:
        return
    for judge in judges:
        judge.usage(said, "asked").to_row()
        prompt = judge._build_prompt(Case("x", 1, 2))  # noqa: SLF001  what the model is asked has no public name
        _read_reply(judge, said, [prompt])
    _read_reply(embedding, said, ["one", "two"])


def _read_reply(model: Any, said: Any, payloads: Sequence[Any]) -> None:
    with suppress(MalformedReply):
        for value, payload in zip(model.read(said, payloads), payloads, strict=True):
            model.unpack(model.pack(value), payload)


def fuzz_text(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape" if crc32(data) % 2 else "replace")
    with suppress(jsontext.NotJson):
        value = jsontext.find(text).value
        if jsontext.dumps(jsontext.loads(jsontext.dumps(value))) != jsontext.dumps(value):
            raise Wrong("what was read is not what is written")
    for expected in ({"a": 1}, text, "prose"):
        with suppress(CandidateNotJson):
            Case("x", expected, text).parsed_values()


def fuzz_path(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    path = paths.parse_path(text)
    path.build_getter()(_VALUE)
    paths.build_reader([path, paths.parse_path("a[0]"), paths.parse_path("x")])(_VALUE)
    paths.attribute_of(text)
    joined = paths.parse_path(paths.join_path("a", text))
    quotable = '"' not in text or "'" not in text
    if quotable and (joined.steps is None or [step.key for step in joined.steps] != ["a", text]):
        raise Wrong(f"{text!r} is not found where it stands: {joined}")


def fuzz_number(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    readings = {_read_number(text, "."), _read_number(text, ",")} - {"not a number"}
    auto = _read_number(text, "auto")
    if auto != (readings.pop() if len(readings) == 1 else "ambiguous number" if readings else "not a number"):
        raise Wrong(f"auto reads {text!r} as {auto!r}")
    if _read_number(text.replace("x", ""), ".") != _read_number(text, ".", ("x",)):
        raise Wrong(f"{text!r} without its marks is another number")


def _read_number(text: str, decimal: DecimalMark, strip: Sequence[str] = ()) -> Number | str:
    try:
        number = read_number(text, decimal, strip)
    except Incomparable as why:
        return why.note
    if isinstance(number, float) and not math.isfinite(number):
        raise Wrong(f"{number!r} is no number")
    return number


def fuzz_date(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    read_date(text)
    read_date(text, day_first=True)
    if read_date(text, languages=("auto",)) and is_ambiguous_date(text, ("auto",)):
        raise Wrong(f"{text!r} is read although it is ambiguous")
    try:
        chosen = compile_format(text)
    except ValueError:
        return
    for one in seeds.DATES:
        read_date(one, (chosen,))


def fuzz_name(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    if not text or text.isspace():
        return
    for one in seeds.NAMES:
        similarity = Name().similarity(text, one)
        if not 0.0 <= similarity == Name().similarity(one, text) <= 1.0:
            raise Wrong(f"{text!r} and {one!r} are {similarity!r} alike, but not the other way round")
    if Name().similarity(text, text) != 1.0:
        raise Wrong(f"{text!r} is not itself")


def fuzz_template(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    values = {"candidate": {"a": [1, "two", None]}, "rubric": "r", "input": None, "tags": ["x"]}
    try:
        find_names(text, list(values))
    except ValueError:
        return
    with suppress(EvaluationError):
        fill_template(text, values)


def fuzz_quality_files(data: bytes) -> None:
    Path("f").write_bytes(data)
    with suppress(UnusableFile):
        read_strategies(Path(), "f")
    blocklist = Blocklist(blocklist_file="f").in_folder(Path())
    if not list(blocklist.problems()):
        blocklist.judge({"a": "an idiot wrote this confidential  draft", "b": ["機密", 1, None]})


def fuzz_schema(data: bytes) -> None:
    """A schema gives comparators, an example and a validator, or says why not."""
    Path("f.json").write_bytes(data)
    with suppress(UnusableSchema):
        suggest_from_schema(Path(), "f.json")
        schema = jsontext.loads(data)
        example = build_example(profile_schema(schema))
        with suppress(EvaluationError):
            validator = SchemaValidator(schema)
            for value in (example, {"a": [1, None, "x"]}, 5):
                if validator.is_valid(value) and list(validator.list_violations(value)):
                    raise Wrong(f"{value!r} is valid and has violations")


def fuzz_rule(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    case = Case("x", {"a": 1}, {"items": [{"n": 1.5}, {"n": "2"}], "total": "3.50", "date": "2025-01-15"}, {"q": None})
    with suppress(ValidationError, EvaluationError):
        that: Any = {"that": text, "when": text if crc32(data) % 2 else None}
        score = Rules.model_validate({"type": "rules", "rules": [that]}).evaluate(case).score
        if not 0.0 <= score <= 1.0:
            raise Wrong(f"score {score!r}")


def fuzz_target_reply(data: bytes) -> None:
    """What a program, a service or the cache gives back as an answer."""
    result, forms = ProcessResult(0, data, ""), ("evalctl", "agentv", "text")
    form: ReplyForm = forms[crc32(data) % 3]  # type: ignore[assignment]
    with suppress(ProgramError):
        _keep_answer(parse_output(data, result, form, in_file=False))
    with suppress(ProgramError):
        _keep_answer(parse_row(data, result, form)[1])
    decode_answer(data)


def _keep_answer(answer: Any) -> None:
    whole = complete(answer, 0.5, None)
    if decode_answer(whole.encode()) is None:
        raise Wrong("an answer is not read again")
    case = Case("x", 1, whole.output, facts=dict(whole.facts))
    with suppress(EvaluationError):
        Confidence.model_validate({"wrapper": {"value": "v", "confidence": "c"}}).separate(case)
