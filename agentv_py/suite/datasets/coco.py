"""COCO's annotations and results → a case for each image."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Required

from pydantic import StrictInt, StrictStr, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from agentv_py import jsontext
from agentv_py.errors import InvalidSuite, Problem
from agentv_py.suite.datasets.row import DatasetRow
from agentv_py.suite.locate import list_problems
from agentv_py.suite.schema import CaseRow
from agentv_py.suite.text_file import read_text

File = tuple[Path, str]
"""A file, and its name in messages."""
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


class _CocoDetection(TypedDict):
    image_id: _Id
    category_id: _Id
    bbox: Any
    score: Any


class _Dataset(TypedDict):
    images: list[_Image]
    categories: list[_Category]
    annotations: list[_Annotation]


Objects = dict[str | int, list[dict[str, Any]]]
"""The objects of each image, by the id of the image."""


def read_coco(annotations: File, results: File | None = None) -> Iterator[DatasetRow | Problem]:
    """Yield a case for each image, in the order of the ids as COCO does; without results it has no candidate."""
    try:
        dataset: _Dataset = _read(annotations, _Dataset)
        answers: list[_CocoDetection] = [] if results is None else _read(results, list[_CocoDetection])
    except InvalidSuite as error:
        yield from error.problems
        return
    images = {image["id"]: image for image in dataset["images"]}
    if len(images) < len(dataset["images"]):
        yield Problem("two images have the same id", "images", annotations[1])
    labels = _choose_labels(dataset["categories"])
    expected, detected = (Objects(zip(images, ([] for _ in images), strict=True)) for _ in range(2))
    yield from _assign_objects(expected, dataset["annotations"], labels, "annotations", annotations[1])
    yield from _assign_objects(detected, answers, labels, "", results[1] if results else "")
    for id_ in sorted(images, key=lambda id_: (isinstance(id_, str), id_)):
        case = _build_case(images[id_]) | {"expected": expected[id_]}
        yield DatasetRow(1, jsontext.dumps(case if results is None else case | {"candidate": detected[id_]}))


def _read(file: File, shape: Any) -> Any:
    """Read a file and check that its content has the shape. Raises InvalidSuite."""
    path, display_name = file
    try:
        value = jsontext.loads_text(read_text(path, display_name))
        return TypeAdapter(shape).validate_python(value)
    except jsontext.NotJson as error:
        raise InvalidSuite(Problem(f"not valid JSON: {error}", "", display_name)) from None
    except ValidationError as error:
        raise InvalidSuite(*list_problems(error, CaseRow, value, display_name, None)) from None


def _choose_labels(categories: Sequence[_Category]) -> dict[str | int, str | int]:
    """Return a label for each category: its name if every category has a different name, or else its id."""
    names = {category["id"]: category.get("name") for category in categories}
    distinct = None not in names.values() and len(set(names.values())) == len(names)
    return {id_: name if distinct and name is not None else id_ for id_, name in names.items()}


def _assign_objects(
    images: Objects, objects: Sequence[Any], labels: Mapping[str | int, str | int], key: str, display_name: str
) -> Iterator[Problem]:
    """Add each object to its image; yield a problem for each object whose image or category is unknown."""
    for index, item in enumerate(objects):
        image, label = images.get(item["image_id"]), labels.get(item["category_id"])
        if image is None:
            yield Problem(f"no image has the id {item['image_id']!r}", f"{key}[{index}].image_id", display_name)
        elif label is None:
            yield Problem(
                f"no category has the id {item['category_id']!r}", f"{key}[{index}].category_id", display_name
            )
        else:
            image.append(_build_object(item, label))


def _build_object(item: Mapping[str, Any], label: str | int) -> dict[str, Any]:
    result: dict[str, Any] = {"label": label, "box": item["bbox"]}
    if "score" in item:
        return result | {"confidence": item["score"]}
    if "area" in item:
        result["area"] = item["area"]
    return result | {"iscrowd": 1} if item.get("iscrowd") else result


def _build_case(image: _Image) -> dict[str, Any]:
    metadata = {key: image[key] for key in ("file_name", "width", "height") if key in image}
    return {"id": str(image["id"]), "input": image.get("file_name"), "metadata": metadata}
