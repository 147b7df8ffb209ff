"""Two objects → a comparison of each top-level key, under its strategy."""

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import Comparison, is_empty
from agentv_py.comparison.compile import compile_key, compile_leaf, compile_record
from agentv_py.comparison.matchers.base import Incomparable, Match
from agentv_py.comparison.matchers.fuzzy import Fuzzy
from agentv_py.comparison.matchers.ignore import Ignore
from agentv_py.comparison.matchers.semantic import Semantic, as_text
from agentv_py.comparison.paths import join_path
from agentv_py.comparison.readers.text import compose_values
from agentv_py.comparison.trace import Trace
from agentv_py.comparison.tree import Leaf
from agentv_py.comparison.walk import walk
from agentv_py.evaluators.json_quality.phases import FieldComparison
from agentv_py.evaluators.json_quality.strategies import Strategies, Strategy, detect_strategy


class SameText(Match):
    """EXACT: the same text in any case; objects and lists are compared as JSON with sorted keys."""

    def similarity(self, expected: Any, actual: Any) -> float:
        return 1.0 if _normalize(expected) == _normalize(actual) else 0.0


class KeyComparer:
    """Compares the keys of two objects; it is compiled once for all cases."""

    def __init__(self, strategies: Strategies, fuzzy: Fuzzy, semantic: Semantic) -> None:
        self.strategies = strategies
        self.semantic = semantic
        self.leaves: Mapping[Strategy, Leaf] = {
            "EXACT": _leaf(SameText(), SameText().similarity),
            "FUZZY": _leaf(fuzzy, lambda expected, actual: fuzzy.similarity(as_text(expected), as_text(actual))),
            "SEMANTIC": _leaf(semantic, semantic.similarity),
            "IGNORE": _leaf(Ignore(), Ignore().similarity),
        }

    def __call__(self, expected: Mapping[str, Any], actual: Mapping[str, Any]) -> list[FieldComparison]:
        chosen = {key: self.strategies.get(key) or detect_strategy(value) for key, value in expected.items()}
        leaves = self._prefetch_similarities(chosen, expected, actual)
        entries = [compile_key(key, leaves[strategy], 1.0) for key, strategy in chosen.items()]
        trace = Trace()
        walk(compile_record(entries, from_object=True), expected, actual, "", trace)
        fields = [
            FieldComparison(key, strategy, comparison)
            for (key, strategy), comparison in zip(chosen.items(), trace.comparisons, strict=True)
        ]
        # An invented key counts even if its value is null, and the walk would leave such a key out.
        return fields + [
            FieldComparison(key, "IGNORE", _compare_extra(key, actual[key])) for key in actual if key not in expected
        ]

    def _prefetch_similarities(
        self, chosen: Strategies, expected: Mapping[str, Any], actual: Mapping[str, Any]
    ) -> Mapping[Strategy, Leaf]:
        """Return the leaves, with the similarities of all SEMANTIC fields asked of the backend in one call."""
        semantic = [key for key, strategy in chosen.items() if strategy == "SEMANTIC"]
        pairs = [(expected[key], actual.get(key, ABSENT)) for key in semantic]
        compared = [(left, right) for left, right in pairs if not (is_empty(left) or is_empty(right))]
        if len(compared) < 2:
            return self.leaves
        return {
            **self.leaves,
            "SEMANTIC": self.leaves["SEMANTIC"]._replace(similarity=self.semantic.precompute(compared)),
        }


def _leaf(match: Match, similarity: Callable[[Any, Any], float]) -> Leaf:
    """A leaf that scores 0 or 1, also where its match type is graded elsewhere."""
    return compile_leaf(match)._replace(similarity=similarity, graded=False)


def _compare_extra(key: str, value: Any) -> Comparison:
    return Comparison("extra", join_path("", key), 0.0, 0.0, "unexpected", ABSENT, value)


def _normalize(value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        raise Incomparable("not a finite number")
    if not isinstance(value, dict | list):
        return str(value).lower()
    try:
        text = _write_json(value)
    except ValueError:
        raise Incomparable("not a finite number") from None
    return (text if text.isascii() else _write_json(compose_values(value))).lower()


def _write_json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False)
