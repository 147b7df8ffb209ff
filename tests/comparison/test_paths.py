"""lodash's `get`."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentv_py.case import ABSENT
from agentv_py.comparison.paths import attribute_of, build_column_reader, build_reader, join_path, parse_path

_DATA = {"a": {"b": [{"c": 1}, [2, 3]]}, "x.y": 4, "n": None, "": 5, "1": 6, "s": "text", "q'\"": 7, "a.b": 8}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("a.b[0].c", 1), ("a.b.0.c", 1), ("a.b[1][1]", 3), ('["x.y"]', 4), ("['x.y']", 4), ("x.y", 4), ("n", None), ("1", 6),
        ("[1]", 6), ("a[b][0]", {"c": 1}), ("$", _DATA), ("a.b", 8), ('[""]', 5),
        ("a.b[2]", ABSENT), ("a.z.b", ABSENT), ("n.a", ABSENT), ("s.0", ABSENT), ("s[0]", ABSENT), ("a.b[-1]", ABSENT),
        ("a..b", ABSENT), ("a[", ABSENT), ("a]", ABSENT), (".a", ABSENT), ("a.", ABSENT), ("", ABSENT), ("a[]", ABSENT),
        ("a[0", ABSENT), ("a.[0]", ABSENT), ("[0]a", ABSENT),
    ],
)  # fmt: skip
def test_a_path_leads_to_a_value_or_to_nothing(path: str, value: Any) -> None:
    found = parse_path(path).build_getter()(_DATA)
    assert found is value if value is ABSENT else found == value


@pytest.mark.parametrize("path", ["a..b", "a[", "a]", ".a", "a.", "", "a[]", "a.[0]", "[0]a"])
def test_a_malformed_path_is_known_as_one(path: str) -> None:
    assert parse_path(path).steps is None


@pytest.mark.parametrize(
    ("path", "attribute"),
    [
        ("line_items[3].price", "line_items[].price"), ("line_items[+3].price", "line_items[].price"), ("a[0][1]", "a[][]"),
        ("[0].a", "[].a"), ("$", "$"), ('a["x.y"]', 'a["x.y"]'), ("a[*].b", "a[].b"), ('a["k[0]"].b', 'a["k[0]"].b'),
    ],
)  # fmt: skip
def test_an_attribute_is_a_path_without_its_indexes(path: str, attribute: str) -> None:
    assert attribute_of(path) == attribute


@given(st.text(), st.text())
def test_a_joined_key_is_found_again(first: str, second: str) -> None:
    if {'"', "'"} <= set(second) or {'"', "'"} <= set(first):
        return
    path = join_path(join_path("", first), second)
    if path != "$":
        assert parse_path(path).build_getter()({first: {second: 1}}) == 1


@given(st.text(), st.recursive(st.none() | st.text(), lambda v: st.lists(v) | st.dictionaries(st.text(), v)))
def test_no_path_ever_throws(path: str, data: Any) -> None:
    parse_path(path).build_getter()(data)


_keys = st.sampled_from(["a", "b", "0", "a.b"])
_nested = st.recursive(
    st.integers() | st.just("a"), lambda v: st.lists(v, max_size=2) | st.dictionaries(_keys, v), max_leaves=12
)


@given(st.lists(st.sampled_from(["a", "b", "a.b", "a.a", "a.b.a", "a[0]", "b.0.a", '["a.b"]', "$"])), _nested)
def test_many_paths_read_at_once_lead_where_each_of_them_does(texts: list[str], data: Any) -> None:
    paths = [parse_path(text) for text in texts]
    assert build_reader(paths)(data) == tuple(path.build_getter()(data) for path in paths)


_object = st.fixed_dictionaries({"a": st.fixed_dictionaries({"a": _nested, "b": _nested}), "b": _nested})


@given(
    st.lists(st.sampled_from(["a", "b", "a.b", "a.a", "a.b.a", "a[0]", '["a.b"]', "$"]), min_size=1),
    st.lists(_object) | st.lists(_object | _nested),
)
def test_columns_of_many_values_are_what_each_value_has(texts: list[str], values: list[Any]) -> None:
    paths = [parse_path(text) for text in texts]
    columns = list(map(list, build_column_reader(paths)(values)))
    assert columns == ([[path.build_getter()(value) for value in values] for path in paths] if values else columns)


def test_a_path_of_many_steps_is_read_as_any_other() -> None:
    deep: Any = 1
    for _ in range(5_000):
        deep = {"a": deep}
    assert build_reader([parse_path("a." * 4_999 + "a"), parse_path("b.c")])(deep) == (1, ABSENT)
