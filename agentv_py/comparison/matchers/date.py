"""Two dates in any spelling → a similarity that falls with the days between them."""

import math
from collections.abc import Callable, Sequence
from datetime import date
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, Field

from agentv_py.comparison.matchers.base import Incomparable, Match
from agentv_py.comparison.readers.date import DateFormat, build_date_reader, compile_format, read_date

if TYPE_CHECKING:
    from agentv_py.comparison.matchers.base import Matrix


def _check_formats(formats: list[str] | None) -> list[str] | None:
    for spelling in formats or ():
        compile_format(spelling)
    return formats


class Date(Match):
    """The same calendar day, however it is written."""

    match: Literal["date"] = "date"
    formats: Annotated[list[str] | None, AfterValidator(_check_formats)] = Field(
        None,
        min_length=1,
        description="The only spellings accepted, such as DD/MM/YYYY or %d/%m/%Y, tried in order.",
    )
    day_first: bool = Field(False, description="true: 01/02/2025 is 1 February.")

    def similarity(self, expected: Any, actual: Any) -> float:
        right = self._read_day(actual)
        if right is not None and expected == actual:
            return 1.0
        left = self._read_expected_day(expected)
        if left is None or right is None:
            raise Incomparable("not a date")
        return 1.0 / (1 + abs((left - right).days))

    def matrix(self, expecteds: Sequence[Any], actuals: Sequence[Any]) -> "Matrix":
        import numpy as np

        rows = np.array([_to_number(self._read_expected_day(value)) for value in expecteds])
        columns = np.array([_to_number(self._read_day(value)) for value in actuals])
        days: Matrix = np.abs(rows[:, None] - columns[None, :])
        return 1.0 / (1.0 + days)

    def _read_expected_day(self, value: Any) -> date | None:
        day = self._read_day(value)
        return read_date(value, _build_iso_format()) if day is None and self.formats else day

    # A closure with a cache of its texts: dates repeat in many cases and in every pair of rows.
    @cached_property
    def _read_day(self) -> Callable[[Any], date | None]:
        formats = tuple(compile_format(spelling) for spelling in self.formats or ())
        return build_date_reader(formats, day_first=self.day_first)


@lru_cache(maxsize=1)
def _build_iso_format() -> tuple[DateFormat, ...]:
    return (compile_format("YYYY-MM-DD"),)


def _to_number(day: date | None) -> float:
    return math.nan if day is None else float(day.toordinal())
