"""How fast are boxes, a pair, a million pairs and 5,000 images, against hand-written code and pycocotools? In one run.

pip install '.[bench]' && python benchmarks/geometry.py
"""

import random
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from statistics import median
from typing import Any

import numpy as np
from figure import Effort, Figure, run_benchmark
from pycocotools import mask
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval
from timing import divide, read_work, time_in_turns

from agentv_py.case import Case
from agentv_py.comparison.matchers.iou import Iou
from agentv_py.evaluators.detection import Detection
from agentv_py.report.detection import Detections

LABELS = 80
IMAGES = 5_000
Objects = dict[int, list[dict[str, Any]]]


def measure(effort: Effort) -> Iterator[Figure]:
    yield from compare_one_pair(effort)
    yield from compare_a_million_pairs(effort)
    yield from compare_images(effort)


def by_hand(box: list[float], other: list[float]) -> float:
    """The obvious way to write it, without checks of the values."""
    across = max(0.0, min(box[2], other[2]) - max(box[0], other[0]))
    down = max(0.0, min(box[3], other[3]) - max(box[1], other[1]))
    common = across * down
    union = (box[2] - box[0]) * (box[3] - box[1]) + (other[2] - other[0]) * (other[3] - other[1]) - common
    return common / union if union else 0.0


def without_calls(box: list[float], other: list[float]) -> float:
    """The fewest steps that Python needs for it."""
    left, top, right, bottom = box
    start, upper, end, lower = other
    across = (right if right < end else end) - (left if left > start else start)  # noqa: FURB136  calls are what it saves
    down = (bottom if bottom < lower else lower) - (top if top > upper else upper)  # noqa: FURB136  as above
    common = across * down if across > 0.0 and down > 0.0 else 0.0
    return common / ((right - left) * (bottom - top) + (end - start) * (lower - upper) - common)


def boxes(chance: random.Random, count: int) -> list[list[float]]:
    """Edges of boxes, spread about as widely as objects in a photo."""
    starts = [(chance.uniform(0, 500), chance.uniform(0, 500)) for _ in range(count)]
    return [[x, y, x + chance.uniform(1, 100), y + chance.uniform(1, 100)] for x, y in starts]


def compare_one_pair(effort: Effort) -> Iterator[Figure]:
    chance = random.Random(0)
    pairs = list(zip(boxes(chance, 10_000), boxes(chance, 10_000), strict=True))
    similarity = Iou().similarity
    mine, hand, least = time_in_turns(
        lambda: [similarity(a, b) for a, b in pairs],
        lambda: [by_hand(a, b) for a, b in pairs],
        lambda: [without_calls(a, b) for a, b in pairs],
        rounds=effort.rounds(21),
        clock=read_work,
    )
    question = "the IoU of one pair against the arithmetic written by hand, which checks nothing"
    note = f"{median(mine) * 1e2:.2f} µs against {median(hand) * 1e2:.2f} and {median(least) * 1e2:.2f} µs"
    yield Figure("pair", question, divide(mine, hand), "at most", 2, note)
    question = "the same against the arithmetic without a call of min or max"
    yield Figure("pair_least", question, divide(mine, least), "at most", 3)


def plain_numpy(boxes: list[list[float]], others: list[list[float]]) -> Any:
    left, right = np.array(boxes), np.array(others)
    across = np.minimum(left[:, None, 2], right[None, :, 2]) - np.maximum(left[:, None, 0], right[None, :, 0])
    down = np.minimum(left[:, None, 3], right[None, :, 3]) - np.maximum(left[:, None, 1], right[None, :, 1])
    common = np.clip(across, 0, None) * np.clip(down, 0, None)
    areas = [(side[:, 2] - side[:, 0]) * (side[:, 3] - side[:, 1]) for side in (left, right)]
    return common / (areas[0][:, None] + areas[1][None, :] - common)


def compare_a_million_pairs(effort: Effort) -> Iterator[Figure]:
    chance = random.Random(0)
    left, right = boxes(chance, 1_000), boxes(chance, 1_000)
    sized = [[[x, y, right - x, bottom - y] for x, y, right, bottom in side] for side in (left, right)]
    crowd = [0] * len(right)
    match = Iou()
    mine, numpy, theirs = time_in_turns(
        lambda: match.matrix(left, right),
        lambda: plain_numpy(left, right),
        lambda: mask.iou(sized[0], sized[1], crowd),
        rounds=effort.rounds(21),
        clock=read_work,
    )
    yield Figure("matrix", "1,000 × 1,000 pairs of boxes against plain numpy", divide(mine, numpy), "at most", 1.5)
    yield Figure("matrix_coco", "the same against pycocotools", divide(mine, theirs), "at most", 1)


