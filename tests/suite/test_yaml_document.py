"""YAML, hostile and otherwise."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentv_py.errors import InvalidSuite
from agentv_py.suite.yaml_document import read_yaml
from agentv_py.suite.yaml_node import Node
from agentv_py.suite.yaml_scalar import parse_plain_scalar

Write = Callable[[str, Any], Path]


def _problem(write: Write, content: Any) -> str:
    with pytest.raises(InvalidSuite) as caught:
        read_yaml(write("s.yaml", content), "s.yaml")
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("NO", "NO"), ("yes", "yes"), ("on", "on"), ("12:30:45", "12:30:45"), ("2025-01-15", "2025-01-15"), ("1e-3", 0.001),
        ("1_000", "1_000"), ("true", True), ("True", True), ("FALSE", False), ("null", None), ("~", None), ("", None),
        ("tRUE", "tRUE"), ("010", 10), ("0o10", 8), ("0x1F", 31), ("+5", 5), ("-.5", -0.5), ("5.", 5.0), (".", "."),
        ("-", "-"), ("1.2.3", "1.2.3"), ("=", "="), ("<<", "<<"),
    ],
)  # fmt: skip
def test_scalars_are_those_of_yaml_1_2(text: str, value: Any) -> None:
    parsed = parse_plain_scalar(text)
    assert (type(parsed), parsed) == (type(value), value)


def test_numbers_that_are_none_are_read() -> None:
    assert math.isnan(parse_plain_scalar(".nan"))
    assert [parse_plain_scalar(text) for text in (".inf", "-.INF", "1e400")] == [math.inf, -math.inf, math.inf]


def test_a_quoted_scalar_is_text(write: Write) -> None:
    document = read_yaml(write("s.yaml", "a: '1'\nb: !!str 2\nc: \"true\"\nd: !!float 3\n1: x\ntrue: y"), "s.yaml")
    assert document.value == {"a": "1", "b": "2", "c": "true", "d": 3.0, "1": "x", "true": "y"}


def test_merge_keys_and_aliases_are_followed(write: Write) -> None:
    text = "base: &b {x: 1, y: 2}\none: {<<: *b, y: 3}\ntwo: {<<: [*b, {z: 4}]}\nthree: *b"
    assert read_yaml(write("s.yaml", text), "s.yaml").value == {
        "base": {"x": 1, "y": 2}, "one": {"x": 1, "y": 3}, "two": {"x": 1, "y": 2, "z": 4}, "three": {"x": 1, "y": 2},
    }  # fmt: skip


def test_a_node_knows_its_place(write: Write) -> None:
    document = read_yaml(write("s.yaml", "a:\n  - b: 1\n    c: 2\n"), "s.yaml")
    assert isinstance(document.below, dict)
    items = document.below["a"].below
    assert isinstance(items, list)
    [item] = items
    assert (item.line, item.column, item.keys["c"].line, item.keys["c"].column) == (2, 5, 3, 5)


def test_a_node_s_value_follows_from_the_nodes_below_it(write: Write) -> None:
    document = read_yaml(write("s.yaml", "tests:\n  - {vars: 1}\n  - &x {vars: [2, {}]}\n  - *x\n"), "s.yaml")
    assert isinstance(document.below, dict)
    document.below["cases"] = document.below.pop("tests")
    document.below["name"] = Node(1, 1, scalar="renamed")
    assert document.value == {"cases": [{"vars": 1}, {"vars": [2, {}]}, {"vars": [2, {}]}], "name": "renamed"}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "s.yaml: the file is empty"),
        ("# nothing\n", "s.yaml: the file is empty"),
        ("a:\n\t- b", "s.yaml:2:1: not valid YAML: found character that cannot start any token (a tab; indent with spaces)"),
        ("a: {b: 1", "not valid YAML"),
        (b"a: caf\xe9\n", "s.yaml:1:7: byte 0xe9 is not valid UTF-8; save the file as UTF-8"),
        ("a: 1\nb:\n  c: 1\n  c: 2\n", "s.yaml:4:3: key 'c' is repeated; it is first at line 3"),
        ("a: !!python/object/apply:os.system [ls]", "s.yaml:1:4: tag 'tag:yaml.org,2002:python/object/apply:os.system'"),
        ("a: !env HOME", "s.yaml:1:4: tag '!env' is not allowed"),
        ("a: &a [*a]", "s.yaml:1:8: alias *a is inside the value that it names"),
        ("a: *b", "s.yaml:1:4: alias *b has no anchor"),
        ("a: 1\n---\nb: 2", "s.yaml:2:1: a second YAML document; keep one per file"),
        ("[" * 10_000 + "]" * 10_000, "s.yaml:1:202: nested deeper than 200 levels"),
        ("\n".join(" " * depth + "a:" for depth in range(2_000)), "nested deeper than 200 levels"),
        ("? [a]\n: 1", "s.yaml:1:3: a key must be plain text"),
        ("a: \x07", "s.yaml:1:4: character '\\x07' is not allowed in YAML"),
        ("a: " + "9" * 5_000, "s.yaml:1:4: exceeds the limit (4300 digits)"),
    ],
)  # fmt: skip
def test_hostile_yaml_gets_a_clear_error(write: Write, content: Any, problem: str) -> None:
    assert problem in _problem(write, content)


def test_an_alias_bomb_is_defused(write: Write) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    assert "aliases expand to more than 5,000,000 values" in _problem(write, "\n".join(lines))


def test_a_byte_order_mark_is_fine(write: Write) -> None:
    assert read_yaml(write("s.yaml", b"\xef\xbb\xbfa: 1"), "s.yaml").value == {"a": 1}
