"""Comparisons → hits, misses, and what differed."""

from collections.abc import Sequence
from typing import Any

from agentv_py import jsontext
from agentv_py.case import ABSENT
from agentv_py.comparing.comparison import Comparison
from agentv_py.comparing.paths import ROOT

MOST_MISMATCHES = 50
_LONGEST_TEXT = 300


def hits_and_misses(comparisons: Sequence[Comparison]) -> tuple[list[str], list[str]]:
    hits, misses = [], []
    for comparison in comparisons:
        if comparison.outcome == "match" or comparison.outcome == "blank":  # noqa: PLR1714  twice as fast as a tuple
            hits.append(comparison.path or ROOT)
        elif comparison.role != "in_row":
            misses.append(miss(comparison))
    return hits, misses


def miss(comparison: Comparison) -> str:
    path = comparison.path or ROOT
    return f"{path} ({comparison.note})" if comparison.note else path


def mismatches(comparisons: Sequence[Comparison]) -> dict[str, Any]:
    """The part of `details` that shows the values behind each miss."""
    wrong = [one for one in comparisons if one.outcome not in ("match", "blank") and one.role != "in_row"]
    if not wrong:
        return {}
    details: dict[str, Any] = {"mismatches": [_mismatch(one) for one in wrong[:MOST_MISMATCHES]]}
    if len(wrong) > MOST_MISMATCHES:
        details["mismatches_omitted"] = len(wrong) - MOST_MISMATCHES
    return details


def _mismatch(comparison: Comparison) -> dict[str, Any]:
    shown: dict[str, Any] = {"path": comparison.path or ROOT, "outcome": comparison.outcome}
    if comparison.expected is not ABSENT:
        shown["expected"] = cut(comparison.expected)
    if comparison.actual is not ABSENT:
        shown["actual"] = cut(comparison.actual)
    shown["similarity"] = round(comparison.similarity, 6)
    if comparison.note:
        shown["note"] = comparison.note
    return shown


def cut(value: Any) -> Any:
    if isinstance(value, dict | list):
        text = jsontext.dumps(value).decode()
        return value if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT] + "…"
    if isinstance(value, str) and len(value) > _LONGEST_TEXT:
        return value[:_LONGEST_TEXT] + "…"
    return value
