#!/usr/bin/env python3
"""Header fields → true and false positives and negatives per attribute; the score is their macro-F1.

Config: `fields: [{path}]`. A field that the expected value does not have counts as empty.
"""

from agentv_py import judge
from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import Comparison, matched
from agentv_py.comparison.counts import count, macro, summary
from agentv_py.comparison.leaf import compare
from agentv_py.comparison.matchers.exact import Exact
from agentv_py.comparison.misses import mismatches, sorted_out
from agentv_py.comparison.paths import parse
from agentv_py.comparison.trace import Trace
from agentv_py.comparison.tree import leaf, record_of_paths
from agentv_py.comparison.walk import walk


def score(payload: judge.Payload) -> judge.Result:
    equal = leaf(Exact(), whole=True)
    found: list[Comparison] = []
    for field in payload.config["fields"]:
        path = parse(field["path"])
        if any(step.each for step in path.steps or ()):
            trace = Trace()
            walk(record_of_paths([(path, Exact())]), payload.expected, payload.candidate, "", trace)
            found += trace.comparisons
            continue
        expected, actual = (path.getter()(side) for side in (payload.expected, payload.candidate))
        found.append(compare(equal, None if expected is ABSENT else expected, actual, matched(path.text)))
    if not payload.config["fields"]:
        raise ValueError("fields: name at least one {path}")
    hits, misses, wrong = sorted_out(found)
    metrics = count(found)
    details = {"metrics": metrics, "summary": summary(metrics), **mismatches(wrong)}
    f1 = macro(metrics.values()).f1 or 0.0
    return judge.Result(f1, hits, misses, f"macro-F1 {f1:.3f} over {len(metrics)} attributes", details)


judge.run(score)
