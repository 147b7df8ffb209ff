"""The trace of a walk → a score with its hits, misses and details."""

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Self

from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import Comparison, are_plain
from agentv_py.comparison.counts import share_counts
from agentv_py.comparison.mismatch import describe_mismatches, split_hits_and_misses
from agentv_py.comparison.paths import ROOT, Read
from agentv_py.comparison.trace import Trace
from agentv_py.comparison.tree import Field, Leaf, List, Record
from agentv_py.comparison.walk import walk
from agentv_py.score import Score

MOST_PAIRS = 100
_INDEX = re.compile(r"\[[0-9*]+\]")
_NOTHING_LABELLED = "(no expected value for any configured field)"


class FullScore(NamedTuple):
    """The score of a case whose leaves all match fully. All such cases share it."""

    comparisons: list[Comparison]
    score: Score
    read: Read | None = None
    """An object → the values that are compared, if equal values are enough for this score."""

    @classmethod
    def build(cls, record: Record, make_score: Callable[[float, Trace], Score], *, by_leaves: bool = False) -> Self:
        """Return the score of objects that match a record fully; `by_leaves`: the score is a mean over its leaves."""
        has_only_leaves = all(type(entry.field) is Leaf for entry in record.entries)
        matches = record.full_matches if has_only_leaves else record.leaf_full_matches
        trace = Trace()
        trace.comparisons = list(matches(""))
        read = record.read if record.equal_values_match and not by_leaves else None
        return cls(trace.comparisons, make_score(1.0, trace), read)

    def is_certain(self, expected: dict[str, Any], actual: dict[str, Any]) -> bool:
        """Whether it is certain, before a walk, that these objects have this score: all compared values are equal.

        This takes a third of the time of the walk. If it is not certain, only a walk can tell.
        """
        if self.read is None:
            return False
        lefts, rights = self.read(expected), self.read(actual)
        return lefts == rights and are_plain(lefts, rights)

    def fits(self, trace: Trace) -> bool:
        """Whether a walk has found these comparisons, and nothing else that a score shows."""
        return trace.comparisons == self.comparisons and not trace.readings and not trace.alignment


def compare_values(field: Field, expected: Any, actual: Any, *, by_leaves: bool = False) -> tuple[float, Trace] | Score:
    """Return the score of two values and its trace, or the score of a case whose expected value labels nothing."""
    trace = Trace(by_leaves=by_leaves)
    measure = None if expected is ABSENT else walk(field, expected, actual, "", trace)
    if measure is not None:
        if by_leaves:
            return (measure.score / measure.leaves if measure.leaves else 1.0), trace
        return measure.score, trace
    if any(comparison.role != "row" for comparison in trace.comparisons):
        score = score_from_trace(0.0, trace)
        return score._replace(misses=(*score.misses, "(no field that has weight is labelled)"))
    if trace.optional:
        return 1.0, trace
    return score_unlabelled()


def score_unlabelled() -> Score:
    """Return the score of a case whose expected value has none of the configured paths."""
    return Score(0.0, misses=(_NOTHING_LABELLED,), reasoning=_NOTHING_LABELLED.strip("()"))


def add_box_formats(score: Score, formats: dict[str, str]) -> Score:
    """Return the score with the format of each box that it compares, for the page that draws them."""
    return score._replace(details={"formats": formats, **(score.details or {})}) if formats else score


def score_from_trace(score: float, trace: Trace, confidences: Any = None) -> Score:
    """Return the score with its hits and misses, its counts and the values behind each miss.

    `confidences` is a tree that says how sure the system is of each value.
    """
    hits, misses, wrong = split_hits_and_misses(trace.comparisons)
    details: dict[str, Any] = {"metrics": share_counts(trace.comparisons), **describe_mismatches(wrong)}
    if trace.alignment:
        details["alignment"] = {path or ROOT: _round_pairs(pairs) for path, pairs in trace.alignment.items()}
    if trace.readings:
        details["readings"] = trace.readings
    reasoning = f"{len(hits)}/{len(hits) + len(misses)} fields matched"
    leaves = len(trace.comparisons) - [comparison.role for comparison in wrong].count("row")
    observations = None if confidences is None else _observe(trace, confidences)
    return Score(score, tuple(hits), tuple(misses), reasoning, details, None, leaves, observations=observations)


def _observe(trace: Trace, confidences: Any) -> dict[str, Any]:
    from agentv_py.comparison.observations import observe_values  # few answers have confidences

    return observe_values(trace, confidences)


def _round_pairs(pairs: list[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
    return [(left, right, 1.0 if similar == 1.0 else round(similar, 6)) for left, right, similar in pairs[:MOST_PAIRS]]


def find_box_formats(field: Field) -> dict[str, str]:
    """Return every attribute that is compared as a box, with the format of its boxes."""
    return {_INDEX.sub("[]", path).removeprefix(".") or ROOT: form for path, form in _find_formats(field, "")}


def _find_formats(field: Field, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(field, Leaf):
        if field.match.box_format is not None:
            yield path, field.match.box_format
    elif isinstance(field, List):
        yield from _find_formats(field.item, f"{path}[]")
    elif isinstance(field, Record):  # under the default comparator a box is compared number by number
        for entry in field.entries:
            yield from _find_formats(entry.field, path + entry.suffix)
