"""A name as it is written → what of it counts."""

import re
import unicodedata
from functools import lru_cache

_LEGAL_FORMS = (
    "inc incorporated corp corporation co company llc llp lp lllp pllc ltd limited plc gmbh mbh ag kg kgaa ohg gbr ug "
    "ev eg se sa sas sarl sasu snc spa srl srls sapa sl slu bv nv vof cv as asa aps ab oy oyj ou sro spol zoo doo dd "
    "kft zrt nyrt bhd sdn pte pty pvt kk gk ltda eireli cia sab cvba bvba scrl ooo oao zao pao"
)
_LEGAL_WORDS = frozenset(_LEGAL_FORMS.split())
# Letters that Unicode does not take apart, and the two letters a German or Nordic one is written as without its mark
# (DIN 5007-2, ICAO 9303): Müller is Muller where marks were dropped and Mueller where they were spelled out.
_PLAIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "&": " and "}
)
_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
_DROPPED = r"(?<=\w)[.'’](?=\w|\s|$)"
_INITIALS = r"\b(?:\w )+\w\b"


@lru_cache(maxsize=65_536)
def spellings(name: str) -> tuple[str, str]:
    """The name without marks, and with its umlauts spelled out."""
    folded = unicodedata.normalize("NFC", name).casefold()
    plain = _counts(folded)
    return plain, plain if folded.isascii() else _counts(folded.translate(_SPELLED_OUT))


def _counts(folded: str) -> str:
    words = re.sub(_DROPPED, "", _without_accents(folded.translate(_PLAIN)))
    words = "".join(char if unicodedata.category(char)[0] in "LMN" else " " for char in words)
    kept = re.sub(_INITIALS, lambda found: found[0].replace(" ", ""), " ".join(words.split())).split()
    legal = False
    while len(kept) > 1 and (kept[-1] in _LEGAL_WORDS or (legal and kept[-1] == "and")):
        kept.pop()
        legal = True
    # A name of nothing but punctuation is that punctuation.
    return "".join(kept) or "".join(folded.split())


def _without_accents(text: str) -> str:
    """Latin, Greek and Cyrillic letters without their marks; in other scripts a mark makes another letter."""
    if text.isascii():
        return text
    kept, accented = [], False
    for char in unicodedata.normalize("NFKD", text):
        if not unicodedata.combining(char):
            accented = unicodedata.name(char, "").startswith(("LATIN", "GREEK", "CYRILLIC"))
        elif accented:
            continue
        kept.append(char)
    return unicodedata.normalize("NFC", "".join(kept))
