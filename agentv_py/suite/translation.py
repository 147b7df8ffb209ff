"""Nodes of another tool's suite → nodes in our own spelling; each keeps the line of what it means."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agentv_py.errors import InvalidSuite, Problem, did_you_mean
from agentv_py.suite.yaml_node import Node


@dataclass(slots=True)
class Translation:
    """What is known while a suite is translated, and what is wrong with it."""

    file: str
    """The suite file of the other tool, as the user spells it."""
    base: Path
    """The folder of the suite in our spelling; its paths are relative to this folder."""
    files: list[Path] = field(default_factory=list)
    """The files that were read besides the suite."""
    problems: list[Problem] = field(default_factory=list)

    @property
    def folder(self) -> Path:
        return Path(os.path.dirname(self.file))  # noqa: PTH120  "" stays the working folder

    @property
    def stays_in_folder(self) -> bool:
        return self.base.absolute() == self.folder.absolute()

    def relate(self, path: str) -> str:
        """Return a path that is relative to the folder of the suite as one that is relative to the new folder."""
        if self.stays_in_folder or Path(path).is_absolute():
            return path
        return os.path.relpath(self.folder / path, self.base)

    def refuse(self, what: str, node: Node, where: str = "") -> None:
        """Note what cannot be translated, and what to write instead."""
        self.problems.append(node.build_problem(what, where, self.file))

    def end(self, document: Node) -> Node:
        """Return the document. Raises InvalidSuite if anything could not be translated."""
        if self.problems:
            raise InvalidSuite(*sorted(dict.fromkeys(self.problems), key=_get_place))
        return document


class Keys:
    """The keys of a mapping, which are taken one after another. `end` refuses those that nobody took."""

    def __init__(self, node: Node, translation: Translation, where: str) -> None:
        self.node = node
        self.where = where
        self._translation = translation
        self._left = dict(node.below) if isinstance(node.below, dict) else {}
        self._known: list[str] = []
        if not isinstance(node.below, dict):
            translation.refuse("must be a mapping", node, where)

    def __contains__(self, name: str) -> bool:
        return name in self._left

    def take(self, *names: str) -> Node | None:
        """Return the value of a key that has several spellings; None if it is not there or null."""
        self._known += names
        found = [name for name in names if name in self._left]
        nodes = [self._left.pop(name) for name in found]
        if len(nodes) > 1:
            self._translation.refuse(
                f"{found[0]} and {found[1]} mean the same; write one of them", nodes[1], self.where
            )
        return nodes[0] if nodes and nodes[0].value is not None else None

    def find_key(self, *names: str) -> Node:
        """Return the first of these keys that is there; else the mapping."""
        return next((self.node.keys[name] for name in names if name in self.node.keys), self.node)

    def find_spelling(self, *names: str) -> str:
        """Return the first of these names that the user writes; the first name if none is there."""
        below = self.node.below if isinstance(self.node.below, dict) else {}
        return next((name for name in names if name in below), names[0])

    def take_text(self, *names: str) -> Node | None:
        return self._check(self.take(*names), str, "text", names)

    def take_list(self, *names: str) -> list[Node]:
        node = self._check(self.take(*names), list, "a list", names)
        return node.below if node is not None and isinstance(node.below, list) else []

    def take_flag(self, *names: str) -> bool:
        node = self._check(self.take(*names), bool, "true or false", names)
        return node is not None and node.value is True

    def ignore(self, *names: str) -> None:
        """Take keys that change neither an answer nor a score."""
        for name in names:
            self._left.pop(name, None)
        self._known += names

    def refuse(self, way_out: str, *names: str) -> None:
        """Refuse keys that cannot be honoured, each with what to write instead."""
        for name in names:
            if name in self._left:
                node = self._left.pop(name)
                self._translation.refuse(f"{name!r} cannot be translated; {way_out}", node, self.where)

    def take_rest(self) -> dict[str, Node]:
        rest, self._left = self._left, {}
        return rest

    def end(self) -> None:
        """Refuse every key that is left."""
        for name in self.take_rest():
            node = self.node.keys.get(name, self.node)
            self._translation.refuse(f"unknown key {name!r}{did_you_mean(name, self._known)}", node, self.where)

    def _check(self, node: Node | None, kind: type, description: str, names: Sequence[str]) -> Node | None:
        if node is None or isinstance(node.value, kind):
            return node
        where = f"{self.where}.{self.find_spelling(*names)}".lstrip(".")
        self._translation.refuse(f"must be {description}", node, where)
        return None


def build_scalar(value: Any, at: Node) -> Node:
    return Node(at.line, at.column, scalar=value, is_open=False, file=at.file)


def build_list(items: Iterable[Node], at: Node) -> Node:
    return Node(at.line, at.column, below=list(items), is_open=False, file=at.file)


def build_mapping(entries: Mapping[str, Node | None], at: Node) -> Node:
    """Build a mapping of the entries that are there."""
    below = {name: node for name, node in entries.items() if node is not None}
    return Node(at.line, at.column, below=below, keys=_place_keys(below), is_open=False, file=at.file)


def build_value(value: Any, at: Node) -> Node:
    """Build a JSON value, all of it at one line."""
    if isinstance(value, dict):
        return build_mapping({key: build_value(item, at) for key, item in value.items()}, at)
    return (
        build_list([build_value(item, at) for item in value], at)
        if isinstance(value, list)
        else build_scalar(value, at)
    )


def number_names(evaluators: Sequence[Node]) -> list[Node]:
    """Give an evaluator another name if an earlier one has its name."""
    taken, numbered = set[str](), list[Node]()
    for evaluator in evaluators:
        name, below = evaluator.value.get("name"), evaluator.below
        if isinstance(name, str) and isinstance(below, dict):
            new = next(text for text in (name, *(f"{name}-{n}" for n in range(2, 10_000))) if text not in taken)
            taken.add(new)
            evaluator = build_mapping(below | {"name": build_scalar(new, below["name"])}, evaluator)  # noqa: PLW2901  renamed
        numbered.append(evaluator)
    return numbered


def _place_keys(below: Mapping[str, Node]) -> dict[str, Node]:
    return {name: Node(node.line, node.column, file=node.file) for name, node in below.items()}


def _get_place(problem: Problem) -> tuple[str, int, int]:
    return problem.file, problem.line or 0, problem.column or 0
