#!/usr/bin/env python3
"""One text → its similarity to the expected one, which is the score.

Config: `path` (default: the whole answer, as text), `algorithm` (levenshtein), `threshold` (0.85), `case_sensitive`.
"""

from agentv_py import judge
from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import matched
from agentv_py.comparison.leaf import compare
from agentv_py.comparison.matchers.fuzzy import Fuzzy
from agentv_py.comparison.misses import sorted_out
from agentv_py.comparison.paths import ROOT, parse
from agentv_py.comparison.tree import leaf


def score(payload: judge.Payload) -> judge.Result:
    options = {key: value for key, value in payload.config.items() if key in Fuzzy.model_fields and key != "path"}
    match, path = Fuzzy.model_validate(options), parse(str(payload.config.get("path", ROOT)))
    sides = (payload.expected, payload.candidate)
    if path.text == ROOT:
        sides = (payload.reference_answer, payload.candidate_answer)
    expected, actual = (path.getter()(side) for side in sides)
    found = compare(leaf(match, whole=True), None if expected is ABSENT else expected, actual, matched(path.text))
    hits, misses, _ = sorted_out([found])
    details = {"similarity": found.similarity, "threshold": match.threshold}
    return judge.Result(found.similarity, hits, misses, f"similarity {found.similarity:.3f}", details)


judge.run(score)
