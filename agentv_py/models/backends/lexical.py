"""Two texts → the share of their words that they have in common, in any order and with any endings."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal
from unicodedata import normalize

from agentv_py.models.backends.base import Backend

# A number keeps its sign and its decimals: 3.5 is neither 35 nor -3.5.
_WORD = r"(?<!\w)[-−](?=\d)\w+(?:[.,]\d+)*|\w+(?:[.,]\d+)*"
_PART_LENGTH = 3
_NUMBER_WEIGHT = 6  # three-letter parts: about as many as an average word has

Parts = Counter[str]


class Lexical(Backend):
    """Offline and deterministic: words are compared, not what they mean."""

    type: Literal["lexical"] = "lexical"

    def similarities(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        parts = {text: _split(text) for text in {text for pair in pairs for text in pair}}
        return [1.0 if left == right else _dice(parts[left], parts[right]) for left, right in pairs]


def _dice(left: Parts, right: Parts) -> float:
    """Dice's coefficient: the share of the parts that both texts have."""
    common = sum(min(times, right[part]) for part, times in left.items() if part in right)
    return 2 * common / (left.total() + right.total()) if common else 0.0


def _split(text: str) -> Parts:
    """Split each word into runs of three letters, so that endings count little; a number stays whole."""
    folded = normalize("NFKC", text).casefold()
    parts: list[str] = []
    for word in re.findall(_WORD, folded) or [folded.strip()]:
        if word.isalpha() or not re.search(r"\d", word):
            padded = f" {word} "
            parts += [padded[start : start + _PART_LENGTH] for start in range(len(padded) - _PART_LENGTH + 1)]
        else:
            parts += [word] * _NUMBER_WEIGHT
    return Parts(parts)
