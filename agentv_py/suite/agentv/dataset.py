"""Where AgentV's cases are: in the suite, in files that it names, or in a JSONL file beside a sidecar → their nodes."""

import os
from pathlib import Path

from agentv_py.errors import Problem
from agentv_py.suite.agentv.environment import fill_environment
from agentv_py.suite.agentv.targets import set_file
from agentv_py.suite.datasets import read_rows
from agentv_py.suite.datasets.files import find_files
from agentv_py.suite.datasets.row import InvalidRow, decode
from agentv_py.suite.translation import Translation, build_list, build_mapping, build_value
from agentv_py.suite.yaml_document import read_yaml
from agentv_py.suite.yaml_node import Node

_SIDECARS = (".eval.yaml", ".yaml", ".yml")
_SIGNS = frozenset(
    {"input_messages", "expected_messages", "expected_outcome", "expected_output", "criteria", "assertions"}
)
_SIGNS_OF_OURS = frozenset({"expected", "candidate", "candidates"})


def read_cases(node: Node | None, document: Node, translation: Translation, where: str) -> list[Node]:
    """Return the cases: those that are written here, and those of the files that are named instead of them."""
    if node is None:
        return [fill_environment(case, translation) for case in _read_beside(document, translation)]
    items = node.below if isinstance(node.below, list) else [node]
    cases: list[Node] = []
    for item in items:
        if isinstance(item.value, str):
            cases += (fill_environment(case, translation) for case in _read_file(item, translation, where))
        else:
            cases.append(item)
    return cases


def read_dataset(file: str) -> Node | None:
    """Return the document of a JSONL file and its sidecar; None if the rows are not cases of AgentV."""
    rows = list_rows(Path(file), file)
    if not rows:
        return None
    sidecar = _find_sidecar(Path(file))
    below = dict(sidecar.below) if sidecar is not None and isinstance(sidecar.below, dict) else {}
    below.pop("dataset", None)
    return build_mapping({**below, "tests": build_list(rows, rows[0])}, sidecar or rows[0])


def list_rows(path: Path, display_name: str) -> list[Node]:
    """Return the rows of a JSONL file, if they are cases of AgentV."""
    rows = list[Node]()
    for row in read_rows(path, display_name):
        if isinstance(row, Problem):
            return []
        try:
            value = decode(row)
        except InvalidRow:
            return []
        if not _SIGNS_OF_OURS.isdisjoint(value) or (not rows and _SIGNS.isdisjoint(value)):
            return []
        rows.append(build_value(value, Node(row.line, 1, file=display_name)))
    return rows


def _find_sidecar(path: Path) -> Node | None:
    """Return the YAML file of the same name, which says what holds for all rows of a JSONL file."""
    for suffix in _SIDECARS:
        sidecar = path.with_suffix(suffix)
        if sidecar.is_file():
            document = read_yaml(sidecar, str(sidecar))
            set_file(document, str(sidecar))
            return document
    return None


def _read_beside(document: Node, translation: Translation) -> list[Node]:
    """Return the rows of the JSONL file that a sidecar belongs to."""
    path = Path(translation.file)
    stem = path.name.removesuffix(path.suffix).removesuffix(".eval")
    rows = path.with_name(f"{stem}.jsonl")
    if rows.is_file():
        translation.files.append(rows)
        return list_rows(rows, str(rows))
    translation.refuse(f"there are no cases: write tests:, or a file {rows.name} beside this one", document)
    return []


def _read_file(name: Node, translation: Translation, where: str) -> list[Node]:
    folder = os.path.dirname(translation.file)  # noqa: PTH120  keeps the user's spelling
    paths, problem = find_files(folder, str(name.value).removeprefix("file://"))
    if problem:
        translation.refuse(f"{name.value!r} {problem}", name, where)
    cases: list[Node] = []
    for path in paths:
        translation.files.append(Path(path))
        if path.endswith((".yaml", ".yml")):
            document = read_yaml(Path(path), path)
            set_file(document, path)
            cases += document.below if isinstance(document.below, list) else [document]
        else:
            cases += list_rows(Path(path), path)
    return cases
