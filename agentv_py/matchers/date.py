"""Two dates in whatever spelling → how many days lie between them."""

from functools import cached_property, lru_cache
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from agentv_py.match import Incomparable, Match
from agentv_py.readers.date import DateFormat, compile_format, read_date


def _readable(formats: list[str] | None) -> list[str] | None:
    for spelling in formats or ():
        compile_format(spelling)
    return formats


class Date(Match):
    match: Literal["date"] = "date"
    formats: Annotated[list[str] | None, AfterValidator(_readable)] = Field(
        None,
        min_length=1,
        description="The only spellings accepted, such as DD/MM/YYYY or %d/%m/%Y, tried in order.",
    )
    day_first: bool = Field(False, description="true: 01/02/2025 is 1 February.")

    def similarity(self, expected: Any, actual: Any) -> float:
        right = read_date(actual, self._formats, day_first=self.day_first)
        if right is not None and expected == actual:
            return 1.0
        left = read_date(expected, self._formats, day_first=self.day_first)
        if left is None and self._formats:
            left = read_date(expected, _iso_only(), day_first=False)
        if left is None or right is None:
            raise Incomparable("not a date")
        return 1.0 / (1 + abs((left - right).days))

    @cached_property
    def _formats(self) -> tuple[DateFormat, ...]:
        return tuple(compile_format(spelling) for spelling in self.formats or ())


@lru_cache(maxsize=1)
def _iso_only() -> tuple[DateFormat, ...]:
    return (compile_format("YYYY-MM-DD"),)
