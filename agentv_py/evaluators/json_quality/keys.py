"""Two objects → a comparison of each top-level key, under its strategy."""

from collections.abc import Callable, Mapping
from typing import Any

from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import Comparison, build_full_match, is_empty
from agentv_py.comparison.compile import compile_leaf
from agentv_py.comparison.leaf import compare_leaf
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.matchers.fuzzy import Fuzzy
from agentv_py.comparison.matchers.numeric_tolerance import NumericTolerance
from agentv_py.comparison.matchers.semantic import Semantic, as_text
from agentv_py.comparison.paths import join_path
from agentv_py.comparison.trace import Trace
from agentv_py.comparison.tree import Leaf
from agentv_py.evaluators.json_quality.elements import ElementComparer
from agentv_py.evaluators.json_quality.phases import FieldComparison
from agentv_py.evaluators.json_quality.strategies import Strategies, Strategy, detect_strategy

_BY_PARTS = ("EXACT", "UNORDERED")
"""A miss under these strategies names the parts of the value that differ."""


class KeyComparer:
    """Compares the keys of two objects; it is compiled once for all cases."""

    def __init__(
        self, strategies: Strategies, matches: Mapping[Strategy, Match], own: Mapping[str, Match] | None = None
    ) -> None:
        """`own`: the match types of keys that need other options than their strategy has."""
        self.strategies = strategies
        self.matches = matches
        self.own = own or {}
        self._own_leaves = {key: _leaf(match) for key, match in self.own.items()}
        self._leaves = {strategy: _leaf(match) for strategy, match in matches.items()}
        numeric = matches["NUMERIC"]
        assert isinstance(numeric, NumericTolerance)  # noqa: S101  for the type checker
        self._elements = ElementComparer(numeric)

    def __call__(self, expected: Mapping[str, Any], actual: Mapping[str, Any], trace: Trace) -> list[FieldComparison]:
        """Return the comparison of each key; the trace gets the pairs of elements."""
        chosen = {key: self.strategies.get(key) or detect_strategy(value) for key, value in expected.items()}
        leaves = self._prefetch_similarities(chosen, expected, actual)
        fields = [
            self._compare(
                key,
                strategy,
                self._own_leaves.get(key, leaves[strategy]),
                expected[key],
                actual.get(key, ABSENT),
                trace,
            )
            for key, strategy in chosen.items()
        ]
        # An invented key counts even if its value is null, and a leaf would call such a key blank.
        return fields + [_compare_extra(key, actual[key]) for key in actual if key not in expected]

    def _compare(
        self, key: str, strategy: Strategy, leaf: Leaf, expected: Any, actual: Any, trace: Trace
    ) -> FieldComparison:
        path, own = join_path("", key), Trace()
        if strategy == "UNORDERED" and isinstance(expected, list) and not is_empty(actual):
            comparison = self._elements.compare_in_any_order(expected, actual, path, own)
        else:
            comparison = compare_leaf(leaf, expected, actual, build_full_match(path))
            own.comparisons.append(comparison)
        trace.alignment |= own.alignment
        if comparison.outcome == "mismatch" and strategy in _BY_PARTS:
            return FieldComparison(key, strategy, comparison, tuple(self._elements.list_parts(own)))
        return FieldComparison(key, strategy, comparison, (comparison,))

    def _prefetch_similarities(
        self, chosen: Strategies, expected: Mapping[str, Any], actual: Mapping[str, Any]
    ) -> Mapping[Strategy, Leaf]:
        """Return the leaves, with the similarities of all SEMANTIC fields asked of the backend in one call."""
        semantic = [key for key, strategy in chosen.items() if strategy == "SEMANTIC"]
        pairs = [(expected[key], actual.get(key, ABSENT)) for key in semantic]
        compared = [(left, right) for left, right in pairs if not (is_empty(left) or is_empty(right))]
        match = self.matches["SEMANTIC"]
        if len(compared) < 2 or not isinstance(match, Semantic):
            return self._leaves
        return {**self._leaves, "SEMANTIC": self._leaves["SEMANTIC"]._replace(similarity=match.precompute(compared))}


def _leaf(match: Match) -> Leaf:
    """A leaf that scores 0 or 1, also where its match type is graded elsewhere."""
    return compile_leaf(match)._replace(similarity=_get_similarity(match), graded=False)


def _get_similarity(match: Match) -> Callable[[Any, Any], float]:
    if isinstance(match, Fuzzy):
        return lambda expected, actual: match.similarity(as_text(expected), as_text(actual))
    return match.similarity


def _compare_extra(key: str, value: Any) -> FieldComparison:
    comparison = Comparison("extra", join_path("", key), 0.0, 0.0, "unexpected", ABSENT, value)
    return FieldComparison(key, "IGNORE", comparison, (comparison,))
