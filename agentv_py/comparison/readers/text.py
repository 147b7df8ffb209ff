"""A text → the same text in one spelling: characters composed, runs of white space as one space."""

from collections.abc import Sequence
from typing import Any
from unicodedata import is_normalized, normalize


def compose_text(text: str) -> str:
    """Return the text with composed characters (NFC): canonically equivalent texts become equal."""
    return text if text.isascii() else normalize("NFC", text)


def is_same_text(text: str, other: str) -> bool:
    """Whether two texts are equal or canonically equivalent: an accent may be part of its letter or follow it."""
    return text == other or (not (text.isascii() and other.isascii()) and compose_text(text) == compose_text(other))


def compose_texts(values: Sequence[Any]) -> Sequence[Any]:
    """Return the values with every text composed; the same sequence if nothing changes."""
    if all(map(str.isascii, [value for value in values if type(value) is str])):
        return values
    return [compose_text(value) if type(value) is str else value for value in values]


def compose_values(value: Any) -> Any:
    """Return the value with every text in it composed, at every depth. Keys are names, and stay as they are."""
    if isinstance(value, dict):
        return {key: compose_values(below) for key, below in value.items()}
    if isinstance(value, list):
        return [compose_values(below) for below in value]
    return compose_text(value) if type(value) is str else value


def is_composed(text: str) -> bool:
    return text.isascii() or is_normalized("NFC", text)


def join_lines(text: str) -> str:
    """Return the text without white space at its ends, and with one space for each run of white space."""
    # Every other white space than the space is not printable, and most texts are plain.
    return text.strip() if "  " not in text and text.isprintable() else " ".join(text.split())


def fold_case(text: str) -> str:
    """Return the text so that upper and lower case are equal, also for letters with accents."""
    return text.casefold() if text.isascii() else normalize("NFC", normalize("NFD", text).casefold())
