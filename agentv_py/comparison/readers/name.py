"""A name in any spelling → the letters that tell it from other names."""

import re
import unicodedata
from functools import lru_cache

_LEGAL_FORMS = (
    "inc incorporated corp corporation co company llc llp lp lllp pllc ltd limited plc gmbh mbh ag kg kgaa ohg gbr ug "
    "ev eg se sa sas sarl sasu snc spa srl srls sapa sl slu bv nv vof cv as asa aps ab oy oyj ou sro spol zoo doo dd "
    "kft zrt nyrt bhd sdn pte pty pvt kk gk ltda eireli cia sab cvba bvba scrl ooo oao zao pao"
)
_LEGAL_WORDS = frozenset(_LEGAL_FORMS.split())
# Letters that Unicode does not decompose, and the two letters that replace a German or Nordic letter with a mark
# (DIN 5007-2, ICAO 9303): Müller is Muller if marks are dropped, and Mueller if they are spelled out.
_PLAIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "&": " and "}
)
_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
_DROPPED = r"(?<=\w)[.'’](?=\w|\s|$)"
_INITIALS = r"\b(?:\w )+\w\b"


@lru_cache(maxsize=65_536)
def fold_spellings(name: str) -> tuple[str, str]:
    """Return the name without marks, and the name with its umlauts spelled out."""
    folded = unicodedata.normalize("NFC", name).casefold()
    plain = _reduce(folded)
    return plain, plain if folded.isascii() else _reduce(folded.translate(_SPELLED_OUT))


def _reduce(folded: str) -> str:
    words = re.sub(_DROPPED, "", _strip_accents(folded.translate(_PLAIN)))
    words = "".join(char if unicodedata.category(char)[0] in "LMN" else " " for char in words)
    parts = re.sub(_INITIALS, lambda match: match[0].replace(" ", ""), " ".join(words.split())).split()
    is_legal = False
    while len(parts) > 1 and (parts[-1] in _LEGAL_WORDS or (is_legal and parts[-1] == "and")):
        parts.pop()
        is_legal = True
    # A name of punctuation only keeps its punctuation.
    return "".join(parts) or "".join(folded.split())


def _strip_accents(text: str) -> str:
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
