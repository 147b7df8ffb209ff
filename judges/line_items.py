#!/usr/bin/env python3
"""Line items, paired greedily → true and false positives and negatives per attribute; the score is their macro-F1.

Config: `line_items_path` (line_items), `match_fields` ([description]), `score_fields` (default: every field there is),
`threshold` (0.8). Text is as similar as its Levenshtein distance says, anything else is equal or not (seed 002).
"""

from typing import Any

import numpy as np

from agentv_py import judge
from agentv_py.comparing import align
from agentv_py.comparing.comparators import compiled
from agentv_py.comparing.comparison import is_empty
from agentv_py.comparing.counts import count, macro, summary
from agentv_py.comparing.fields import Field
from agentv_py.comparing.misses import hits_and_misses, mismatches
from agentv_py.comparing.paths import parse
from agentv_py.comparing.unpaired import unpaired
from agentv_py.comparing.walk import Trace, walk
from agentv_py.matchers import Exact, Fuzzy

_MOST_PAIRS = 100


def score(payload: judge.Payload) -> judge.Result:
    path = parse(str(payload.config.get("line_items_path", "line_items")))
    expected, actual = (_items(path.getter()(side)) for side in (payload.expected, payload.candidate))
    similarities = _similarities(expected, actual, list(payload.config.get("match_fields", ["description"])))
    pairs = align.greedy(similarities, float(payload.config.get("threshold", 0.8)))
    names = payload.config.get("score_fields") or _names(expected + actual)
    trace = Trace()
    if names:
        row = compiled({name: Exact() for name in names}, None, "ignore")
        assert row is not None  # noqa: S101  nothing is ignored
        _compare(row, expected, actual, dict(pairs), path.text, trace)
    hits, misses = hits_and_misses(trace.comparisons)
    metrics = count(trace.comparisons)
    alignment = [[left, right, float(similarities[left, right])] for left, right in pairs[:_MOST_PAIRS]]
    details = {"metrics": metrics, "summary": summary(metrics), "alignment": {path.text: alignment}}
    f1 = macro(metrics.values()).f1 or 0.0
    reasoning = f"{len(pairs)} of {len(expected)} expected items paired; macro-F1 {f1:.3f}"
    return judge.Result(f1, hits, misses, reasoning, details | mismatches(trace.comparisons))


def _items(value: Any) -> list[dict[str, Any]]:
    return [item if isinstance(item, dict) else {} for item in value] if isinstance(value, list) else []


def _names(items: list[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for item in items for name in item))


def _similarities(expected: list[dict[str, Any]], actual: list[dict[str, Any]], names: list[str]) -> Any:
    """The mean over the match fields; a field that both items leave empty has no say."""
    total, weight = np.zeros((2, len(expected), len(actual)))
    for name in names:
        left, right = ([item.get(name) for item in items] for items in (expected, actual))
        if not left or not right:
            break
        near = Fuzzy(threshold=0.0).matrix(left, right)
        near = np.where(np.isnan(near), Exact().matrix(left, right), near)
        empty = [np.array([is_empty(value) for value in side]) for side in (left, right)]
        near[empty[0][:, None] | empty[1][None, :]] = 0.0
        total += near
        weight += ~(empty[0][:, None] & empty[1][None, :])
    return np.divide(total, weight, out=np.zeros_like(total), where=weight > 0)


def _compare(
    row: Field, expected: list[Any], actual: list[Any], partners: dict[int, int], path: str, trace: Trace
) -> None:
    everywhere = dict.fromkeys(_names(expected + actual))
    for index, item in enumerate(expected):
        place = f"{path}[{index}]"
        if index in partners:
            walk(row, everywhere | item, actual[partners[index]], place, trace)  # absent from expected is empty
        else:
            trace.comparisons += unpaired("missing", "missing", row, item, place)
    for index, item in enumerate(actual):
        if index not in partners.values():
            trace.comparisons += unpaired("extra", "unexpected", row, item, f"{path}[+{index}]")


judge.run(score)
