"""A mark beside an amount (`$`, `kr.`, `USD`, `rupees`) → the currencies that it may stand for."""

import unicodedata
from functools import cache

Codes = frozenset[str]

# A cent is a part of an amount's unit: 50¢ is not 50.
_PARTS = "¢"
_LONGEST = 60


def are_currencies(marks: list[str]) -> bool:
    """Whether the marks beside one number are marks of one currency. No mark at all is fine."""
    if len(marks) == 1 and _is_sign(marks[0]):
        return True
    return not marks or bool(find_codes(marks))


def find_codes(marks: list[str]) -> Codes:
    """Return the codes of the currencies that all the marks may stand for: of `$` and `CAD`, CAD."""
    return frozenset.intersection(*(_find_codes_of(mark) for mark in marks))


def _is_sign(mark: str) -> bool:
    return len(mark) == 1 and unicodedata.category(mark) == "Sc" and mark not in _PARTS


def _find_codes_of(mark: str) -> Codes:
    if len(mark) > _LONGEST:
        return frozenset()
    words = mark.split()
    codes = _look_up(" ".join(words))
    if not codes and len(words) == 2:  # `US $`, or two marks of one currency: `USD $`
        return _look_up("".join(words)) or _look_up(words[0]) & _look_up(words[1])
    # A sign that the table does not hold, because it is new, stands for itself.
    return codes or (frozenset({mark}) if _is_sign(mark) else codes)


def _look_up(mark: str) -> Codes:
    signs, words = _index_table()
    return signs.get(mark) or words.get(mark.casefold()) or frozenset()


@cache
def _index_table() -> tuple[dict[str, Codes], dict[str, Codes]]:
    from agentv_py.comparison.readers.currency_table import TABLE  # it is large, and most numbers have no such mark

    indexes: tuple[dict[str, Codes], dict[str, Codes]] = {}, {}
    for line in TABLE.splitlines():
        code, *columns = line.split("\t")
        for index, column in zip(indexes, columns, strict=False):
            for spelling in column.split("|"):
                index[spelling] = index.get(spelling, frozenset()) | {code}
    return indexes
