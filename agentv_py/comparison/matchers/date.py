"""Two dates in any spelling → a similarity that falls with the days between them."""

import math
from collections.abc import Callable, Sequence
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.matchers.base import Match

if TYPE_CHECKING:
    from agentv_py.comparison.gap import Gap
    from agentv_py.comparison.matchers.base import Matrix
    from agentv_py.comparison.readers.date_format import DateFormat


def _check_formats(formats: list[str] | None) -> list[str] | None:
    if formats:
        _compile_formats(formats)
    return formats


def _wrap_in_list(language: Any) -> Any:
    return [language] if isinstance(language, str) else language


def _check_languages(languages: list[str]) -> list[str]:
    from agentv_py.comparison.readers.date_names import check_language

    for language in languages:
        check_language(language)
    return languages


def _list_languages(schema: dict[str, Any]) -> None:
    """Let an editor complete the codes of the languages."""
    from agentv_py.comparison.readers.date_names import list_languages

    codes = {"enum": list_languages(), "type": "string"}
    schema["anyOf"] = [codes, {"items": codes, "minItems": 1, "type": "array"}]


Languages = Annotated[
    list[str],
    BeforeValidator(_wrap_in_list, json_schema_input_type=str | list[str]),
    AfterValidator(_check_languages),
    Field(min_length=1, json_schema_extra=_list_languages),
]


class Date(Match):
    """The same calendar day, however it is written."""

    match: Literal["date"] = "date"
    formats: Annotated[list[str] | None, AfterValidator(_check_formats)] = Field(
        None,
        min_length=1,
        description="The only spellings accepted, such as DD/MM/YYYY or %d/%m/%Y, tried in order.",
    )
    day_first: bool = Field(False, description="true: 01/02/2025 is 1 February.")
    language: Languages = Field(
        ["en"],
        description="The languages of month names, such as [de, fr]; auto: any, if only one reading is possible.",
    )

    scalars = frozenset({"text"})

    def similarity(self, expected: Any, actual: Any) -> float:
        right = self._read_day(actual)
        if right is not None and expected == actual:
            return 1.0
        left = self._read_expected_day(expected)
        if left is None or right is None:
            raise Incomparable(self._explain_unread(expected if left is None else actual))
        return 1.0 / (1 + abs((left - right).days))

    def matrix(self, expecteds: Sequence[Any], actuals: Sequence[Any]) -> "Matrix":
        import numpy as np

        rows = np.array([_to_number(self._read_expected_day(value)) for value in expecteds])
        columns = np.array([_to_number(self._read_day(value)) for value in actuals])
        days: Matrix = np.abs(rows[:, None] - columns[None, :])
        return 1.0 / (1.0 + days)

    def describe_rule(self) -> str:
        order = "day" if self.day_first else "month"
        how = f"written as {' or '.join(self.formats)}" if self.formats else f"{order} first in 01/02/2025"
        languages = "" if self.language == ["en"] else f", months in {', '.join(self.language)}"
        return f"the same day ({how}{languages})"

    def explain_gap(self, expected: Any, actual: Any, similarity: float) -> "Gap | None":  # noqa: ARG002  the days say more
        from agentv_py.comparison.gap import describe_days

        left, right = self._read_expected_day(expected), self._read_day(actual)
        return None if left is None or right is None else describe_days(left, right)

    def explain_unreadable(self, value: Any) -> str:
        return "" if self._read_expected_day(value) is not None else "not a date"

    def _read_expected_day(self, value: Any) -> date | None:
        day = self._read_day(value)
        return _read_iso_day(value) if day is None and self.formats else day

    def _explain_unread(self, value: Any) -> str:
        from agentv_py.comparison.readers.date import is_ambiguous_date

        return "ambiguous date" if is_ambiguous_date(value, tuple(self.language)) else "not a date"

    # A closure with a cache of its texts: dates repeat in many cases and in every pair of rows.
    @cached_property
    def _read_day(self) -> Callable[[Any], date | None]:
        from agentv_py.comparison.readers.date import build_date_reader

        return build_date_reader(
            _compile_formats(self.formats or ()), day_first=self.day_first, languages=tuple(self.language)
        )


def _read_iso_day(value: Any) -> date | None:
    from agentv_py.comparison.readers.date import read_date

    return read_date(value, _compile_formats(["YYYY-MM-DD"]))


def _compile_formats(formats: Sequence[str]) -> "tuple[DateFormat, ...]":
    from agentv_py.comparison.readers.date_format import compile_format

    return tuple(compile_format(spelling) for spelling in formats)


def _to_number(day: date | None) -> float:
    return math.nan if day is None else float(day.toordinal())
