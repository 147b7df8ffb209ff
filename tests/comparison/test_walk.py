"""The fast path of the walk says what the leaf says: one definition, held by a law with random data."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentv_py.comparison import matchers
from agentv_py.comparison.comparison import Measure
from agentv_py.comparison.compile import compile_leaf, compile_paths
from agentv_py.comparison.leaf import compare_leaf
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.paths import parse_path
from agentv_py.comparison.scoring import FullScore, score_from_trace
from agentv_py.comparison.trace import Trace
from agentv_py.comparison.walk import walk

_MODELS: list[Any] = [model for model in matchers.FAMILY.models() if not model.is_ignored]  # type: ignore[attr-defined]
_OPTIONS: dict[str, dict[str, Any]] = {
    "Within": {"tolerance": 0.1},
    "NumericTolerance": {"tolerance": 0.5},
    "OneOf": {"values": ["a", "\u00e9", 1]},
    "Regex": {"pattern": "[a\u00e9]+"},
    "Distance": {"threshold": 1.0},
}

_texts = st.sampled_from(["", " ", "\t", "a", "A", "ab", "\u00e9", "e\u0301", "\u212a", "K", "1", "12.0", "$ 3"])
_numbers = st.sampled_from([0, 1, -1, 2**80, 0.0, -0.0, 1.0, 1.5, float("nan"), float("inf"), -float("inf")])
_values = _texts | _numbers | st.sampled_from([None, True, False, [], ["a"], {}, {"x": 1}])


@pytest.mark.parametrize("model", _MODELS, ids=lambda model: model.__name__)
def test_a_field_of_a_record_is_compared_as_its_leaf(model: type[Match]) -> None:
    match = model(**_OPTIONS.get(model.__name__, {}))
    record, leaf = compile_paths([(parse_path("v"), match)]), compile_leaf(match)
    full = FullScore.build(record, score_from_trace)

    @given(_values, _values, st.booleans())
    def check(expected: Any, actual: Any, same: bool) -> None:
        actual = expected if same else actual
        trace = Trace()
        measure = walk(record, {"v": expected}, {"v": actual}, "", trace)
        full_match = record.full_matches("")[0]
        comparison = compare_leaf(leaf, expected, actual, full_match)
        assert repr(trace.comparisons) == repr([comparison])  # NaN, which equals nothing, is among the values
        assert measure is not None
        assert measure == Measure(comparison.score, comparison.similarity, comparison.outcome != "blank")
        if full.is_certain({"v": expected}, {"v": actual}):
            assert comparison is full_match

    check()
