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
from agentv_py.comparison.paths import join
from agentv_py.comparison.trace import Trace
from agentv_py.comparison.tree import Leaf
from agentv_py.comparison.walk import walk
from agentv_py.evaluators.json_quality.phases import Compared
from agentv_py.evaluators.json_quality.strategies import Strategies, Strategy, detect


class SameText(Match):
    """EXACT: the same text in whatever case, objects and lists as JSON with sorted keys."""

    equal_text_matches = True

    def similarity(self, expected: Any, actual: Any) -> float:
        return 1.0 if _spelled(expected) == _spelled(actual) else 0.0


class KeyComparer:
    """Compiled once for all cases."""

    def __init__(self, strategies: Strategies, fuzzy: Fuzzy, semantic: Semantic) -> None:
        self.strategies = strategies
        self.semantic = semantic
        self.leaves: Mapping[Strategy, Leaf] = {
            "EXACT": _leaf(SameText(), SameText().similarity),
            "FUZZY": _leaf(fuzzy, lambda expected, actual: fuzzy.similarity(as_text(expected), as_text(actual))),
            "SEMANTIC": _leaf(semantic, semantic.similarity),
            "IGNORE": _leaf(Ignore(), Ignore().similarity),
        }

    def __call__(self, expected: Mapping[str, Any], actual: Mapping[str, Any]) -> list[Compared]:
        chosen = {key: self.strategies.get(key) or detect(value) for key, value in expected.items()}
        leaves = self._foreseen(chosen, expected, actual)
        entries = [compile_key(key, leaves[strategy], 1.0) for key, strategy in chosen.items()]
        trace = Trace()
        walk(compile_record(entries, from_object=True), expected, actual, "", trace)
        found = [Compared(*one, comparison) for one, comparison in zip(chosen.items(), trace.comparisons, strict=True)]
        # A key that was made up counts even where its value is null, so the walk's own surplus would not do.
        return found + [Compared(key, "IGNORE", _made_up(key, actual[key])) for key in actual if key not in expected]

    def _foreseen(
        self, chosen: Strategies, expected: Mapping[str, Any], actual: Mapping[str, Any]
    ) -> Mapping[Strategy, Leaf]:
        """The leaves, with everything the backend has to say of this case asked in one question."""
        meant = [key for key, strategy in chosen.items() if strategy == "SEMANTIC"]
        pairs = [(expected[key], actual.get(key, ABSENT)) for key in meant]
        asked = [(left, right) for left, right in pairs if not (is_empty(left) or is_empty(right))]
        if len(asked) < 2:
            return self.leaves
        return {**self.leaves, "SEMANTIC": self.leaves["SEMANTIC"]._replace(similarity=self.semantic.foresee(asked))}


def _leaf(match: Match, similarity: Callable[[Any, Any], float]) -> Leaf:
    """Here a field scores 0 or 1, whatever its match type does elsewhere."""
    return compile_leaf(match)._replace(similarity=similarity, graded=False)


def _made_up(key: str, value: Any) -> Comparison:
    return Comparison("extra", join("", key), 0.0, 0.0, "unexpected", ABSENT, value)


def _spelled(value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        raise Incomparable("not a finite number")
    if not isinstance(value, dict | list):
        return str(value).lower()
    try:
        return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False).lower()
    except ValueError:
        raise Incomparable("not a finite number") from None