def images() -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """About as many objects as COCO's validation images have, and thirty detections in each."""
    chance = random.Random(0)
    objects: list[dict[str, Any]] = []
    detections: list[dict[str, Any]] = []
    for image in range(1, IMAGES + 1):
        here = [_object(chance, image) for _ in range(chance.randint(0, 14))]
        objects += here
        detections += [_detection(chance, image, here) for _ in range(chance.randint(0, 60))]
    for number, annotation in enumerate(objects, 1):
        annotation["id"] = number
    categories = [{"id": label, "name": str(label)} for label in range(LABELS)]
    return {
        "images": [{"id": n} for n in range(1, IMAGES + 1)],
        "categories": categories,
        "annotations": objects,
    }, detections


def _object(chance: random.Random, image: int) -> dict[str, Any]:
    width, height = (chance.choice((10, 40, 90, 200)) * chance.uniform(0.5, 1.5) for _ in range(2))
    box = [chance.uniform(0, 500), chance.uniform(0, 400), width, height]
    area, crowd = width * height * chance.uniform(0.5, 1.0), int(chance.random() < 0.01)
    return {"image_id": image, "category_id": chance.randrange(LABELS), "bbox": box, "area": area, "iscrowd": crowd}


def _detection(chance: random.Random, image: int, here: list[dict[str, Any]]) -> dict[str, Any]:
    label, box = chance.randrange(LABELS), [chance.uniform(0, 300) for _ in range(4)]
    if here and chance.random() < 0.5:
        annotation = chance.choice(here)
        label, box = (
            annotation["category_id"],
            [max(1.0, side + chance.gauss(0, 0.05) * annotation["bbox"][2]) for side in annotation["bbox"]],
        )
    return {"image_id": image, "category_id": label, "bbox": box, "score": chance.random()}


def cases(dataset: dict[str, Any], results: list[dict[str, Any]]) -> list[Case]:
    expected: Objects = {image["id"]: [] for image in dataset["images"]}
    candidate: Objects = {image["id"]: [] for image in dataset["images"]}
    for annotation in dataset["annotations"]:
        known = {"area": annotation["area"], "iscrowd": annotation["iscrowd"]}
        expected[annotation["image_id"]].append(
            {"label": str(annotation["category_id"]), "box": annotation["bbox"], **known}
        )
    for detection in results:
        known = {"label": str(detection["category_id"]), "box": detection["bbox"], "confidence": detection["score"]}
        candidate[detection["image_id"]].append(known)
    return [Case(str(image), expected[image], candidate[image]) for image in expected]


def compare_images(effort: Effort) -> Iterator[Figure]:
    dataset, results = images()
    ready = cases(dataset, results)
    figures: dict[str, Any] = {}

    def ours() -> None:
        evaluator, detections = Detection.model_validate({"type": "detection"}), Detections()
        for case in ready:
            detections.add((evaluator.evaluate(case).details or {})["coco"])
        figures["ours"] = list(detections.figures().values())

    def theirs() -> None:
        with redirect_stdout(StringIO()):
            truth = COCO()
            truth.dataset = dataset
            truth.createIndex()
            evaluation = COCOeval(truth, truth.loadRes(results), "bbox")
            evaluation.evaluate()
            evaluation.accumulate()
            evaluation.summarize()
        figures["theirs"] = evaluation.stats

    rounds = 1 if effort.quick else 3
    mine, their_time = time_in_turns(ours, theirs, rounds=rounds, clock=read_work)
    question = f"COCO's twelve figures of {IMAGES:,} images: pycocotools' time against ours"
    note = f"{len(results):,} detections; {median(mine):.1f} s against {median(their_time):.1f} s"
    yield Figure("images", question, divide(their_time, mine), "at least", 1, note)
    differences = max(abs(figures["ours"] - figures["theirs"]))
    question = "how far the twelve figures differ from pycocotools', against 1e-9"
    yield Figure("images_agree", question, [float(differences) / 1e-9], "at most", 1)


if __name__ == "__main__":
    run_benchmark(measure)
