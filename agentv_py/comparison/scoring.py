"""What a walk saw → a score with its hits, misses and details."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from agentv_py.case import ABSENT
from agentv_py.comparison.counts import count
from agentv_py.comparison.misses import mismatches, sorted_out
from agentv_py.comparison.paths import ROOT
from agentv_py.comparison.trace import Trace
from agentv_py.comparison.tree import Field, Leaf, List, Record
from agentv_py.comparison.walk import walk
from agentv_py.score import Score

MOST_PAIRS = 100
_INDEX = re.compile(r"\[[0-9*]+\]")
_NOTHING_LABELLED = "(no expected value for any configured field)"


def compare_values(field: Field, expected: Any, actual: Any) -> tuple[float, Trace] | Score:
    """The score and the trace behind it, or the score of a case that labels nothing."""
    trace = Trace()
    measure = None if expected is ABSENT else walk(field, expected, actual, "", trace)
    if measure is not None:
        return measure.score, trace
    if any(one.role != "row" for one in trace.comparisons):
        score = told(0.0, trace)
        return score._replace(misses=(*score.misses, "(no field that has weight is labelled)"))
    if trace.optional:
        return 1.0, trace
    return nothing_labelled(trace.unlabelled)


def nothing_labelled(paths: Sequence[str]) -> Score:
    return Score(0.0, misses=(_NOTHING_LABELLED,), reasoning=_NOTHING_LABELLED.strip("()"), unlabelled=paths)


def told(score: float, trace: Trace) -> Score:
    hits, misses, wrong = sorted_out(trace.comparisons)
    details: dict[str, Any] = {"metrics": count(trace.comparisons), **mismatches(wrong)}
    if trace.alignment:
        details["alignment"] = {path or ROOT: _shown(rows) for path, rows in trace.alignment.items()}
    if trace.readings:
        details["readings"] = trace.readings
    reasoning = f"{len(hits)}/{len(hits) + len(misses)} fields matched"
    leaves = len(trace.comparisons) - [one.role for one in wrong].count("row")
    unlabelled, optional = trace.unlabelled, trace.optional
    return Score(score, tuple(hits), tuple(misses), reasoning, details, None, leaves, unlabelled, optional)


def _shown(rows: list[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
    return [(one, two, 1.0 if similar == 1.0 else round(similar, 6)) for one, two, similar in rows[:MOST_PAIRS]]


def box_formats(field: Field) -> dict[str, str]:
    """Every attribute that is compared as a box, with what the numbers of a box are there."""
    return {_INDEX.sub("[]", path).removeprefix(".") or ROOT: form for path, form in _formats(field, "")}


def _formats(field: Field, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(field, Leaf):
        if field.match.box_format is not None:
            yield path, field.match.box_format
    elif isinstance(field, List):
        yield from _formats(field.item, f"{path}[]")
    elif isinstance(field, Record):  # what is not listed is gone into, and so is compared number by number
        for entry in field.entries:
            yield from _formats(entry.field, path + entry.suffix)
