"""A text and a list of phrases → the phrases that the text holds as whole words."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from unicodedata import category, normalize

from agentv_py.comparison.paths import join_path

if TYPE_CHECKING:
    import regex

# In these scripts no space shows where a word ends, so each of their letters is a word of its own.
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"

Words = tuple[str, ...]
Phrases = dict[str, list[tuple[Words, str]]]
"""By first word: the words of each phrase, and the user's spelling of it."""


def index_phrases(phrases: Iterable[str]) -> Phrases:
    by_first_word: Phrases = {}
    for phrase in dict.fromkeys(phrases):
        words = split_words(phrase)
        by_first_word.setdefault(words[0], []).append((words, phrase))
    return by_first_word


def find_phrases(text: str, phrases: Phrases) -> list[str]:
    """Return the phrases that a text holds, each once, in order of appearance."""
    words = split_words(text)
    spellings = dict[str, None]()
    for start, word in enumerate(words):
        for phrase, spelling in phrases.get(word, ()):
            if words[start : start + len(phrase)] == phrase:
                spellings[spelling] = None
    return list(spellings)


def split_words(text: str) -> Words:
    """Split a text into words, without regard to their case, their width and invisible letters in them."""
    folded = normalize("NFKC", normalize("NFKC", text).casefold())
    if not folded.isascii():
        folded = "".join(letter for letter in folded if category(letter) != "Cf")
    return tuple(_word_pattern().findall(folded))


@lru_cache(maxsize=1)
def _word_pattern() -> "regex.Pattern[str]":
    import regex

    return regex.compile(rf"[\w--[{_UNSPACED}]]+|\S", flags=regex.V1)


def iterate_texts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the path and the text of every text in a value."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from iterate_texts(item, join_path(path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from iterate_texts(item, f"{path}[{index}]")
