"""JSON in and out, with nothing lost."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentv_py import jsontext

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(_VALUES)
def test_what_is_written_is_read_back(value: Any) -> None:
    assert jsontext.loads(jsontext.dumps(value)) == value
    assert json.loads(jsontext.dumps(value)) == value


@given(_VALUES)
def test_what_python_writes_is_read_alike(value: Any) -> None:
    found = jsontext.loads(json.dumps(value).encode())
    assert (found, repr(found)) == (value, repr(value))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        ("  [1] ", [1]),
        ("42", 42),
        ('Sure:\n```json\n{"a": 1}\n```', {"a": 1}),
        ("```\nnot json\n```\n```\n[2]\n```", [2]),
        ('see [1] and {"a": 1}', [1]),
        ('see [ref] and {"a": {"b": [1, {"c": 2}]}} or {"a": 2}', {"a": {"b": [1, {"c": 2}]}}),
        ("{not} [really] {} ", {}),
        ("{" * 5_000 + '{"a": 1}', {"a": 1}),
        ('"\ud800"', "\ud800"),
    ],
)  # fmt: skip
def test_json_is_found_in_a_text(text: str, value: Any) -> None:
    assert jsontext.find(text) == value


@pytest.mark.parametrize("text", ["", " ", "no", "{", "[1", "[" * 100_000, '{"a": }', "nul"])
def test_where_there_is_none_it_is_said(text: str) -> None:
    with pytest.raises(jsontext.NotJson):
        jsontext.find(text)
