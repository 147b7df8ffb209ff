"""The texts of a field → the spellings of one value, of dates and of numbers, and the texts that cannot be read."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from agentv_py.comparison.readers.date import build_date_reader
from agentv_py.comparison.readers.letters import fold_letters
from agentv_py.inference.values import are_digits, find_decimal_mark, find_language, is_number
from agentv_py.suite.gold.field import Count, Field

_SAMPLE = 500
_LEAST_TEXTS = 5
"""From so many texts on, a few that are no dates among dates are a finding."""
# A mark between two digits makes another number; any other mark is spelling.
_MARKS = re.compile(r"(?<![0-9])[\W_]+|[\W_]+(?![0-9])")
_LETTER = re.compile(r"[^\W\d_]")


class Spelling(NamedTuple):
    example: str
    seen: Count


def list_spellings(field: Field) -> Iterator[list[Spelling]]:
    """Yield each value that is written in several ways, which differ in case, accents, spaces and marks only."""
    groups: dict[str, list[str]] = {}
    for text in field.texts:
        if _LETTER.search(text):
            groups.setdefault(_MARKS.sub("", fold_letters(text)), []).append(text)
    for key, texts in groups.items():
        if key and len(texts) > 1:
            yield _sort([Spelling(text, field.texts[text]) for text in texts])


class FieldTexts(NamedTuple):
    """What the texts of a field are, as most of them show."""

    noun: str
    """`date` or `number`; empty if they are neither."""
    shapes: list[Spelling]
    """The ways in which they are written, the most common first."""
    unreadable: list[Spelling]


def classify_texts(texts: Mapping[str, Count]) -> FieldTexts:
    sample = list(islice(texts, _SAMPLE))
    if len(texts) < _LEAST_TEXTS or are_digits(sample):
        return FieldTexts("", [], [])
    language, mark = find_language(sample), find_decimal_mark(sample)
    if language is not None:
        readers = [build_date_reader((), day_first=first, languages=(language,)) for first in (False, True)]
        unreadable = [text for text in texts if all(read(text) is None for read in readers)]
        return _describe("date", texts, unreadable)
    if mark is not None:
        return _describe("number", texts, [text for text in texts if not is_number(text, mark)])
    return FieldTexts("", [], [])


def _describe(noun: str, texts: Mapping[str, Count], unreadable: list[str]) -> FieldTexts:
    shapes: dict[str, Spelling] = {}
    left_out = set(unreadable)
    for text, count in texts.items():  # in the order of the cases
        shape = "" if text in left_out else _FIND_SHAPE[noun](text)
        if shape:
            known = shapes.setdefault(shape, Spelling(text, Count(count.first)))
            known.seen.number += count.number
    return FieldTexts(noun, _sort(list(shapes.values())), _sort([Spelling(text, texts[text]) for text in unreadable]))


def _find_date_shape(text: str) -> str:
    """Return how a date is written: a year is four digits, a day or a month one or two, and all words are alike."""
    words = re.sub(r"[^\W\d_]+\.?", "a", text.strip())
    return re.sub(r"\d{1,3}", "d", re.sub(r"\d{4,}", "y", words))


def _find_decimal_mark(text: str) -> str:
    """Return the decimal mark of a number with cents; empty if it has none, so that it fits both marks."""
    written = re.search(r"([.,])\d{1,2}\D*$", text)
    return written[1] if written else ""


_FIND_SHAPE = {"date": _find_date_shape, "number": _find_decimal_mark}


def _sort(spellings: list[Spelling]) -> list[Spelling]:
    return sorted(spellings, key=lambda spelling: (-spelling.seen.number, spelling.seen.first))
