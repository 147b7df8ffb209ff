"""COCO's own files: each image is a case, and problems are shown before anything runs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl
from pipeline import plan_of, rows_of

from agentv_py.errors import InvalidSuite

Write = Callable[[str, Any], Path]

_DATASET: dict[str, Any] = {
    "images": [{"id": 9, "file_name": "b.jpg", "width": 4, "height": 3, "license": 1}, {"id": 2}],
    "categories": [{"id": 1, "name": "cat"}, {"id": 7, "name": "dog"}],
    "annotations": [
        {"id": 1, "image_id": 9, "category_id": 7, "bbox": [0, 0, 5, 5], "area": 20, "iscrowd": 0, "segmentation": []},
        {"id": 2, "image_id": 9, "category_id": 1, "bbox": [0, 0, 9, 9], "iscrowd": 1},
    ],
}
_RESULTS: list[Any] = [{"image_id": 9, "category_id": 7, "bbox": [0, 0, 5, 5], "score": 0.5}]


def _suite(write: Write, dataset: Any, results: Any = None, more: str = "") -> Path:
    write("gt.json", dataset)
    files = "annotations: gt.json"
    if results is not None:
        write("dt.json", results)
        files += ", results: dt.json"
    return write("suite.yaml", f"evaluators: [{{type: detection}}]\ndataset: {{coco: {{{files}}}}}\n{more}")


def test_an_image_is_a_case(write: Write) -> None:
    rows = rows_of(_suite(write, _DATASET, _RESULTS))
    keys = ("case_id", "expected", "candidate", "metadata", "score")
    assert [{key: row[key] for key in keys if key in row} for row in rows] == [
        {"case_id": "2", "expected": [], "candidate": [], "score": 1.0},
        {
            "case_id": "9",
            "expected": [{"label": "dog", "box": [0, 0, 5, 5], "area": 20}, {"label": "cat", "box": [0, 0, 9, 9], "iscrowd": 1}],
            "candidate": [{"label": "dog", "box": [0, 0, 5, 5], "confidence": 0.5}],
            "metadata": {"file_name": "b.jpg", "width": 4, "height": 3},
            "score": 1.0,
        },
    ]  # fmt: skip


def test_without_results_the_answers_come_from_predictions(write: Write) -> None:
    write("answers.jsonl", '{"id": "2", "candidate": []}\n')
    rows = rows_of(_suite(write, _DATASET, more="predictions: answers.jsonl\n"))
    assert [(row["case_id"], row["status"]) for row in rows] == [("2", "ok"), ("9", "error")]


def test_categories_without_names_of_their_own_go_by_their_ids(write: Write) -> None:
    categories = [{"id": 1, "name": "cat"}, {"id": 7, "name": "cat"}]
    rows = rows_of(_suite(write, _DATASET | {"categories": categories}, _RESULTS))
    assert [item["label"] for item in rows[1]["expected"]] == [7, 1]


@pytest.mark.parametrize(
    ("dataset", "results", "error"),
    [
        ("{", [], "gt.json: not valid JSON"),
        ('{"images": [\n  {"id": 1},\n  x]}', [], "gt.json: not valid JSON: Expecting value at line 3 column 3"),
        (b"\xff{}", [], "gt.json:1:1: byte 0xff is not valid UTF-8"),
        ("", [], "gt.json: not valid JSON"),
        ([], [], "gt.json: must be a mapping, not []"),
        ({"images": [], "annotations": []}, [], "gt.json: categories: is required"),
        (_DATASET | {"images": [{"id": 2}, {"id": 2}, {"id": 9}]}, [], "gt.json: images: two images have the same id"),
        (_DATASET | {"images": [{"id": 1.5}]}, [], "gt.json: images[0].id: "),
        (_DATASET | {"images": []}, [], "gt.json: annotations[1].image_id: no image has the id 9"),
        (_DATASET | {"categories": []}, [], "gt.json: annotations[0].category_id: no category has the id 7"),
        (_DATASET, {}, "dt.json: must be a list, not {}"),
        (_DATASET, [{"image_id": 9}], "dt.json: [0].category_id: is required"),
        (_DATASET, [_RESULTS[0] | {"image_id": 5}], "dt.json: [0].image_id: no image has the id 5"),
        (_DATASET, [_RESULTS[0] | {"category_id": "7"}], "dt.json: [0].category_id: no category has the id '7'"),
    ],
)
def test_a_file_that_is_not_coco_s_says_where(write: Write, dataset: Any, results: Any, error: str) -> None:
    with pytest.raises(InvalidSuite) as caught:
        plan_of(_suite(write, dataset, results))
    assert error in str(caught.value)


@pytest.mark.parametrize(
    ("dataset", "error"),
    [
        ("{coco: {annotation: gt.json}}", "dataset.coco.annotation: unknown key 'annotation'; did you mean 'annotations'?"),
        ("{coco: {annotations: gone.json}}", "suite.yaml:2:31: dataset.coco.annotations: 'gone.json' does not exist"),
        ("{coco: {annotations: '*.json'}}", "dataset.coco: a glob names several files; name one"),
        ("{coco: gt.json}", "dataset.coco: must be a mapping, not 'gt.json'"),
        ("{voc: x}", "dataset.coco: is required"),
        ("5", "dataset: must be a path, a glob or a list of them, not 5"),
    ],
)  # fmt: skip
def test_a_dataset_that_cannot_be_meant_says_so(write: Write, dataset: str, error: str) -> None:
    write("gt.json", _DATASET)
    write("more.json", _DATASET)
    with pytest.raises(InvalidSuite) as caught:
        plan_of(write("suite.yaml", f"evaluators: [{{type: detection}}]\ndataset: {dataset}\n"))
    assert error in str(caught.value)


def test_the_results_are_no_place_for_the_rows(evalctl: Evalctl, write: Write) -> None:
    _suite(write, _DATASET, _RESULTS)
    done = evalctl("run", "suite.yaml", "-o", "dt.json")
    assert (done.returncode, done.stderr) == (2, "error: dt.json: is an input of this run; name another file with -o\n")
