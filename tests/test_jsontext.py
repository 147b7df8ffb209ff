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
    ("text", "value", "place"),
    [
        ('{"a": 1}', {"a": 1}, "whole"),
        ("  [1] ", [1], "whole"),
        ("42", 42, "whole"),
        ('"\ud800"', "\ud800", "whole"),
        ('Sure:\n```json\n{"a": 1}\n```', {"a": 1}, "fenced"),
        ("```\nnot json\n```\n```\n[2]\n```", [2], "fenced"),
        ('```\n{"a": 1}\n```\n```\n{"a": 2}\n``` and {"a": 3}', {"a": 2}, "fenced"),
        ('```json\n{"a": 1}', {"a": 1}, "fenced"),
        ('```\nno\n```\n{"a": 1}\n```x', {"a": 1}, "found"),
        ('`{"a": 1}`', {"a": 1}, "found"),
        ('see [1] and {"a": 1}', {"a": 1}, "found"),
        ('{"a": 1}, see [1] or [4, 7]', {"a": 1}, "found"),
        ('see [ref] and {"a": {"b": [1, {"c": 2}]}} or {"a": 2}', {"a": 2}, "found"),
        ('rows: [{"a": 1}, {"a": 2}], see [1, 2]', [{"a": 1}, {"a": 2}], "found"),
        ("the box is [10, 20, 30, 40]", [10, 20, 30, 40], "found"),
        ("none: []", [], "found"),
        ("{not} [really] {} ", {}, "found"),
        ('{"x": oops {"a": 1}}', {"a": 1}, "found"),
        ('[ {"a": "<b>", "b": 1}', {"a": "<b>", "b": 1}, "found"),
        ('a 12" pipe: {"size": 12}', {"size": 12}, "found"),
        ('{ "note: {"a": 1}', {"a": 1}, "found"),
        ('{"a": [1, 2}, {"a": 1} [{]', {"a": 1}, "found"),
        ('it is {"a": "\\"}"}.', {"a": '"}'}, "found"),
        ("{" * 5_000 + '{"a": 1}', {"a": 1}, "found"),
    ],
)  # fmt: skip
def test_json_is_found_in_a_text(text: str, value: Any, place: str) -> None:
    assert jsontext.find(text) == (value, place)


@pytest.mark.parametrize(
    ("text", "value", "place"),
    [
        ('<think>{"a": 9}</think> {"a": 1}', {"a": 1}, "whole"),
        ('<THINKING>{"a": 9}</Thinking>\n42', 42, "whole"),
        ('so {"a": 9} and\n</think>\n{"a": 1}', {"a": 1}, "whole"),
        ('<think>a<think>b</think>{"a": 9}</think>{"a": 1}', {"a": 1}, "whole"),
        ('<reasoning>{"a": 9}</reasoning>Here: {"a": 1}.', {"a": 1}, "found"),
        ('{"a": 1} <think>{"a": 9}</think>', {"a": 1}, "whole"),
        ('It is {"a": 1}. <think>or {"a": 9}', {"a": 1}, "found"),
        ('{"a": "<think>"}', {"a": "<think>"}, "whole"),
        ('<think>x</think>{"a": "</think>"}', {"a": "</think>"}, "whole"),
        ('Here: {"a": "<think>"}.', {"a": "<think>"}, "found"),
        ('```json\n{"a": "<think>"}\n```', {"a": "<think>"}, "fenced"),
        ('it is {"note: </think> {"a": 1}', {"a": 1}, "whole"),
    ],
)  # fmt: skip
def test_thinking_is_left_out(text: str, value: Any, place: str) -> None:
    assert jsontext.find(text) == (value, place)


@pytest.mark.parametrize(
    "text",
    ["", " ", "no", "{", "[1", "[" * 100_000, '{"a": }', "nul", "see [1]", 'by ["Smith"]', "in [2, 5, 11]",
     '<think>{"a": 9}', '{"a": 9}</think> I do not know', "<think>hm</think>"],
)  # fmt: skip
def test_where_there_is_none_it_is_said(text: str) -> None:
    with pytest.raises(jsontext.NotJson):
        jsontext.find(text)


_PROSE = st.text(alphabet=st.characters(exclude_characters='{}[]<>`"', codec="utf-8"))
_OBJECTS = st.dictionaries(st.text(), _VALUES)


@given(_PROSE, _OBJECTS, _PROSE, st.sampled_from(["", '<think>{"a": [</think>', '[1] {"', "{"]))
def test_an_object_between_words_is_found(before: str, value: dict[str, Any], after: str, start: str) -> None:
    text = f"x {start} {before}\n{json.dumps(value)} {after} x"
    assert jsontext.find(text) == (value, "found")
