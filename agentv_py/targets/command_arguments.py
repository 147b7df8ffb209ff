"""A command line with templates, and a case → the arguments of a process, and the files among them."""

import re
from collections.abc import Sequence
from pathlib import Path

from agentv_py.models.prompt_template import fill_template
from agentv_py.targets.live import TargetCase

OUTPUT_FILE, _PROMPT_FILE, _ATTEMPT = "output_file", "prompt_file", "attempt"
MOMENTARY = (OUTPUT_FILE, _PROMPT_FILE, _ATTEMPT)
"""The names whose values only a process knows, which starts later."""

_FILES = re.compile(r"\s*\{\{\s*files\s*\}\}\s*")


def build_arguments(argv: Sequence[str], question: TargetCase, names: set[str]) -> tuple[list[str], list[Path]]:
    """Fill in the templates. Return the arguments, and the files that they name. Raises EvaluationError.

    The argument `{{files}}` becomes an argument for each file that the messages of the input name.
    """
    if not any("{" in argument for argument in argv):
        return list(argv), []
    values = question.values() | {name: "{{" + name + "}}" for name in MOMENTARY}
    if "prompt" in names:
        values["prompt"] = question.write_prompt()
    named = question.list_files() if names & {"files"} else []
    values["files"] = [str(path.absolute()) for path in named]
    arguments, files = list[str](), [path for path in named if path.is_file()]
    for argument in argv:
        if _FILES.fullmatch(argument):
            arguments += values["files"]
            continue
        text = fill_template(argument, values)
        path = question.folder / text if text != argument and text else None
        if path is not None and _is_file(path):
            text = str(path.absolute())
            files.append(path)
        arguments.append(text)
    return arguments, files


def fill_momentary(arguments: Sequence[str], folder: str, prompt: str, attempt: int) -> list[str]:
    """Fill in what is known when the process starts; write the prompt to its file in the folder."""
    output_file, prompt_file = Path(folder, OUTPUT_FILE), Path(folder, _PROMPT_FILE)
    if any("{{prompt_file}}" in argument for argument in arguments):
        prompt_file.write_text(prompt, encoding="utf-8")
    values = {OUTPUT_FILE: str(output_file), _PROMPT_FILE: str(prompt_file), _ATTEMPT: str(attempt)}
    for name, value in values.items():
        arguments = [argument.replace("{{" + name + "}}", value) for argument in arguments]
    return list(arguments)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # the text is too long for a name
        return False
