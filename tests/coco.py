"""Random images in COCO's own form, and what pycocotools makes of them."""

import random
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

Files = tuple[dict[str, Any], list[dict[str, Any]]]
"""Annotations and results."""

_SIDES = (8, 25, 60, 150, 300)


def images(count: int, labels: int, objects: int, found: int, seed: int) -> Files:
    """Crowds, areas below the boxes', ties of confidence, images without objects or detections."""
    chance = random.Random(seed)
    dataset: dict[str, Any] = {
        "images": [
            {"id": number, "file_name": f"{number}.jpg", "width": 640, "height": 480} for number in range(1, count + 1)
        ],
        "categories": [{"id": 10 * number, "name": f"label {number}"} for number in range(1, labels + 1)],
        "annotations": [],
    }
    results: list[dict[str, Any]] = []
    for image in dataset["images"]:
        there = [_object(chance, image["id"], labels) for _ in range(chance.randint(0, objects))]
        dataset["annotations"] += there
        results += [_detection(chance, image["id"], labels, there) for _ in range(chance.randint(0, found))]
    for number, one in enumerate(dataset["annotations"], 1):
        one["id"] = number
    return dataset, results


def stats(dataset: dict[str, Any], results: list[dict[str, Any]]) -> list[float | None]:
    """The twelve figures; pycocotools says -1 where there is none."""
    with redirect_stdout(StringIO()):
        truth = COCO()
        truth.dataset = dataset
        truth.createIndex()
        evaluation = COCOeval(truth, truth.loadRes(results), "bbox")
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    return [None if figure == -1 else float(figure) for figure in evaluation.stats]


def _object(chance: random.Random, image: int, labels: int) -> dict[str, Any]:
    width, height = (chance.choice(_SIDES) * chance.uniform(0.5, 1.5) for _ in range(2))
    return {
        "image_id": image,
        "category_id": 10 * chance.randint(1, labels),
        "bbox": [round(side, 2) for side in (chance.uniform(0, 600), chance.uniform(0, 400), width, height)],
        "area": round(width * height * chance.uniform(0.4, 1), 2),
        "iscrowd": int(chance.random() < 0.1),
    }


def _detection(chance: random.Random, image: int, labels: int, there: list[dict[str, Any]]) -> dict[str, Any]:
    label, box = 10 * chance.randint(1, labels), [chance.uniform(5, 300) for _ in range(4)]
    if there and chance.random() < 0.6:
        one = chance.choice(there)
        label = one["category_id"] if chance.random() < 0.9 else label
        box = [max(1.0, side + chance.gauss(0, 0.08) * one["bbox"][2]) for side in one["bbox"]]
    score = round(chance.random(), 1 if chance.random() < 0.5 else 4)
    return {"image_id": image, "category_id": label, "bbox": [round(side, 2) for side in box], "score": score}
