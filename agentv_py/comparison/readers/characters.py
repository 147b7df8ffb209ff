"""Digits, dashes, spaces and marks of any script → the plain characters that readers know."""

import unicodedata

_FULL_WIDTH = range(0xFF01, 0xFF5F)
_TO_ASCII = 0xFEE0
_PLAIN = {
    **dict.fromkeys("‐‑‒−﹣", "-"),
    "―": "—",
    **dict.fromkeys("‘’ʼ′´`٬⹁", "'"),  # apostrophes, and the Arabic and the Adlam mark: they only group digits
    "،": ",",
    "٪": "%",
    "￡": "£",
    "￥": "¥",
    "￦": "₩",
}


class _PlainCharacters(dict[int, str]):
    """A table for `str.translate` that finds a character's plain form when it is needed."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        if character.isdecimal():
            return str(unicodedata.decimal(character))
        if code in _FULL_WIDTH:
            return chr(code - _TO_ASCII)
        kind = unicodedata.category(character)
        return " " if kind == "Zs" else "" if kind == "Cf" else character


_TABLE = _PlainCharacters({ord(character): plain for character, plain in _PLAIN.items()})


def simplify_marks(text: str) -> str:
    """Return a text with plain digits, spaces and marks, composed, and without characters that nobody sees."""
    return text if text.isascii() else unicodedata.normalize("NFC", text.translate(_TABLE))
