#!/usr/bin/env python3
"""Header fields → true and false positives and negatives per attribute; the score is their macro-F1.

Config: `fields: [{path}]`. A field that the expected value does not have counts as empty.
"""

from agentv_py import judge
from agentv_py.comparison import (
    Comparison,
    Exact,
    compare_path,
    count_outcomes,
    describe_mismatches,
    macro_average,
    split_hits_and_misses,
    summarize_counts,
)


def score(payload: judge.Payload) -> judge.Result:
    if not payload.config["fields"]:
        raise ValueError("fields: name at least one {path}")
    comparisons: list[Comparison] = []
    for field in payload.config["fields"]:
        comparisons += compare_path(Exact(), field["path"], payload.expected, payload.candidate)
    hits, misses, wrong = split_hits_and_misses(comparisons)
    metrics = count_outcomes(comparisons)
    details = {"metrics": metrics, "summary": summarize_counts(metrics), **describe_mismatches(wrong)}
    f1 = macro_average(metrics.values()).f1 or 0.0
    return judge.Result(f1, hits, misses, f"macro-F1 {f1:.3f} over {len(metrics)} attributes", details)


judge.run(score)
