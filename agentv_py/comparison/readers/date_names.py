"""Languages → the names of months and weekdays in them, from a generated table of CLDR's calendars."""

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from agentv_py.errors import did_you_mean

AUTO = "auto"
"""The language of texts that may be in any language."""


class DateNames(NamedTuple):
    months: dict[str, int]
    """A folded name → the month, 1 to 12; 0 if the name means different months in different languages."""
    weekdays: frozenset[str]
    fillers: frozenset[str]
    """Words beside the numbers of a date: ordinals, prepositions, "year"."""
    longest_month: int
    """The most words that the name of a month has."""
    longest_weekday: int


class _Language(NamedTuple):
    english_name: str
    fillers: list[str]
    weekdays: list[str]
    months: list[list[str]]


@lru_cache(maxsize=64)
def load_date_names(languages: tuple[str, ...]) -> DateNames:
    """Return the names in some languages, or in all languages with `auto`. Raises KeyError for an unknown one."""
    table = _load_table()
    rows = [table[language] for language in (table if AUTO in languages else languages)]
    meanings = defaultdict[str, set[int]](set)
    for row in rows:
        for number, names in enumerate(row.months, start=1):
            for name in names:
                meanings[name].add(number)
    months = {name: min(numbers) if len(numbers) == 1 else 0 for name, numbers in meanings.items()}
    weekdays = frozenset(name for row in rows for name in row.weekdays)
    fillers = frozenset(word for row in rows for word in row.fillers)
    return DateNames(months, weekdays, fillers, _count_most_words(months), _count_most_words(weekdays))


def list_languages() -> list[str]:
    """Return the codes of all languages of the table, and `auto`."""
    return [AUTO, *_load_table()]


def check_language(code: str) -> None:
    """Raise ValueError if the table has no such language."""
    known = list_languages()
    if code not in known:
        raise ValueError(f"unknown language {code!r}; the languages are {', '.join(known)}{_suggest_language(code)}")


def _suggest_language(code: str) -> str:
    """Suggest the code of a language that is given with its region (de-AT), or by its English name."""
    from difflib import get_close_matches

    codes = {row.english_name.lower(): language for language, row in _load_table().items()}
    base = re.split("[-_]", code.lower())[0]
    if base in codes.values():
        return f"; did you mean {base!r}?"
    [name] = get_close_matches(base, codes, n=1, cutoff=0.75) or [""]
    return f"; did you mean {codes[name]!r}?" if name else did_you_mean(code, list(codes.values()))


def _count_most_words(names: Iterable[str]) -> int:
    return max(name.count(" ") + 1 for name in names)


@lru_cache(maxsize=1)
def _load_table() -> dict[str, _Language]:
    from agentv_py.comparison.readers.date_table import TABLE

    return {code: _read_language(columns) for code, *columns in (line.split("\t") for line in TABLE.splitlines())}


def _read_language(columns: list[str]) -> _Language:
    fillers, weekdays, *months = (column.split("|") for column in columns[1:])
    return _Language(columns[0], fillers, weekdays, months)
