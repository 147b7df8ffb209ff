#!/usr/bin/env python3
"""Line items, paired greedily → true and false positives and negatives per attribute; the score is their macro-F1.

Config: `line_items_path` (line_items), `match_fields` ([description]), `score_fields` (default: every field there is),
`threshold` (0.8). Texts are compared by their Levenshtein distance; numbers, dates and all else are equal or not.
"""

from typing import Any

import numpy as np

from agentv_py import judge
from agentv_py.comparison import (
    Exact,
    Fuzzy,
    compare_rows,
    count_outcomes,
    describe_mismatches,
    is_empty,
    join_path,
    macro_average,
    pair_by_similarity,
    read_date,
    split_hits_and_misses,
    summarize_counts,
    value_at,
)

_MOST = 100

Items = list[dict[str, Any]]


def score(payload: judge.Payload) -> judge.Result:
    path = str(payload.config.get("line_items_path", "line_items"))
    expected, actual = (_read_items(value_at(value, path)) for value in (payload.expected, payload.candidate))
    similarities = _compute_similarities(expected, actual, payload.config.get("match_fields", ["description"]))
    pairs = pair_by_similarity(similarities, float(payload.config.get("threshold", 0.8)))
    fields = payload.config.get("score_fields") or _list_keys(expected + actual)
    comparisons = compare_rows(Exact(), fields, expected, actual, pairs, path)
    hits, misses, wrong = split_hits_and_misses(comparisons)
    metrics = count_outcomes(comparisons)
    f1 = macro_average(metrics.values()).f1 or 0.0
    if misses and not any(counts["fp"] or counts["fn"] for counts in metrics.values()):
        f1 = 0.0  # items without a partner and without a scored field
    alignment = [[left, right, float(similarities[left, right])] for left, right in pairs[:_MOST]]
    details = {
        "metrics": metrics,
        "summary": summarize_counts(metrics),
        "alignment": {path: alignment},
        **describe_mismatches(wrong),
    }
    reasoning = f"{len(pairs)} of {len(expected)} expected items paired; macro-F1 {f1:.3f}"
    return judge.Result(f1, hits[:_MOST], misses[:_MOST], reasoning, details)


def _read_items(value: Any) -> Items:
    """Return the items of a list; an item that is no object becomes an object with one field."""
    rows = value if isinstance(value, list) else [] if is_empty(value) else [value]
    return [row if isinstance(row, dict) else {"item": row} for row in rows]


def _list_keys(items: Items) -> list[str]:
    return list(dict.fromkeys(join_path("", key) for item in items for key in item))


def _compute_similarities(expected: Items, actual: Items, fields: list[str]) -> Any:
    """Return the mean over the match fields of each pair; a field that both items leave empty does not count."""
    total, weight = np.zeros((2, len(expected), len(actual)))
    for field in fields if expected and actual else ():
        left, right = ([value_at(item, field) for item in items] for items in (expected, actual))
        near, equal = Fuzzy(threshold=0.0).matrix(left, right), Exact().matrix(left, right)
        near = np.where(
            np.isnan(near) | (_test_each(left, _is_date)[:, None] & _test_each(right, _is_date)), equal, near
        )
        here, there = _test_each(left, is_empty)[:, None], _test_each(right, is_empty)
        total += np.where(here | there, 0.0, near)
        weight += ~(here & there)
    return np.divide(total, weight, out=np.zeros_like(total), where=weight > 0)


def _test_each(values: list[Any], test: Any) -> Any:
    return np.array([bool(test(value)) for value in values])


def _is_date(value: Any) -> bool:
    return isinstance(value, str) and read_date(value) is not None


judge.run(score)
