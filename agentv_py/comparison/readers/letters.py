"""Letters with marks and in any case → plain letters that can be compared."""

import unicodedata

# Letters that Unicode does not decompose.
_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"})


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
