"""The pure functions of the page's scripts, under node: each alone, and those that Python has too beside Python's."""

import json
import math
import subprocess
from pathlib import Path
from typing import Any

import pytest
from requirements import require_program

from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.paths import parse_path
from agentv_py.comparison.readers.box import read_box
from agentv_py.formats.html import SCRIPTS, TABLES

_FOLDER = Path(__file__).parents[2] / "agentv_py" / "formats" / "html" / "page"
_PARTS = (*SCRIPTS[: SCRIPTS.index("boxes") + 1], "search")
_INDEX = {"tables": TABLES, "per_block": 64}


def _call(*calls: tuple[Any, ...]) -> list[Any]:
    node = require_program("node", install="apt-get install nodejs")
    asked = {"files": [str(_FOLDER / f"{name}.js") for name in _PARTS], "index": _INDEX, "calls": calls}
    done = subprocess.run(
        [node, str(Path(__file__).parent / "call.js")],
        input=json.dumps(asked), capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answers: list[Any] = json.loads(done.stdout)
    return answers


_PATHS = [
    "$", "a", "a.b", "a.b.c", "items[0].amount", "items[12]", "[0]", "[0][1].x", "a.0.b", 'a["x.y"]', "a['x.y'].z", 'a["[0]"]',
    'a["it\'s"]', "a[bare]", "a[bare key].b", "a[*].b", "請求書.合計[0]", "a b.c d", 'a["line\nbreak"]', "$.a", "2023", "t.2023",
    "", ".", "a.", ".a", "a..b", "a[", "a]", "a[]", "a[0", "a[0]b", "[0]a", "a.[0]", 'a["x', "a[x]y", "a[[0]]", 'a[""]', "+1", "a.+1",
]  # fmt: skip


def test_a_path_has_the_steps_that_python_gives_it() -> None:
    found = _call(*(("stepsOf", path) for path in _PATHS))
    parsed = [parse_path(path).steps for path in _PATHS]
    # A path that is malformed reaches nothing in Python; the page takes it for one key.
    assert dict(zip(_PATHS, found, strict=True)) == {
        path: [path] if steps is None else [step.key for step in steps]
        for path, steps in zip(_PATHS, parsed, strict=True)
    }


def test_a_row_that_only_the_candidate_has_keeps_its_sign() -> None:
    assert _call(("stepsOf", "items[+1].a"), ("valueAt", "items[+1].a", {"items": [{}, {"a": 5}]})) == [
        ["items", "+1", "a"], 5,
    ]  # fmt: skip


_OBJECTS = [dict(zip(keys, (1, 2, 30, 40), strict=True)) for keys, _ in TABLES["box_keys"]]
_BOXES: list[tuple[Any, str]] = [
    *((box, form) for box in _OBJECTS for form in ("xyxy", "xywh", "polygon")),
    ([1, 2, 30, 40], "xyxy"), ([1, 2, 30, 40], "xywh"), (["1", "2.5", 30, 40], "xyxy"), ([30, 2, 1, 40], "xyxy"), ([30, 2, 1, 40], "xywh"),
    ([1, 2, 30], "xyxy"), ([1, 2, None, 4], "xyxy"), ([1, 2, "x", 4], "xywh"), ("a box", "xyxy"), (None, "xyxy"), ([], "xyxy"), ({}, "xyxy"),
    ([[0, 0], [4, 0], [4, 3]], "polygon"), ([0, 0, 4, 0, 4, 3], "polygon"), ([{"x": 0, "y": 0}, {"x": 4, "y": 0}, {"x": 4, "y": 3}], "polygon"),
    ([[0, 0], [4, 0]], "polygon"), ([[0, 0, 1], [4, 0, 1], [4, 3, 1]], "polygon"), ({"x1": 1, "y1": 2, "x2": 3}, "xyxy"),
    ({"x1": 9, "y1": 2, "x2": 3, "y2": 4}, "xyxy"), ({"x": 1, "y": 2, "w": 3, "h": 4, "width": 5}, "xyxy"),
]  # fmt: skip


def _edges(corners: list[list[float]] | None) -> tuple[float, ...] | None:
    if corners is None:
        return None
    across, down = zip(*corners, strict=True)
    return min(across), min(down), max(across), max(down)


def _read(value: Any, form: Any) -> tuple[float, ...] | None:
    try:
        return read_box(value, form)
    except Incomparable:
        return None


def test_a_box_has_the_edges_that_python_reads() -> None:
    found = _call(*(("cornersOf", value, form) for value, form in _BOXES))
    assert [(box, _edges(corners)) for box, corners in zip(_BOXES, found, strict=True)] == [
        (box, _read(*box)) for box in _BOXES
    ]


def test_the_format_of_a_box_is_what_its_evaluator_says() -> None:
    results = [
        ({"details": {"format": "xywh"}}, "found[3]", "xywh"),
        ({"details": {"formats": {"items[].box": "xywh", "$": "polygon"}}}, "items[12].box", "xywh"),
        ({"details": {"formats": {"items[].box": "xywh"}}}, "items[+1].box", "xywh"),
        ({"details": {"formats": {"$": "polygon"}}}, "$", "polygon"),
        ({"details": {"formats": {"a": "xywh"}}}, "b", None),
        ({"details": {"format": "circle"}}, "a", None),
        ({"details": [1]}, "a", None),
        ({}, "a", None),
    ]
    assert _call(*(("formOf", result, path) for result, path, _ in results)) == [form for _, _, form in results]


@pytest.mark.parametrize(
    ("text", "other", "parts"),
    [
        ("Acme Corp", "Acme Corq", ["Acme Cor", {"mark": ["p"]}, ""]),
        ("10-01", "10-02-01", "10-01"),
        ("abc", "xbc", ["", {"mark": ["a"]}, "bc"]),
        ("aaa", "aa", ["aa", {"mark": ["a"]}, ""]),
        ("same", "same", "same"),
        ("", "x", ""),
    ],
)
def test_what_changed_between_two_texts_is_marked(text: str, other: str, parts: Any) -> None:
    assert _call(("changed", text, other)) == [parts]


def test_numbers_are_written_as_people_read_them() -> None:
    assert _call(
        ("three", 0.12345), ("three", None), ("percent", 0.125), ("counted", 1, "case"), ("counted", 1234, "case"),
        ("counted", 2, "box", "boxes"), ("signed", -0.5), ("signed", 0.0001), ("signed", None),
    ) == ["0.123", "–", "12.5%", "1 case", "1,234 cases", "2 boxes", "−0.500", "0.000", "–"]  # fmt: skip


def test_a_value_that_is_no_number_is_none() -> None:
    values = [1, "1.5", " ", "", "x", None, True, [], {}, math.pi]
    assert _call(*(("numberOf", value) for value in values)) == [1, 1.5, *[None] * 7, math.pi]


def test_json_is_written_on_one_line_or_on_many() -> None:
    value = {"a": [1, "ü", None], "b": {}, "c": []}
    one, many = _call(("jsonText", value), ("jsonText", value, "\n"))
    assert (one, json.loads(many)) == ('{"a": [1, "ü", null], "b": {}, "c": []}', value)
    assert many.startswith('{\n  "a": [\n    1,')


def test_a_search_finds_text_at_any_depth_and_escaped_as_the_page_embeds_it() -> None:
    value = {"a": [{"b": "Müller & Söhne"}], "n": 1234}
    found = _call(("holds", value, "söhne"), ("holds", value, "234"), ("holds", value, "nobody"), ("embedded", "a<b.c"))
    assert found == [True, True, False, r"a\\u003cb\.c"]


def test_of_a_value_that_was_compared_as_a_whole_only_what_differs_is_marked() -> None:
    expected = {"rows": [{"a": "x" * 90, "b": 1}, {"a": "y" * 90, "b": 2}], "other": 1}
    answer = {"rows": [{"b": 1, "a": "x" * 90}, {"a": "y" * 90, "b": 3}, {"a": "z"}], "other": 1}
    mark = {"path": "rows", "outcome": "mismatch", "similarity": 0}
    lines = """((expected, value, mark) => linesOf(expected, [{ value, findings: findingsOf([
        { name: "e", hits: [], misses: [], details: { mismatches: [mark] } }]) }])
        .map((line) => [line.label, Boolean(line.answers[0].mark), line.compared]))"""
    assert _call((lines, expected, answer, mark)) == [
        [
            ["rows", True, True],
            ["0", False, True], ["a", False, True], ["b", False, True],
            ["1", True, True], ["a", False, True], ["b", True, True],
            ["+2", True, True], ["a", True, True],
            ["other", False, False],
        ],
    ]  # fmt: skip


def test_the_table_has_lines_for_values_and_none_for_the_names_of_rules_and_limits() -> None:
    side = {"expected": {"items": [{"x": 1}]}, "candidate": {"items": [], "total": 5, "a.b": 1}}
    paths = ["$", "items[0].x", "items[+1]", "total", "a.b", "latency_ms", '["sum [x]"]', "search.query"]
    found = _call(*(("isInTable", path, side) for path in paths), ("isInTable", "latency_ms", {}))
    assert found == [True, True, True, True, True, False, False, False, True]


def test_a_check_of_the_whole_answer_does_not_hide_what_is_found_inside_it() -> None:
    whole = {"name": "schema", "hits": ["$"], "misses": [], "details": {}}
    field = {
        "name": "field",
        "hits": [],
        "misses": ["a"],
        "details": {"mismatches": [{"path": "a", "outcome": "mismatch"}]},
    }
    read = "((results) => linesOf({a: 1, b: 2}, [{value: {a: 1, b: 3}, findings: findingsOf(results)}]).map((line) => line.label))"
    assert _call((read, [whole, field]), (read, [whole])) == [["a", "b"], [""]]


def test_characters_that_turn_text_round_are_shown() -> None:
    assert _call(("showDirections", "a\u202eb\u2066 \u200f")) == ["a\\u202eb\\u2066 \u200f"]
