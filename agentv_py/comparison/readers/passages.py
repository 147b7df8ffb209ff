"""Two long texts → pairs of passages that correspond, each short enough to be compared in full.

Both texts are cut at their common landmarks. A landmark is a run of letters that each text contains only once. A
passage that is still long is cut into the same number of blocks on both sides. The edits of all passages together turn
one text into the other, so there are never fewer of them than necessary.
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
# Only runs whose number begins with five zero bits are landmarks: one in 32, and the same ones in both texts.
_SHIFT = 59
_BLOCK = 4_096


class Landmarks(NamedTuple):
    """The numbers of a text's landmarks in ascending order, and their positions."""

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


def cut_at_landmarks(left: str, right: str, left_marks: Landmarks, right_marks: Landmarks) -> Iterator[tuple[str, str]]:
    """Yield the passages of two texts with these landmarks. Joined, they are the whole texts."""
    start = top = 0
    for end, bottom in (*_find_common_places(left_marks, right_marks), (len(left), len(right))):
        yield from cut_into_blocks(left[start:end], right[top:bottom])
        start, top = end, bottom


def _find_common_places(left: Landmarks, right: Landmarks) -> list[tuple[int, int]]:
    """Return the positions of common landmarks in both texts: the largest set that has the same order in both."""
    import numpy as np

    _, lefts, rights = np.intersect1d(left.numbers, right.numbers, assume_unique=True, return_indices=True)
    pairs = _keep_runs(left.places[lefts], right.places[rights])
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
    places, index = [], lasts[-1] if lasts else -1
    while index >= 0:
        places.append(pairs[index])
        index = before[index]
    return places[::-1]


def _keep_runs(lefts: "Numbers", rights: "Numbers") -> list[tuple[int, int]]:
    """Return the pairs whose next landmark has the same distance in both texts. The other pairs are coincidences."""
    import numpy as np

    order = np.argsort(lefts)
    lefts, rights = lefts[order], rights[order]
    same = np.diff(rights - lefts) == 0
    inside = np.zeros(len(lefts), dtype=bool)
    inside[1:] |= same
    inside[:-1] |= same
    return list(zip(lefts[inside].tolist(), rights[inside].tolist(), strict=True))


def cut_into_blocks(left: str, right: str) -> Iterator[tuple[str, str]]:
    """Yield passages at the same relative positions of two texts."""
    count = 1 if left == right else max(1, -(-max(len(left), len(right)) // _BLOCK))
    for number in range(count):
        yield _cut_block(left, number, count), _cut_block(right, number, count)


def _cut_block(text: str, number: int, count: int) -> str:
    return text[len(text) * number // count : len(text) * (number + 1) // count]
