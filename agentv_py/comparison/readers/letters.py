"""Text in any script → plain letters and digits that can be compared."""

import unicodedata

# Letters that Unicode does not decompose.
_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"})
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−"), "-") | dict.fromkeys(map(ord, "‘’ʼ`´"), "'") | {ord("،"): ","}


def fold_letters(text: str) -> str:
    """Return the text in lower case, without the marks of Latin, Greek and Cyrillic letters."""
    folded = text.casefold()
    return folded if folded.isascii() else strip_accents(folded.translate(_PLAIN))


def strip_accents(text: str) -> str:
    """Remove the marks of Latin, Greek and Cyrillic letters. In other scripts a mark makes another letter."""
    if text.isascii():
        return text
    letters, is_accent = [], False
    for char in unicodedata.normalize("NFKD", text):
        if not unicodedata.combining(char):
            is_accent = unicodedata.name(char, "").startswith(("LATIN", "GREEK", "CYRILLIC"))
        elif is_accent:
            continue
        letters.append(char)
    return unicodedata.normalize("NFC", "".join(letters))


def simplify(text: str) -> str:
    """Return the text with ASCII digits, dashes and quotes, in compatible characters, and without invisible ones."""
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFKC", text).translate(_DASHES)
    return "".join(
        str(unicodedata.decimal(char)) if char.isdecimal() else char
        for char in plain
        if unicodedata.category(char) != "Cf"
    )
