"""Comparisons → tp, tn, fp, fn per attribute → precision, recall, F1."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from agentv_py.comparison.comparison import Comparison, Outcome
from agentv_py.comparison.paths import attribute_of

Counts = dict[str, int]

_KEYS: dict[Outcome, tuple[str, ...]] = {
    "match": ("tp",),
    "mismatch": ("fp", "fn"),
    "missing": ("fn",),
    "extra": ("fp",),
    "blank": ("tn",),
}
_ONCE: dict[Outcome, Counts] = {
    outcome: {key: int(key in keys) for key in ("tp", "tn", "fp", "fn")} for outcome, keys in _KEYS.items()
}
"""The counts of an attribute that is compared once."""
_SHARED = frozenset(map(id, _ONCE.values()))
RIGHT_ONCE = _ONCE["match"]


def count_outcomes(comparisons: Iterable[Comparison]) -> dict[str, Counts]:
    """Return the counts of each attribute, which the caller may change."""
    return {attribute: own.copy() for attribute, own in share_counts(comparisons).items()}


def share_counts(comparisons: Iterable[Comparison]) -> dict[str, Counts]:
    """Return the counts of each attribute. Do not change them: many attributes share one dict, to save time."""
    counts: dict[str, Counts] = {}
    for outcome, path, _, _, _, _, _, role in comparisons:
        keys, once = _KEYS[outcome], _ONCE[outcome]
        if role == "row":
            if outcome == "mismatch":  # a value of another shape, while its missing leaves count by themselves
                keys, once = _KEYS["extra"], _ONCE["extra"]
            elif outcome != "match":  # its leaves count
                continue
        attribute = attribute_of(path)
        own = counts.get(attribute)
        if own is None:
            counts[attribute] = once
            continue
        if id(own) in _SHARED:
            own = counts[attribute] = own.copy()
        for key in keys:
            own[key] += 1
    return counts


class Quality(NamedTuple):
    """Precision, recall and F1; each is None if its denominator is 0."""

    precision: float | None
    recall: float | None
    f1: float | None


def quality(counts: Mapping[str, int]) -> Quality:
    tp, fp, fn = counts["tp"], counts["fp"], counts["fn"]
    precision = tp / (tp + fp) if tp + fp else None
    recall = tp / (tp + fn) if tp + fn else None
    f1 = 2 * tp / (2 * tp + fp + fn) if tp else None  # their harmonic mean, rounded only once
    return Quality(precision, recall, f1)


def sum_counts(counts: Iterable[Mapping[str, int]]) -> dict[str, Any]:
    """Return the sums of the counts of several attributes."""
    total = dict.fromkeys(("tp", "tn", "fp", "fn"), 0)
    for own in counts:
        for key in total:
            total[key] += own[key]
    return total


def macro_average(counts: Iterable[Mapping[str, int]]) -> Quality:
    """Return the means over attributes.

    An attribute without support and without errors is left out. One with errors and no true positive counts as 0. If no
    attribute is left, all means are 1.
    """
    each = [quality(own) for own in counts if own["tp"] or own["fp"] or own["fn"]]
    if not each:
        return Quality(1.0, 1.0, 1.0)
    return Quality(
        sum(q.precision or 0.0 for q in each) / len(each),
        sum(q.recall or 0.0 for q in each) / len(each),
        sum(q.f1 or 0.0 for q in each) / len(each),
    )


def summarize_counts(counts: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """Return the summed counts of all attributes, with micro and macro averages."""
    total = sum_counts(counts.values())
    pooled, mean = quality(total), macro_average(counts.values())
    return total | {
        "micro_precision": pooled.precision,
        "micro_recall": pooled.recall,
        "micro_f1": pooled.f1,
        "macro_precision": mean.precision,
        "macro_recall": mean.recall,
        "macro_f1": mean.f1,
    }
