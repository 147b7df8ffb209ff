"""COCO's annotations and results → a case for each image."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Required

from pydantic import StrictInt, StrictStr, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from agentv_py import jsontext
from agentv_py.errors import InvalidSuite, Problem
from agentv_py.suite.datasets.row import DatasetRow
from agentv_py.suite.locate import problems_of
from agentv_py.suite.schema import CaseRow
from agentv_py.suite.yaml_document import read_text

File = tuple[Path, str]
"""A file, and how to show it."""
_Id = StrictInt | StrictStr


class _Image(TypedDict, total=False):
    id: Required[_Id]
    file_name: Any
    width: Any
    height: Any


class _Category(TypedDict, total=False):
    id: Required[_Id]
    name: str


class _Annotation(TypedDict, total=False):
    image_id: Required[_Id]
    category_id: Required[_Id]
    bbox: Required[Any]
    area: Any
    iscrowd: Any


class _Result(TypedDict):
    image_id: _Id
    category_id: _Id
    bbox: Any
    score: Any


class _Dataset(TypedDict):
    images: list[_Image]
    categories: list[_Category]
    annotations: list[_Annotation]


Objects = dict[str | int, list[dict[str, Any]]]
"""What is in each image, by its id."""


def read_coco(annotations: File, results: File | None = None) -> Iterator[DatasetRow | Problem]:
    """Images in the order of their ids, as COCO goes through them; without results they have no candidates."""
    try:
        dataset: _Dataset = _read(annotations, _Dataset)
        answers: list[_Result] = [] if results is None else _read(results, list[_Result])
    except InvalidSuite as error:
        yield from error.problems
        return
    images = {image["id"]: image for image in dataset["images"]}
    if len(images) < len(dataset["images"]):
        yield Problem("two images have the same id", "images", annotations[1])
    labels = _labels(dataset["categories"])
    expected, found = (Objects(zip(images, ([] for _ in images), strict=True)) for _ in range(2))
    yield from _spread(expected, dataset["annotations"], labels, "annotations", annotations[1])
    yield from _spread(found, answers, labels, "", results[1] if results else "")
    for id_ in sorted(images, key=lambda id_: (isinstance(id_, str), id_)):
        case = _case(images[id_]) | {"expected": expected[id_]}
        yield DatasetRow(1, jsontext.dumps(case if results is None else case | {"candidate": found[id_]}))


def _read(file: File, shape: Any) -> Any:
    """The file's content, in its shape. Raises InvalidSuite."""
    path, shown = file
    try:
        value = jsontext.loads_text(read_text(path, shown))
        return TypeAdapter(shape).validate_python(value)
    except jsontext.NotJson as error:
        raise InvalidSuite(Problem(f"not valid JSON: {error}", "", shown)) from None
    except ValidationError as error:
        raise InvalidSuite(*problems_of(error, CaseRow, value, shown, None)) from None


def _labels(categories: Sequence[_Category]) -> dict[str | int, str | int]:
    """By a category's id its name, where all have one of their own; else the id itself."""
    names = {one["id"]: one.get("name") for one in categories}
    distinct = None not in names.values() and len(set(names.values())) == len(names)
    return {id_: name if distinct and name is not None else id_ for id_, name in names.items()}


def _spread(
    images: Objects, objects: Sequence[Any], labels: Mapping[str | int, str | int], key: str, shown: str
) -> Iterator[Problem]:
    """Each object to its image; yields those that belong to none, or to no category."""
    for index, one in enumerate(objects):
        image, label = images.get(one["image_id"]), labels.get(one["category_id"])
        if image is None:
            yield Problem(f"no image has the id {one['image_id']!r}", f"{key}[{index}].image_id", shown)
        elif label is None:
            yield Problem(f"no category has the id {one['category_id']!r}", f"{key}[{index}].category_id", shown)
        else:
            image.append(_object(one, label))


def _object(one: Mapping[str, Any], label: str | int) -> dict[str, Any]:
    found: dict[str, Any] = {"label": label, "box": one["bbox"]}
    if "score" in one:
        return found | {"confidence": one["score"]}
    if "area" in one:
        found["area"] = one["area"]
    return found | {"iscrowd": 1} if one.get("iscrowd") else found


def _case(image: _Image) -> dict[str, Any]:
    metadata = {key: image[key] for key in ("file_name", "width", "height") if key in image}
    return {"id": str(image["id"]), "input": image.get("file_name"), "metadata": metadata}
