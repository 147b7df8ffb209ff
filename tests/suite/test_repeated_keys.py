"""A key that one JSON object repeats: the last one counts, and a warning names its line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl
from hypothesis import given
from hypothesis import strategies as st

from agentv_py import jsontext
from agentv_py.jsontext.repeated_keys import find_repeated_key

Write = Callable[[str, Any], Path]

_SUITE = "dataset: d.{0}\nevaluators: [{{type: field_accuracy, fields: [{{path: a}}]}}]\n"
_GOOD = '{"id": "x", "expected": {"a": 1}, "candidate": {"a": 1}}'
_TWICE = {
    "deep": '{"id": "y", "expected": {"a": [{"b": 1, "b": 2}]}, "candidate": {"a": 1}}',
    "spelled otherwise": '{"id": "y", "expected": {"b": 1, "\\u0062": 2}, "candidate": {"a": 1}}',
    "beside quotes that are numbers": '{"id": "\\u0022\\u0022", "expected": {"b": 1, "b": 2}, "candidate": 1}',
    "beside a long number": '{"id": "y", "expected": {"b": 1, "b": 12345678901234567890123}, "candidate": 1}',
    "beside NaN": '{"id": "y", "expected": {"b": 1, "b": NaN}, "candidate": 1}',
    "no text at all": '{"id": "y", "expected": {"b": {}, "b": {}}, "candidate": 1}',
}


@pytest.mark.parametrize("row", _TWICE.values(), ids=_TWICE)
@pytest.mark.parametrize("suffix", ["jsonl", "json"])
def test_a_repeated_key_in_a_dataset_is_a_warning(write: Write, evalctl: Evalctl, suffix: str, row: str) -> None:
    write("s.yaml", _SUITE.format(suffix))
    rows = [_GOOD.replace('"x"', f'"x{n}"') for n in range(3)] + [row, _GOOD]
    write(f"d.{suffix}", "\n".join(rows) if suffix == "jsonl" else "[" + ",\n".join(rows) + "]")
    done = evalctl("validate", "s.yaml")
    warning = f"warning: d.{suffix}:4: key 'b' is repeated in one object; the last one counts\n"
    assert (done.returncode, done.stderr) == (0, warning)


def test_a_repeated_key_in_a_cell_or_in_predictions_is_a_warning(write: Write, evalctl: Evalctl) -> None:
    write("s.yaml", _SUITE.format("csv") + "predictions: [p.jsonl, q.json]\n")
    write("d.csv", 'id,expected\nx,"{""a"": 1}"\ny,"{""a"": 1, ""b"": {""c"": 1, ""c"": 2}}"\n')
    write("p.jsonl", '{"id": "x", "candidate": {"a": 2, "a": 1}}\n')
    write("q.json", '[\n{"id": "y",\n "candidate": {"a": 2},\n "candidate": {"a": 1}}]')
    done = evalctl("run", "s.yaml", "-o", "r.jsonl")
    warnings = [line for line in done.stderr.splitlines() if line.startswith("warning")]
    assert (done.returncode, warnings) == (
        0,
        [
            "warning: d.csv:3: key 'c' is repeated in one object; the last one counts",
            "warning: p.jsonl:1: key 'a' is repeated in one object; the last one counts",
            "warning: q.json:2: key 'candidate' is repeated in one object; the last one counts",
        ],
    )


_TEXTS = st.text(st.sampled_from('ab":{}[]\\, é'), max_size=4)
_PAIRS = st.recursive(
    st.integers(-(2**70), 2**70) | st.floats() | st.booleans() | st.none() | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.lists(st.tuples(_TEXTS, inner), max_size=3).map(tuple),
)


@given(st.lists(st.tuples(_PAIRS, st.booleans()), max_size=4))
def test_lines_that_are_read_together_are_those_that_are_read_alone_and_hold_no_key_twice(
    given_rows: list[tuple[Any, bool]],
) -> None:
    lines = [_spell(value, ascii_only=ascii_only).encode() + b"\n" for value, ascii_only in given_rows]
    values = jsontext.loads_many(lines)
    if values is not None:
        assert repr(values) == repr([jsontext.loads(line) for line in lines])
        assert [find_repeated_key(line.decode()) for line in lines] == [None] * len(lines)


def _spell(value: Any, *, ascii_only: bool) -> str:
    """As JSON; a tuple of pairs is an object, which may hold a key twice."""
    if isinstance(value, tuple):
        pairs = (f"{_spell(key, ascii_only=ascii_only)}: {_spell(one, ascii_only=ascii_only)}" for key, one in value)
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ",".join(_spell(one, ascii_only=ascii_only) for one in value) + "]"
    text = json.dumps(value, ensure_ascii=ascii_only)
    return text.replace('\\"', "\\u0022") if ascii_only else text


@pytest.mark.parametrize(("start", "end"), [(b'{"a":', b"}"), (b"[", b"]")])
def test_lines_that_are_too_deep_are_not_read_together(start: bytes, end: bytes) -> None:
    deepest, too_deep = (start * levels + b"1" + end * levels for levels in (199, 201))
    assert jsontext.loads_many([b"{}\n", deepest]) is not None
    assert jsontext.loads_many([b"{}\n", too_deep]) is None


@pytest.mark.parametrize("number", [b"1" * 18, b"1" * 19, b"9" * 20, b"1" * 30, b"0." + b"1" * 19, b"1e400"])
@pytest.mark.parametrize("shift", range(4))
def test_lines_with_a_long_number_are_read_together_only_if_nothing_is_lost(number: bytes, shift: int) -> None:
    line = b" " * shift + b'{"a":' + number + b"}\n"
    values = jsontext.loads_many([line])
    assert (values is not None) if len(number) == 18 else (values in (None, [json.loads(line)]))
    if len(number) > 19:
        assert values is None
