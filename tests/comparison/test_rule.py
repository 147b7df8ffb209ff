"""Whatever a user writes as a rule and whatever a case holds, a rule ends soon, and in one of the known ways."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agentv_py.case import Case
from agentv_py.comparison.readers.tool_calls import read_tool_calls
from agentv_py.comparison.rule import FUNCTIONS, NAMES, DoesNotApply, DoesNotHold, check_rule, get_values, holds
from agentv_py.errors import EvaluationError

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats() | st.text("a1$-.", max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "items"]), inner, max_size=3)
    ),
    max_leaves=6,
)
_WORDS = [
    *NAMES, *FUNCTIONS, "a", "items", "1", "0", "-1", "2.5", "10**9", "'a'", "'%9999999d'", "none", "true", "[", "]", "(", ")",
    "{", "}", ".", ",", ":", "+", "-", "*", "/", "//", "%", "**", "==", "<", ">=", "in", "and", "or", "not", "is", "if", "else",
    "defined", "number", "~", "|", "length", "{{", "%}", "__class__", "=", "!",
]  # fmt: skip
_EXPRESSIONS = st.lists(st.sampled_from(_WORDS), max_size=12).map(" ".join) | st.recursive(
    st.sampled_from(["candidate.a", "expected.a", "candidate.items[0]", "metadata.b", "1", "2.5", "'a'", "9", "[1, 'a']", "none"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "//", "%", "**", "==", "<", "in", "and"]), inner).map(
            lambda parts: f"({' '.join(parts)})"
        ),
        st.tuples(st.sampled_from([*FUNCTIONS]), inner).map(lambda parts: f"{parts[0]}({parts[1]})"),
        st.tuples(inner, inner).map(lambda parts: f"close({parts[0]}, {parts[1]}, 1)"),
        inner.map(lambda part: f"not {part}"),
    ),
    max_leaves=8,
)  # fmt: skip


@given(expression=_EXPRESSIONS, expected=_JSON, candidate=_JSON, metadata=st.dictionaries(st.just("b"), _JSON))
def test_a_rule_is_refused_or_ends_in_a_known_way(
    expression: str, expected: Any, candidate: Any, metadata: Any
) -> None:
    try:
        check_rule(expression)
    except ValueError as refused:
        assert str(refused)
        return
    try:
        assert holds(expression, get_values(Case("case", expected, candidate, metadata=metadata))) in (True, False)
    except (DoesNotApply, DoesNotHold, EvaluationError) as why:
        assert str(why)
    except ValueError as why:  # the answer is text without JSON
        assert isinstance(candidate, str), why


@given(text=st.text(max_size=40))
def test_any_text_is_an_expression_or_is_refused(text: str) -> None:
    try:
        assert check_rule(text) == text
    except ValueError as refused:
        assert str(refused)


_KEYS = st.sampled_from(
    ["tool", "name", "args", "input", "function", "arguments", "role", "content", "tool_calls", "type"]
)
_TRACES = st.recursive(
    st.none() | st.integers() | st.sampled_from(["search", "tool_use", "function_call", '{"q": 1}', "{"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=4),
    max_leaves=10,
)  # fmt: skip


@given(trace=_TRACES)
def test_any_value_is_a_trace_with_named_calls_or_is_none(trace: Any) -> None:
    calls = read_tool_calls(trace)
    assert calls is None or all(isinstance(call.tool, str) and call.tool for call in calls)
