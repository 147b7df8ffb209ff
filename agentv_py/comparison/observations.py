"""Comparisons, and how sure the system is of each value → the confidences of right and of wrong values."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import Comparison
from agentv_py.comparison.partner_path import find_partner_path
from agentv_py.comparison.paths import ROOT, Step, attribute_of, parse_path
from agentv_py.comparison.trace import Trace

MOST_OBSERVATIONS = 1_000
"""Of one case and one evaluator; further ones are only counted."""
_DIGITS = 6


class Observations:
    """Collects what is right and wrong at which confidence, in the shape that a row of results has."""

    def __init__(self) -> None:
        self.right: dict[str, list[float]] = {}
        self.wrong: dict[str, list[float]] = {}
        self.counts = {"missing": 0, "invalid": 0, "omitted": 0}
        self.invalid_at: str | None = None
        self._size = 0

    def add(self, path: str, confidence: float, *, is_right: bool) -> None:
        if 0 <= confidence <= 1:
            self.add_to(attribute_of(path), round(float(confidence), _DIGITS), is_right=is_right)
        else:
            self.add_invalid(path)

    def add_to(self, attribute: str, confidence: float, *, is_right: bool) -> None:
        if self._size == MOST_OBSERVATIONS:
            self.counts["omitted"] += 1
            return
        self._size += 1
        side = self.right if is_right else self.wrong
        side.setdefault(attribute, []).append(confidence)

    def add_missing(self) -> None:
        self.counts["missing"] += 1

    def add_invalid(self, path: str) -> None:
        """Count a confidence that is not a number from 0 to 1."""
        self.counts["invalid"] += 1
        self.invalid_at = self.invalid_at or path

    def as_json(self) -> dict[str, Any]:
        sides = {"right": self.right, "wrong": self.wrong, "invalid_at": self.invalid_at}
        return {key: value for key, value in (sides | self.counts).items() if value}


def merge_observations(several: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the observations of several answers together."""
    whole = Observations()
    for observations in several:
        for side in ("right", "wrong"):
            for attribute, confidences in observations.get(side, {}).items():
                for confidence in confidences:
                    whole.add_to(attribute, confidence, is_right=side == "right")
        for key in whole.counts:
            whole.counts[key] += observations.get(key, 0)
        whole.invalid_at = whole.invalid_at or observations.get("invalid_at")
    return whole.as_json()


def observe_answer(confidence: float, *, is_right: bool) -> dict[str, Any]:
    """Return the observation of an answer that has one confidence as a whole."""
    observations = Observations()
    observations.add(ROOT, confidence, is_right=is_right)
    return observations.as_json()


def observe_values(trace: Trace, tree: Any) -> dict[str, Any]:
    """Return the observations of all values of a case; `tree` mirrors the answer and has its confidences.

    A value without a confidence is counted. An empty value needs none: most systems give none there.
    """
    observations = Observations()
    partners = {path or ROOT: {pair[0]: pair[1] for pair in pairs} for path, pairs in trace.alignment.items()}
    for comparison in trace.comparisons:
        if comparison.role == "row" and comparison.outcome != "mismatch":  # its leaves count
            continue
        path = _find_path(comparison, partners)
        confidence = ABSENT if path is None else read_confidence(tree, path)
        if confidence is ABSENT or confidence is None:
            if comparison.outcome not in ("missing", "blank"):
                observations.add_missing()
        elif type(confidence) in (int, float):
            observations.add(comparison.path, confidence, is_right=comparison.outcome in ("match", "blank"))
        else:
            observations.add_invalid(comparison.path)
    return observations.as_json()


def _find_path(comparison: Comparison, partners: Mapping[str, Mapping[int, int]]) -> str | None:
    if not partners:
        return comparison.path

    def find_partner(list_path: str, index: int | None) -> int | None:
        pairs = partners.get(list_path)
        return index if pairs is None or index is None else pairs.get(index)

    return find_partner_path(comparison.path, find_partner)


def read_confidence(tree: Any, path: str) -> Any:
    """Read the confidence of the value at a path: a number, ABSENT, or what is there instead of a number.

    A number holds for everything below it. A value that is compared as a whole has the lowest confidence inside it. A
    key that equals the whole path wins.
    """
    if isinstance(tree, dict) and path in tree:
        return _find_lowest(tree[path])
    for step in _read_steps(path):
        if isinstance(tree, dict):
            tree = tree.get(step.key, ABSENT)
        elif isinstance(tree, list):
            tree = tree[step.number] if step.number is not None and step.number < len(tree) else ABSENT
        else:
            break
    return _find_lowest(tree)


def _find_lowest(tree: Any) -> Any:
    if not isinstance(tree, dict | list):
        return tree
    inside: Sequence[Any] = list(tree.values() if isinstance(tree, dict) else tree)
    found = [value for value in map(_find_lowest, inside) if value is not ABSENT and value is not None]
    wrong = [value for value in found if type(value) not in (int, float)]
    return wrong[0] if wrong else min(found, default=ABSENT)


@lru_cache(maxsize=65_536)
def _read_steps(path: str) -> tuple[Step, ...]:
    return parse_path(path).steps or ()
