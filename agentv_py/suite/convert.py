"""A suite of another tool → the text of a suite in our own spelling, and the scripts that it needs."""

import os
from pathlib import Path
from typing import Literal, NamedTuple

from agentv_py.errors import InvalidSuite
from agentv_py.suite.read_suite import TargetChoice, is_agentv, is_promptfoo, read_document
from agentv_py.suite.text_file import read_text
from agentv_py.suite.yaml_comments import Comment, list_comments
from agentv_py.suite.yaml_node import Node
from agentv_py.suite.yaml_writer import write_yaml

Origin = Literal["agentv", "promptfoo"]


class ConvertedSuite(NamedTuple):
    text: str
    scripts: dict[str, str]
    """Paths, relative to the folder of the suite → texts."""


def convert_suite(file: str, origin: Origin | None, output: str | None) -> ConvertedSuite:
    """Convert a suite for the file `output`, to whose folder its paths are relative. Raises InvalidSuite."""
    document = read_document(file)
    folder = os.path.dirname(file if output is None else output)  # noqa: PTH120  "" stays the working folder
    if (origin or _detect(document, file)) == "promptfoo":
        from agentv_py.suite.promptfoo import translate as translate_promptfoo

        stem = "suite" if output is None else Path(output).name.partition(".")[0]
        translated, scripts = translate_promptfoo(document, file, Path(folder), f"{stem}_scripts")
    else:
        from agentv_py.suite.agentv import translate as translate_agentv

        (translated, _), scripts = translate_agentv(document, file, TargetChoice(), Path(folder)), {}
    return ConvertedSuite(write_yaml(translated, _read_comments(translated, file)), scripts)


def _detect(document: Node, file: str) -> Origin:
    if is_promptfoo(document):
        return "promptfoo"
    if is_agentv(document):
        return "agentv"
    what = (
        "is neither a suite of AgentV nor a configuration of promptfoo; if it is one, write --from agentv or promptfoo"
    )
    raise InvalidSuite(document.build_problem(what, "", file))


def _read_comments(document: Node, file: str) -> dict[str, list[Comment]]:
    """Return the comments of each YAML file that nodes come from; the suite file is ''."""
    names = dict.fromkeys(_list_files(document))
    files = {name: name or file for name in names}
    return {name: list_comments(read_text(Path(path), path)) for name, path in files.items() if not _is_jsonl(path)}


def _is_jsonl(path: str) -> bool:
    return path.endswith((".jsonl", ".ndjson"))


def _list_files(node: Node) -> list[str]:
    below = node.below.values() if isinstance(node.below, dict) else node.below or ()
    return [node.file, *(file for item in below for file in _list_files(item))]
