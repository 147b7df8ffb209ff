#!/usr/bin/env python3
"""One text → its similarity to the expected text, which is the score.

Config: `path` (default: the whole answer, as text), `algorithm` (levenshtein), `threshold` (0.85), `case_sensitive`.
"""

from agentv_py import judge
from agentv_py.comparison import Fuzzy, compare_path, compare_value, split_hits_and_misses


def score(payload: judge.Payload) -> judge.Result:
    options = {key: value for key, value in payload.config.items() if key in Fuzzy.model_fields and key != "path"}
    match, path = Fuzzy.model_validate(options), str(payload.config.get("path", "$"))
    if path == "$":
        comparisons = [compare_value(match, payload.reference_answer, payload.candidate_answer)]
    else:
        comparisons = compare_path(match, path, payload.expected, payload.candidate)
    hits, misses, _ = split_hits_and_misses(comparisons)
    if not comparisons:
        misses = [f"{path} (nothing to compare)"]
    similarity = sum(comparison.similarity for comparison in comparisons) / (len(comparisons) or 1)
    details = {"similarity": similarity, "threshold": match.threshold}
    return judge.Result(similarity, hits, misses, f"similarity {similarity:.3f}", details)


judge.run(score)
