"""`extends: base.yaml` → a suite with the evaluators, gates and verdicts of that file."""

import os
from collections.abc import Sequence
from pathlib import Path

from agentv_py.errors import InvalidSuite, Problem, did_you_mean
from agentv_py.input_file import suggest_file
from agentv_py.suite.schema import Suite
from agentv_py.suite.yaml_document import read_yaml
from agentv_py.suite.yaml_node import Node

KEY = "extends"
_MAPPINGS = ("gates", "verdicts")


def extend(document: Node, file: str) -> tuple[Node, list[Path]]:
    """Add what a suite takes from other files; return the files. Raises InvalidSuite."""
    files: list[str] = []
    return _extend(document, file, [file], files), [Path(name) for name in files]


def _extend(document: Node, file: str, chain: Sequence[str], files: list[str]) -> Node:
    below = document.below if isinstance(document.below, dict) else {}
    node = below.get(KEY)
    if node is None or not isinstance(node.scalar, str):
        return document  # the schema says what is wrong with another value
    base_file = os.path.normpath(os.path.join(os.path.dirname(file), node.scalar))  # noqa: PTH118, PTH120  keeps the user's spelling
    if not os.path.isfile(base_file):  # noqa: PTH113  as above
        hint = suggest_file(node.scalar, os.path.dirname(file))  # noqa: PTH120  as above
        raise InvalidSuite(node.build_problem(f"{node.scalar!r} does not exist{hint}", KEY, file))
    if any(os.path.samefile(base_file, other) for other in chain):  # noqa: PTH121  as above
        circle = " → ".join((*chain, base_file))
        raise InvalidSuite(node.build_problem(f"the files extend each other: {circle}", KEY, file))
    files.append(base_file)
    base = read_yaml(Path(base_file), base_file)
    _check_keys(base, base_file)
    _note_file(base, base_file)
    base = _extend(base, base_file, [*chain, base_file], files)
    assert isinstance(base.below, dict)  # noqa: S101  _check_keys refuses every other document
    document.below = below | _merge(below, base.below)
    return document


def _check_keys(base: Node, file: str) -> None:
    if not isinstance(base.below, dict):
        raise InvalidSuite(Problem("a suite must be a mapping", "", file, base.line, base.column))
    problems = [
        Problem(f"unknown key {key!r}{did_you_mean(key, list(Suite.model_fields))}", "", file, node.line, node.column)
        for key, node in base.keys.items()
        if key not in Suite.model_fields
    ]
    if problems:
        raise InvalidSuite(*problems)


def _note_file(node: Node, file: str) -> None:
    """Note at each node in which file it is, so that errors name that file."""
    node.file = file
    below = node.below.values() if isinstance(node.below, dict) else node.below or ()
    for child in (*below, *node.keys.values()):
        if not child.file:
            _note_file(child, file)


def _merge(own: dict[str, Node], base: dict[str, Node]) -> dict[str, Node]:
    merged: dict[str, Node] = {}
    if "evaluators" in base:
        merged["evaluators"] = _merge_evaluators(own.get("evaluators"), base["evaluators"])
    for key in _MAPPINGS:
        if key in base:
            merged[key] = _merge_mappings(own.get(key), base[key])
    return merged


def _merge_evaluators(own: Node | None, base: Node) -> Node:
    """Join two lists. An evaluator takes the place of one that has the same name in the other file."""
    if own is None or not isinstance(own.below, list) or not isinstance(base.below, list):
        return base if own is None else own
    by_name = {_get_name(evaluator): evaluator for evaluator in own.below}
    kept = [by_name.pop(_get_name(evaluator), evaluator) for evaluator in base.below]
    further = [evaluator for evaluator in own.below if any(evaluator is other for other in by_name.values())]
    return Node(own.line, own.column, below=[*kept, *further], keys=own.keys)


def _get_name(evaluator: Node) -> str | int:
    """Return the name of an evaluator, else its type; for a value that is no evaluator, a number of its own."""
    below = evaluator.below if isinstance(evaluator.below, dict) else {}
    name = below.get("name") or below.get("type")
    return name.scalar if name is not None and isinstance(name.scalar, str) else id(evaluator)


def _merge_mappings(own: Node | None, base: Node) -> Node:
    if own is None or not isinstance(own.below, dict) or not isinstance(base.below, dict):
        return base if own is None else own
    return Node(own.line, own.column, below=base.below | own.below, keys=base.keys | own.keys)
