"""Comparisons that do not match → misses, and what `details.mismatches` shows of their values."""

from collections.abc import Sequence
from typing import Any

from agentv_py import jsontext
from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import Comparison
from agentv_py.comparison.paths import ROOT

MOST_MISMATCHES = 50
LONGEST_TEXT = 300
CUT = "…"


def split_hits_and_misses(comparisons: Sequence[Comparison]) -> tuple[list[str], list[str], list[Comparison]]:
    """Return the hits, the misses, and the comparisons behind the misses. A row without a partner is one miss."""
    hits, wrong = [], []
    for comparison in comparisons:
        outcome, path, _, _, _, _, _, role = comparison
        if outcome == "match" or outcome == "blank":  # noqa: PLR1714  twice as fast as a tuple
            hits.append(path or ROOT)
        elif role != "in_row":
            wrong.append(comparison)
    return hits, [miss_text(comparison.path or ROOT, comparison.note) for comparison in wrong], wrong


def miss_text(path: str, note: str) -> str:
    """Write a miss. Reports find a stored mismatch by the same text, so that no text is ever taken apart."""
    return f"{path} ({note})" if note else path


def describe_mismatches(wrong: Sequence[Comparison]) -> dict[str, Any]:
    """Return the part of `details` that shows the values behind each miss."""
    if not wrong:
        return {}
    details: dict[str, Any] = {"mismatches": [_describe_mismatch(comparison) for comparison in wrong[:MOST_MISMATCHES]]}
    if len(wrong) > MOST_MISMATCHES:
        details["mismatches_omitted"] = len(wrong) - MOST_MISMATCHES
    return details


def _describe_mismatch(comparison: Comparison) -> dict[str, Any]:
    outcome, path, _, similarity, note, expected, actual, _ = comparison
    details: dict[str, Any] = {"path": path or ROOT, "outcome": outcome}
    if expected is not ABSENT:
        details["expected"] = cut_value(expected)
    if actual is not ABSENT:
        details["actual"] = cut_value(actual)
    details["similarity"] = round(similarity, 6) if similarity else 0.0
    if note:
        details["note"] = note
    return details


def cut_value(value: Any) -> Any:
    """Return the value, or the beginning of its text if that is long."""
    if isinstance(value, dict | list):
        text = jsontext.dumps(value).decode()
        return value if len(text) <= LONGEST_TEXT else text[:LONGEST_TEXT] + CUT
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return value[:LONGEST_TEXT] + CUT
    return value
