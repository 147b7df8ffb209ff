"""A name in any spelling → the letters and words that tell it from other names."""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from agentv_py.comparison.readers.legal_forms import load_legal_forms, strip_legal_forms
from agentv_py.comparison.readers.letters import fold_letters

# The two letters that replace a German or Nordic letter with a mark (DIN 5007-2, ICAO 9303): Müller is Muller if marks
# are dropped, and Mueller if they are spelled out.
_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
# These are compiled when the first name is read, not at the start.
_DROPPED = r"(?<=\w)[.'’](?=\w|\s|$)"
_INITIALS = r"\b(?:\w )+\w\b"
_MARKS = r"[\W_]+"
_GENERATIONS = {"jr": "jr", "junior": "jr", "sr": "sr", "senior": "sr", "ii": "ii", "iii": "iii", "iv": "iv"}
# The words of longer names are not those of a person.
_MOST_WORDS = 8


class NameSpelling(NamedTuple):
    letters: str
    """All letters and digits without spaces and legal forms."""
    numbering: str
    """What tells a father from his son, or a shop from the next: all digits, and jr, sr, ii at the end."""
    person: tuple[str, ...]
    """The words of the name if a person can have it, without the generation."""


@lru_cache(maxsize=65_536)
def read_name(name: str) -> tuple[NameSpelling, ...]:
    """Return the name without marks and, if that is another spelling, the name with its umlauts spelled out."""
    folded = unicodedata.normalize("NFC", name).casefold()
    plain = _read_spelling(folded)
    if folded.isascii():
        return (plain,)
    spelled_out = folded.translate(_SPELLED_OUT)
    return (plain,) if spelled_out == folded else (plain, _read_spelling(spelled_out))


def fold_words(name: str) -> list[str]:
    """Return the folded words of a name; initials in a row are one word."""
    return _join_initials(_split(name))


def _join_initials(words: list[str]) -> list[str]:
    if all(len(word) > 1 for word in words):
        return words
    return re.sub(_INITIALS, lambda match: match[0].replace(" ", ""), " ".join(words)).split()


def _split(name: str) -> list[str]:
    text = re.sub(_DROPPED, "", fold_letters(name).replace("&", " and "))
    if text.isascii():
        return re.sub(_MARKS, " ", text).split()
    return "".join(char if unicodedata.category(char)[0] in "LMN" else " " for char in text).split()


def _read_spelling(folded: str) -> NameSpelling:
    separate = _split(folded)
    if not separate:  # a name of punctuation only keeps its punctuation
        return NameSpelling("".join(folded.split()), "", ())
    words = _join_initials(separate)
    rest = strip_legal_forms(words)
    letters = "".join(rest)
    digits = "".join(filter(str.isdigit, letters)) if not letters.isalpha() else ""
    generation = _GENERATIONS.get(rest[-1], "") if len(rest) > 1 else ""
    can_be_person = not digits and len(rest) == len(words) <= _MOST_WORDS
    person = separate if can_be_person and load_legal_forms().words.isdisjoint(separate) else []
    return NameSpelling(letters, digits + generation, tuple(person[:-1] if generation else person))
