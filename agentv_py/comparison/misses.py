"""Comparisons → hits, misses, and what differed."""

from collections.abc import Sequence
from typing import Any

from agentv_py import jsontext
from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import Comparison
from agentv_py.comparison.paths import ROOT

MOST_MISMATCHES = 50
_LONGEST_TEXT = 300


def sorted_out(comparisons: Sequence[Comparison]) -> tuple[list[str], list[str], list[Comparison]]:
    """Hits, misses, and what is behind the misses; a row without a partner stands for its leaves."""
    hits, wrong = [], []
    for comparison in comparisons:
        outcome = comparison.outcome
        if outcome == "match" or outcome == "blank":  # noqa: PLR1714  twice as fast as a tuple
            hits.append(comparison.path or ROOT)
        elif comparison.role != "in_row":
            wrong.append(comparison)
    return hits, [miss_text(one.path or ROOT, one.note) for one in wrong], wrong


def miss_text(path: str, note: str) -> str:
    """Write a miss. Reports find a stored mismatch by the same text, so that no text is ever taken apart."""
    return f"{path} ({note})" if note else path


def mismatches(wrong: Sequence[Comparison]) -> dict[str, Any]:
    """The part of `details` that shows the values behind each miss."""
    if not wrong:
        return {}
    details: dict[str, Any] = {"mismatches": [_mismatch(one) for one in wrong[:MOST_MISMATCHES]]}
    if len(wrong) > MOST_MISMATCHES:
        details["mismatches_omitted"] = len(wrong) - MOST_MISMATCHES
    return details


def _mismatch(comparison: Comparison) -> dict[str, Any]:
    outcome, path, _, similarity, note, expected, actual, _ = comparison
    shown: dict[str, Any] = {"path": path or ROOT, "outcome": outcome}
    if expected is not ABSENT:
        shown["expected"] = cut(expected)
    if actual is not ABSENT:
        shown["actual"] = cut(actual)
    shown["similarity"] = round(similarity, 6) if similarity else 0.0
    if note:
        shown["note"] = note
    return shown


def cut(value: Any) -> Any:
    if isinstance(value, dict | list):
        text = jsontext.dumps(value).decode()
        return value if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT] + "…"
    if isinstance(value, str) and len(value) > _LONGEST_TEXT:
        return value[:_LONGEST_TEXT] + "…"
    return value
