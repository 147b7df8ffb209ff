#!/usr/bin/env python3
"""Several texts → the share of them that is similar enough.

Config: `fields: [{path, threshold, algorithm}]`; `threshold` (0.85) and `algorithm` (levenshtein) for all of them.
"""

from agentv_py import judge
from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import matched
from agentv_py.comparison.leaf import compare
from agentv_py.comparison.matchers.fuzzy import Fuzzy
from agentv_py.comparison.misses import mismatches, sorted_out
from agentv_py.comparison.paths import parse
from agentv_py.comparison.tree import leaf

_FOR_ALL = ("threshold", "algorithm", "case_sensitive")


def score(payload: judge.Payload) -> judge.Result:
    common = {key: payload.config[key] for key in _FOR_ALL if key in payload.config}
    fields = [Fuzzy.model_validate(common | field) for field in payload.config["fields"]]
    found = []
    for field in fields:
        path = parse(field.path or "")
        expected, actual = (path.getter()(side) for side in (payload.expected, payload.candidate))
        expected = None if expected is ABSENT else expected
        found.append(compare(leaf(field, whole=True), expected, actual, matched(path.text)))
    hits, misses, wrong = sorted_out(found)
    details = {"similarities": {one.path: one.similarity for one in found}, **mismatches(wrong)}
    return judge.Result(len(hits) / len(found), hits, misses, f"{len(hits)}/{len(found)} fields matched", details)


judge.run(score)
