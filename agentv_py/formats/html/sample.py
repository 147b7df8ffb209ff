"""Any number of cases → the cases that a page can hold: every one that is needed, and an even sample of the others."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

MOST_CASES = 20_000
LEAST_SAMPLED = 1_000

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sample:
    cases: int
    needed: int
    """The number of cases that the page must hold."""

    @property
    def optional(self) -> int:
        return self.cases - self.needed

    @property
    def size(self) -> int:
        """The number of optional cases that the page holds."""
        if self.cases <= MOST_CASES:
            return self.optional
        return min(self.optional, max(LEAST_SAMPLED, MOST_CASES - self.needed))

    def select(self, cases: Iterable[T], is_needed: Callable[[T], bool]) -> Iterator[T]:
        """Yield the cases that the page holds, in their order; the same ones every time."""
        seen = 0
        for case in cases:
            if is_needed(case):
                yield case
                continue
            if self.optional and seen * self.size // self.optional != (seen + 1) * self.size // self.optional:
                yield case
            seen += 1
