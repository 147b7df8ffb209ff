#!/usr/bin/env python3
"""One text → its similarity to the expected one, which is the score.

Config: `path` (default: the whole answer), `algorithm` (levenshtein), `threshold` (0.85), `case_sensitive` (false).
"""

from agentv_py import judge
from agentv_py.comparing.comparison import matched
from agentv_py.comparing.fields import leaf
from agentv_py.comparing.leaf import compare
from agentv_py.comparing.misses import miss
from agentv_py.comparing.paths import ROOT, parse
from agentv_py.matchers import Fuzzy


def score(payload: judge.Payload) -> judge.Result:
    options = {key: value for key, value in payload.config.items() if key in Fuzzy.model_fields and key != "path"}
    path = parse(str(payload.config.get("path", ROOT)))
    match, get = Fuzzy.model_validate(options), path.getter()
    found = compare(leaf(match, whole=True), get(payload.expected), get(payload.candidate), matched(path.text))
    details = {"similarity": found.similarity, "threshold": match.threshold}
    if found.outcome in ("match", "blank"):
        return judge.Result(found.similarity, [path.text], [], f"similarity {found.similarity:.3f}", details)
    return judge.Result(found.similarity, [], [miss(found)], f"similarity {found.similarity:.3f}", details)


judge.run(score)
