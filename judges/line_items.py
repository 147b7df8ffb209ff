#!/usr/bin/env python3
"""Line items, paired greedily → true and false positives and negatives per attribute; the score is their macro-F1.

Config: `line_items_path` (line_items), `match_fields` ([description]), `score_fields` (default: every field there is),
`threshold` (0.8). Text is as similar as its Levenshtein distance says, numbers, dates and all else are equal or not.
"""

from typing import Any

import numpy as np

from agentv_py import judge
from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import Comparison, is_empty, matched
from agentv_py.comparison.counts import count, macro, summary
from agentv_py.comparison.leaf import compare
from agentv_py.comparison.matchers.exact import Exact
from agentv_py.comparison.matchers.fuzzy import Fuzzy
from agentv_py.comparison.misses import mismatches, sorted_out
from agentv_py.comparison.pairing import assignment
from agentv_py.comparison.paths import Path, join, parse, suffix
from agentv_py.comparison.readers.date import read_date
from agentv_py.comparison.tree import leaf, record_of_paths
from agentv_py.comparison.unpaired import unpaired

_MOST = 100

Items = list[dict[str, Any]]


def score(payload: judge.Payload) -> judge.Result:
    path = parse(str(payload.config.get("line_items_path", "line_items")))
    expected, actual = (_items(path.getter()(side)) for side in (payload.expected, payload.candidate))
    similarities = _similarities(expected, actual, payload.config.get("match_fields", ["description"]))
    pairs = assignment.greedy(similarities, float(payload.config.get("threshold", 0.8)))
    fields = payload.config.get("score_fields") or _keys(expected + actual)
    found = _compare_rows([parse(field) for field in fields], expected, actual, dict(pairs), path.text)
    hits, misses, wrong = sorted_out(found)
    metrics = count(found)
    f1 = macro(metrics.values()).f1 or 0.0
    if misses and not any(one["fp"] or one["fn"] for one in metrics.values()):
        f1 = 0.0  # items without a partner, none of whose fields is scored
    alignment = [[left, right, float(similarities[left, right])] for left, right in pairs[:_MOST]]
    details = {
        "metrics": metrics,
        "summary": summary(metrics),
        "alignment": {path.text: alignment},
        **mismatches(wrong),
    }
    reasoning = f"{len(pairs)} of {len(expected)} expected items paired; macro-F1 {f1:.3f}"
    return judge.Result(f1, hits[:_MOST], misses[:_MOST], reasoning, details)


def _items(value: Any) -> Items:
    """What stands where the items should be; whatever is no object is an item with one field."""
    rows = value if isinstance(value, list) else [] if is_empty(value) else [value]
    return [row if isinstance(row, dict) else {"item": row} for row in rows]


def _keys(items: Items) -> list[str]:
    return list(dict.fromkeys(join("", key) for item in items for key in item))


def _similarities(expected: Items, actual: Items, fields: list[str]) -> Any:
    """The mean over the match fields; a field that both items leave empty has no say."""
    total, weight = np.zeros((2, len(expected), len(actual)))
    for get in (parse(field).getter() for field in fields if expected and actual):
        left, right = ([get(item) for item in items] for items in (expected, actual))
        near, equal = Fuzzy(threshold=0.0).matrix(left, right), Exact().matrix(left, right)
        near = np.where(np.isnan(near) | (_each(left, _is_date)[:, None] & _each(right, _is_date)), equal, near)
        here, there = _each(left, is_empty)[:, None], _each(right, is_empty)
        total += np.where(here | there, 0.0, near)
        weight += ~(here & there)
    return np.divide(total, weight, out=np.zeros_like(total), where=weight > 0)


def _each(values: list[Any], test: Any) -> Any:
    return np.array([bool(test(value)) for value in values])


def _is_date(value: Any) -> bool:
    return isinstance(value, str) and read_date(value) is not None


def _compare_rows(
    fields: list[Path], expected: Items, actual: Items, partners: dict[int, int], path: str
) -> list[Comparison]:
    equal, row = leaf(Exact(), whole=True), record_of_paths([(field, Exact()) for field in fields])
    found: list[Comparison] = []
    for index, item in enumerate(expected):
        place = f"{path}[{index}]"
        if index not in partners:
            found += unpaired("missing", "missing", row, item, place)
            continue
        for field in fields:
            left, right = field.getter()(item), field.getter()(actual[partners[index]])
            found.append(compare(equal, None if left is ABSENT else left, right, matched(place + suffix(field.text))))
    for index, item in enumerate(actual):
        if index not in partners.values():
            found += unpaired("extra", "unexpected", row, item, f"{path}[+{index}]")
    return found


judge.run(score)
