"""Cases, however many → those a page can hold: every one that matters, and an even sample of the others."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

MOST = 20_000
LEAST_SAMPLED = 1_000

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Excerpt:
    cases: int
    needed: int
    """How many of them are kept whatever their number."""

    @property
    def spare(self) -> int:
        return self.cases - self.needed

    @property
    def sampled(self) -> int:
        """How many of the others are kept."""
        return self.spare if self.cases <= MOST else min(self.spare, max(LEAST_SAMPLED, MOST - self.needed))

    def of(self, cases: Iterable[T], is_needed: Callable[[T], bool]) -> Iterator[T]:
        """Those kept, in their order; the same ones every time."""
        seen = 0
        for case in cases:
            if is_needed(case):
                yield case
                continue
            if self.spare and seen * self.sampled // self.spare != (seen + 1) * self.sampled // self.spare:
                yield case
            seen += 1
