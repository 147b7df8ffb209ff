"""A text and a list of phrases → which of them stand in it as whole words."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from unicodedata import category, normalize

from agentv_py.comparison.paths import join

if TYPE_CHECKING:
    import regex

# In these scripts no space shows where a word ends, so each of their letters is a word of its own.
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"

Words = tuple[str, ...]
Phrases = dict[str, list[tuple[Words, str]]]
"""By its first word: every phrase, and how the user spells it."""


def index(phrases: Iterable[str]) -> Phrases:
    found: Phrases = {}
    for phrase in dict.fromkeys(phrases):
        words = words_of(phrase)
        found.setdefault(words[0], []).append((words, phrase))
    return found


def standing_in(text: str, phrases: Phrases) -> list[str]:
    """The phrases that stand in a text, each once, in order of appearance."""
    words = words_of(text)
    found = dict[str, None]()
    for start, word in enumerate(words):
        for phrase, spelled in phrases.get(word, ()):
            if words[start : start + len(phrase)] == phrase:
                found[spelled] = None
    return list(found)


def words_of(text: str) -> Words:
    """The words of a text, whatever their case, their width and the invisible letters in them."""
    plain = normalize("NFKC", normalize("NFKC", text).casefold())
    if not plain.isascii():
        plain = "".join(letter for letter in plain if category(letter) != "Cf")
    return tuple(_word().findall(plain))


@lru_cache(maxsize=1)
def _word() -> "regex.Pattern[str]":
    import regex

    return regex.compile(rf"[\w--[{_UNSPACED}]]+|\S", flags=regex.V1)


def texts_in(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text in a value, with its path."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from texts_in(item, join(path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from texts_in(item, f"{path}[{index}]")
