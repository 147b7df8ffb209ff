#!/usr/bin/env python3
"""One text → its similarity to the expected text, which is the score.

Config: `path` (default: the whole answer, as text), `algorithm` (levenshtein), `threshold` (0.85), `case_sensitive`.
"""

from agentv_py import judge
from agentv_py.comparison import Fuzzy, compare_value, split_hits_and_misses, value_at


def score(payload: judge.Payload) -> judge.Result:
    options = {key: value for key, value in payload.config.items() if key in Fuzzy.model_fields and key != "path"}
    match, path = Fuzzy.model_validate(options), str(payload.config.get("path", "$"))
    expected, actual = value_at(payload.expected, path), value_at(payload.candidate, path)
    if path == "$":
        expected, actual = payload.reference_answer, payload.candidate_answer
    comparison = compare_value(match, expected, actual, path)
    hits, misses, _ = split_hits_and_misses([comparison])
    similarity = comparison.similarity
    details = {"similarity": similarity, "threshold": match.threshold}
    return judge.Result(similarity, hits, misses, f"similarity {similarity:.3f}", details)


judge.run(score)
