"""A text with the name of a month or weekday → the parts of its date."""

import re
from typing import NamedTuple

from agentv_py.comparison.readers.date_format import TIME
from agentv_py.comparison.readers.date_names import DateNames

# A number or a word, with the few marks that may separate it from the one before.
_TOKEN = re.compile(r"[ .,/'()-]{0,3}([0-9]+|[^\s0-9.,/'():;+_-]+)")
_REST = re.compile(rf"[.)]?{TIME}", re.IGNORECASE)
_TIME_FIRST = re.compile(r"(?:[01]?[0-9]|2[0-4])[:h][0-5][0-9](?::[0-6][0-9])?(?: ?[ap]\.?m\.?)?,? ")
_WEEKDAY_MARKS = " .,()"


class NamedDate(NamedTuple):
    year: str
    month: int
    """1 to 12; 0 if the name means different months in different languages."""
    day: str


def split_words(text: str) -> list[str]:
    """Return the words and numbers of a folded text."""
    return _TOKEN.findall(text)


def read_named_date(text: str, names: DateNames) -> NamedDate | None:
    """Return the parts of a folded text that is a date with the name of its month, in any order of the parts."""
    words, ends = _read_tokens(text)
    numbers: list[str] = []
    kinds, month, index = "", 0, 0
    while index < len(words) and len(kinds) < 3:
        word = words[index]
        size = 0 if "m" in kinds else _measure_month(words, index, names)
        if size:
            month = names.months[" ".join(words[index : index + size])]
            kinds += "m"
        elif word[0] in "0123456789":
            numbers.append(word)
            kinds += "y" if len(word) == 4 else "d"
        elif word not in names.fillers:
            return None
        index += size or 1
    while index < len(words) and words[index] in names.fillers:
        index += 1
    is_whole = len(kinds) == 3 and "m" in kinds and _REST.fullmatch(text, ends[index - 1])
    return _order_parts(kinds, numbers, month) if is_whole else None


def trim_date(text: str, names: DateNames) -> str | None:
    """Return a folded text without a time before its date and a weekday before or after it; None if it has neither."""
    time = _TIME_FIRST.match(text)
    core = text[time.end() :] if time else text
    words, ends = _read_tokens(core)
    for size in range(min(names.longest_weekday, len(words)), 0, -1):
        if " ".join(words[:size]) in names.weekdays:
            return core[ends[size - 1] :].lstrip(_WEEKDAY_MARKS)
    for mark in "(, ":
        head, found, tail = core.rpartition(mark)
        if found and " ".join(split_words(tail)) in names.weekdays:
            return head.rstrip(" ,")
    return core if time else None


def _order_parts(kinds: str, numbers: list[str], month: int) -> NamedDate | None:
    first, second = numbers
    if kinds in {"ymd", "ydm"}:  # 2025. január 15.; 2025. gada 15. janvāris
        return NamedDate(first, month, second) if len(second) <= 2 else None
    is_date = kinds in {"dmy", "mdy", "dmd", "mdd"} and len(first) <= 2 and len(second) in {2, 4}
    return NamedDate(second, month, first) if is_date else None


def _measure_month(words: list[str], index: int, names: DateNames) -> int:
    """Return the number of words of the month's name at an index, or 0 if no name begins there."""
    for size in range(min(names.longest_month, len(words) - index), 1, -1):
        if " ".join(words[index : index + size]) in names.months:
            return size
    return 1 if words[index] in names.months else 0


def _read_tokens(text: str) -> tuple[list[str], list[int]]:
    """Return the first words and numbers of a text, and where each ends. A text that begins with a mark has none."""
    words: list[str] = []
    ends: list[int] = []
    end = 0
    for token in _TOKEN.finditer(text):
        start, stop = token.span()
        if start != end or (not end and token.start(1)):
            break
        words.append(token[1])
        ends.append(stop)
        end = stop
    return words, ends
