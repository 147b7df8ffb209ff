"""Two long texts → the passages of them that correspond, in their order: what is short enough to be compared in full.

Both texts are cut where both have a landmark, which is a run of letters that each of them holds only once. What is
still long is cut into as many blocks on either side. Edits of all passages together turn one text into the other, so
they are never fewer than the fewest that do.
"""

from bisect import bisect_left
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[tuple[int], np.dtype[np.int64]]

# Runs of 16 letters: each step doubles their length.
_STEPS = ((1, 0x9E3779B97F4A7C15), (2, 0xC2B2AE3D27D4EB4F), (4, 0x165667B19E3779F9), (8, 0xD6E8FEB86659FD93))
_MIX = 0xFF51AFD7ED558CCD
# Of all runs those count whose number begins with five zero bits: one in 32, and the same ones in both texts.
_SHIFT = 59
_BLOCK = 4_096


class Landmarks(NamedTuple):
    """The numbers of the landmarks of a text in ascending order, and where they are."""

    numbers: "Numbers"
    places: "Numbers"


def find_landmarks(text: str) -> Landmarks:
    import numpy as np

    numbers = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.uint64)
    for step, factor in _STEPS:
        numbers = numbers[:-step] * np.uint64(factor) + numbers[step:]
    numbers = (numbers ^ (numbers >> np.uint64(31))) * np.uint64(_MIX)
    places = np.flatnonzero(numbers >> np.uint64(_SHIFT) == 0)
    distinct, first, times = np.unique(numbers[places], return_index=True, return_counts=True)
    return Landmarks(distinct[times == 1], places[first[times == 1]])


def cut_at_landmarks(left: str, right: str, one: Landmarks, other: Landmarks) -> Iterator[tuple[str, str]]:
    """The passages of two texts, whose landmarks these are; together they are the whole texts."""
    start = top = 0
    for end, bottom in (*_common_places(one, other), (len(left), len(right))):
        yield from cut_into_blocks(left[start:end], right[top:bottom])
        start, top = end, bottom


def _common_places(one: Landmarks, other: Landmarks) -> list[tuple[int, int]]:
    """Where both texts have the same landmarks: the most of them that come in the same order in both."""
    import numpy as np

    _, mine, theirs = np.intersect1d(one.numbers, other.numbers, assume_unique=True, return_indices=True)
    pairs = _in_runs(one.places[mine], other.places[theirs])
    ends: list[int] = []
    lasts: list[int] = []
    before: list[int] = []
    for index, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        before.append(lasts[length - 1] if length else -1)
        if length == len(ends):
            ends.append(place)
            lasts.append(index)
        else:
            ends[length], lasts[length] = place, index
    found, index = [], lasts[-1] if lasts else -1
    while index >= 0:
        found.append(pairs[index])
        index = before[index]
    return found[::-1]


def _in_runs(mine: "Numbers", theirs: "Numbers") -> list[tuple[int, int]]:
    """The pairs of places beside which the next landmark is as far away in both texts: others are mere chance."""
    import numpy as np

    order = np.argsort(mine)
    mine, theirs = mine[order], theirs[order]
    same = np.diff(theirs - mine) == 0
    inside = np.zeros(len(mine), dtype=bool)
    inside[1:] |= same
    inside[:-1] |= same
    return list(zip(mine[inside].tolist(), theirs[inside].tolist(), strict=True))


def cut_into_blocks(left: str, right: str) -> Iterator[tuple[str, str]]:
    """Passages at the same shares of two texts."""
    count = 1 if left == right else max(1, -(-max(len(left), len(right)) // _BLOCK))
    for number in range(count):
        yield _part(left, number, count), _part(right, number, count)


def _part(text: str, number: int, count: int) -> str:
    return text[len(text) * number // count : len(text) * (number + 1) // count]
