"""Subjects → their median times, taken in turns."""

import time
from collections.abc import Callable
from statistics import median

ROUNDS = 7


def interleaved(*subjects: Callable[[], object], rounds: int = ROUNDS) -> list[float]:
    """The median time of each; in turns, so that a slow moment of the machine strikes all of them."""
    times: list[list[float]] = [[] for _ in subjects]
    for _ in range(rounds):
        for subject, taken in zip(subjects, times, strict=True):
            started = time.perf_counter()
            subject()
            taken.append(time.perf_counter() - started)
    return [median(taken) for taken in times]


def show(what: str, ratio: float, goal: str) -> None:
    print(f"{ratio:9.2f}  {what} (goal: {goal})")
