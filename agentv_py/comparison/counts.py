"""Comparisons → tp, tn, fp, fn per attribute → precision, recall, F1."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from agentv_py.comparison.comparison import Comparison, Outcome
from agentv_py.comparison.paths import attribute_of

Counts = dict[str, int]

_COUNTED: dict[Outcome, tuple[str, ...]] = {
    "match": ("tp",),
    "mismatch": ("fp", "fn"),
    "missing": ("fn",),
    "extra": ("fp",),
    "blank": ("tn",),
}


_NONE: Counts = {"tp": 0, "tn": 0, "fp": 0, "fn": 0}


def count(comparisons: Iterable[Comparison]) -> dict[str, Counts]:
    counts: dict[str, Counts] = {}
    for comparison in comparisons:
        right = comparison.outcome == "match"
        if not right and comparison.role == "row":  # its leaves count
            continue
        attribute = attribute_of(comparison.path)
        found = counts.get(attribute)
        if found is None:
            found = counts[attribute] = _NONE.copy()
        if right:
            found["tp"] += 1
        else:
            for key in _COUNTED[comparison.outcome]:
                found[key] += 1
    return counts


class Quality(NamedTuple):
    """Precision, recall and F1; None where the denominator is 0."""

    precision: float | None
    recall: float | None
    f1: float | None


def quality(counts: Mapping[str, int]) -> Quality:
    tp, fp, fn = counts["tp"], counts["fp"], counts["fn"]
    precision = tp / (tp + fp) if tp + fp else None
    recall = tp / (tp + fn) if tp + fn else None
    f1 = 2 * tp / (2 * tp + fp + fn) if tp else None  # which is their harmonic mean, rounded once
    return Quality(precision, recall, f1)


def micro(counts: Iterable[Mapping[str, int]]) -> dict[str, Any]:
    total = dict.fromkeys(("tp", "tn", "fp", "fn"), 0)
    for one in counts:
        for key in total:
            total[key] += one[key]
    return total


def macro(counts: Iterable[Mapping[str, int]]) -> Quality:
    """Means over attributes. No support and no error: left out; errors but no true positive: 0; nothing left: 1."""
    live = [one for one in counts if one["tp"] or one["fp"] or one["fn"]]
    if not live:
        return Quality(1.0, 1.0, 1.0)
    each = [quality(one) for one in live]
    return Quality(
        sum(q.precision or 0.0 for q in each) / len(each),
        sum(q.recall or 0.0 for q in each) / len(each),
        sum(q.f1 or 0.0 for q in each) / len(each),
    )


def summary(counts: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """The counts of all attributes together, and both kinds of mean."""
    total = micro(counts.values())
    one, other = quality(total), macro(counts.values())
    return total | {
        "micro_precision": one.precision,
        "micro_recall": one.recall,
        "micro_f1": one.f1,
        "macro_precision": other.precision,
        "macro_recall": other.recall,
        "macro_f1": other.f1,
    }
