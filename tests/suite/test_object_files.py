"""Folders of JSON files, one object each → a case and an answer per file, joined on the file's name."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pipeline import plan_of, rows_of

from agentv_py.errors import InvalidSuite

Write = Callable[[str, Any], Path]

_SUITE = "evaluators: [{type: field_accuracy, fields: [{path: a}]}]\n"


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold").mkdir()
    (tmp_path / "out").mkdir()


def _outline(text: str) -> list[tuple[Any, ...]]:
    Path("s.yaml").write_text(_SUITE + text)
    rows = rows_of(Path("s.yaml"))
    return [(row["case_id"], row.get("target"), row["expected"], row.get("candidate"), row["score"]) for row in rows]


def _problems(text: str) -> list[str]:
    Path("s.yaml").write_text(_SUITE + text)
    with pytest.raises(InvalidSuite) as caught:
        plan_of(Path("s.yaml"))
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize(
    "spelling", ["dataset: gold/*.json\npredictions: out/*.json\n", "dataset: gold\npredictions: out/\n"]
)
def test_two_folders_are_joined_on_the_names_of_their_files(spelling: str, write: Write) -> None:
    write("gold/one.json", '{"a": 1}')
    write("gold/two.json", '{"a": 2, "id": "inside"}')
    write("out/two.json", '{"a": 2}')
    write("out/one.json", '{"a": 5}')
    assert _outline(spelling) == [
        ("one", None, {"a": 1}, {"a": 5}, 0.0),
        ("two", None, {"a": 2, "id": "inside"}, {"a": 2}, 1.0),
    ]


def test_an_object_with_the_keys_of_a_row_is_a_row(write: Write) -> None:
    write("gold/one.json", '{"expected": {"a": 1}, "input": "one.pdf", "tags": ["t"]}')
    write("gold/two.json", '{"id": "second", "expected": {"a": 2}}')
    write("out/one.json", '{"candidate": {"a": 1}, "cost": 0.1}')
    write("out/two.json", '{"id": "second", "candidate": {"a": 2}}')
    assert _outline("dataset: gold\ntarget: {type: recorded, predictions: out}\n") == [
        ("one", "recorded", {"a": 1}, {"a": 1}, 1.0),
        ("second", "recorded", {"a": 2}, {"a": 2}, 1.0),
    ]


def test_an_object_that_may_be_either_is_an_error_with_a_way_out(write: Write) -> None:
    write("gold/one.json", '{"expected": {"a": 1}, "total": 5}')
    write("gold/two.json", '{"cases": [{"id": "x", "expected": {"a": 1}}]}')
    write("gold/three.json", '{"a": 1')
    write("out/one.json", '{"candidate": 1, "total": 5}')
    assert _problems("dataset: gold\npredictions: out\n") == [
        "gold/one.json:1: has 'expected' like a row and 'total' like a ground truth, so it is not clear which it is;"
        " a row has only the keys candidate, candidates, evaluators, expected, id, input, metadata, tags, trace;"
        " a ground truth goes under 'expected'",
        "gold/three.json:1:8: not valid JSON: Expecting ',' delimiter; a file holds one list of rows, or one object",
        "gold/two.json:1: holds a list of rows under 'cases'; a file of rows is the list alone",
        "out/one.json:1: has 'candidate' like a row and 'total' like an answer, so it is not clear which it is;"
        " a row has only the keys candidate, candidates, confidence, cost, id, latency_ms, repeats, tokens, trace;"
        " an answer goes under 'candidate'",
    ]


def test_a_folder_without_json_files_is_an_error() -> None:
    assert _problems("dataset: gold\n") == ["s.yaml:2:10: dataset: 'gold' is a folder without .json files"]
