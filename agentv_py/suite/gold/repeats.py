"""Many cases → cases that repeat others: duplicates, contradictions, and cases that are nearly the same.

Nothing is compared pair by pair: each case has a few hashes, and cases that share one of them belong together.
"""

from array import array
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

from agentv_py import jsontext
from agentv_py.suite.gold.field import MASK, Leaf
from agentv_py.suite.gold.similar_texts import TextSketches

_LEAST_LEAVES = 3
"""Cases without an input repeat each other if they have so many equal values: a label alone says nothing."""
_LEAST_NEAR_LEAVES = 5
_MOST_NEAR_LEAVES = 200
_SIGN = 2**63

Pair = tuple[int, int]
"""The numbers of two cases, the earlier one first."""


class Repeats(NamedTuple):
    duplicates: list[Pair]
    """Each case with the first case that has the same input and the same expected value."""
    contradictions: list[Pair]
    """The same input and another expected value."""
    near: list[Pair]
    """All values are equal but one, or the texts are nearly the same."""


class RepeatFinder:
    def __init__(self) -> None:
        self._expected = array("Q")
        self._inputs = array("Q")
        self._keys, self._owners = array("q"), array("q")
        self._sizes = array("q")
        self._texts = TextSketches()

    def observe(self, given: Any, expected: int, leaves: Sequence[Leaf]) -> None:
        """Take note of a case: its input, the hash of its expected value, and the values in it."""
        number = len(self._expected)
        self._expected.append(expected)
        self._inputs.append(0 if given is None else hash(jsontext.dumps(given)) & MASK)
        self._sizes.append(len(leaves))
        if _LEAST_NEAR_LEAVES <= len(leaves) <= _MOST_NEAR_LEAVES:
            total = sum(hashed for _, _, hashed in leaves)
            # Two cases that differ in one value have the same hash without this value, under the same field.
            self._keys.extend([(hash((field.path, total - hashed)) & MASK) - _SIGN for field, _, hashed in leaves])
            self._owners.extend([number] * len(leaves))
        self._texts.observe(number, given, leaves)

    def find(self) -> Repeats:
        duplicates, contradictions, others = list[Pair](), list[Pair](), list[Pair]()
        first_of: dict[Pair, int] = {}
        first_input: dict[int, int] = {}
        first_expected: dict[int, int] = {}
        for number, (given, expected) in enumerate(zip(self._inputs, self._expected, strict=True)):
            first = first_of.setdefault((given, expected), number)
            if first != number:
                if given or self._sizes[number] >= _LEAST_LEAVES:
                    duplicates.append((first, number))
                continue
            if given and (known := first_input.setdefault(given, number)) != number:
                contradictions.append((known, number))
            elif self._sizes[number] >= _LEAST_NEAR_LEAVES:
                known = first_expected.setdefault(expected, number)
                others += [(known, number)] if known != number else []
        taken = {later for _, later in (*duplicates, *contradictions, *others)}
        near = {*others, *self._find_near(taken), *self._texts.find_pairs(taken)}
        return Repeats(duplicates, contradictions, sorted(near, key=lambda pair: pair[::-1]))

    def _find_near(self, taken: AbstractSet[int]) -> Iterator[Pair]:
        """Yield pairs whose expected values differ in one value: each case with the one before it, without `taken`."""
        if not self._keys:
            return
        import numpy as np

        keys, owners = np.frombuffer(self._keys, dtype=np.int64), np.frombuffer(self._owners, dtype=np.int64)
        is_open = np.ones(len(self._expected), dtype=bool)
        is_open[list(taken)] = False
        keys, owners = keys[is_open[owners]], owners[is_open[owners]]
        order = np.lexsort((owners, keys))
        keys, owners = keys[order], owners[order]
        same = np.flatnonzero((keys[1:] == keys[:-1]) & (owners[1:] != owners[:-1]))
        pairs = np.unique(np.stack((owners[same], owners[same + 1]), axis=1), axis=0)
        yield from ((int(left), int(right)) for left, right in pairs)
