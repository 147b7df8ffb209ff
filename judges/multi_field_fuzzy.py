#!/usr/bin/env python3
"""Several texts → the share of texts that are similar enough.

Config: `fields: [{path, threshold, algorithm}]`; `threshold` (0.85) and `algorithm` (levenshtein) for all of them.
"""

from agentv_py import judge
from agentv_py.comparison import Comparison, Fuzzy, compare_path, describe_mismatches, split_hits_and_misses

_FOR_ALL = ("threshold", "algorithm", "case_sensitive")


def score(payload: judge.Payload) -> judge.Result:
    common = {key: payload.config[key] for key in _FOR_ALL if key in payload.config}
    fields = [Fuzzy.model_validate(common | field) for field in payload.config["fields"]]
    comparisons: list[Comparison] = []
    for field in fields:
        comparisons += compare_path(field, field.path or "", payload.expected, payload.candidate)
    hits, misses, wrong = split_hits_and_misses(comparisons)
    if not comparisons:
        misses = ["(nothing to compare)"]
    similarities = {comparison.path: comparison.similarity for comparison in comparisons}
    details = {"similarities": similarities, **describe_mismatches(wrong)}
    reasoning = f"{len(hits)}/{len(comparisons)} fields matched"
    return judge.Result(len(hits) / (len(comparisons) or 1), hits, misses, reasoning, details)


judge.run(score)
