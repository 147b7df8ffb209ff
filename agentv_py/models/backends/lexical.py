"""Two texts → the share of their words that they have in common, in any order and whatever their endings."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal
from unicodedata import normalize

from agentv_py.models.backends.base import Backend

# A number keeps its sign and its decimals: 3.5 is neither 35 nor -3.5.
_WORD = r"(?<!\w)[-−](?=\d)\w+(?:[.,]\d+)*|\w+(?:[.,]\d+)*"
_GRAM = 3
_NUMBER_WEIGHS = 6  # letters: about as much as a word of the content

Parts = Counter[str]


class Lexical(Backend):
    """Offline and deterministic: words are compared, not what they mean."""

    type: Literal["lexical"] = "lexical"

    def similarities(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        parts = {text: _parts(text) for text in {text for pair in pairs for text in pair}}
        return [1.0 if left == right else _common(parts[left], parts[right]) for left, right in pairs]


def _common(these: Parts, those: Parts) -> float:
    """Dice's share of what stands in both."""
    common = sum(min(times, those[part]) for part, times in these.items() if part in those)
    return 2 * common / (these.total() + those.total()) if common else 0.0


def _parts(text: str) -> Parts:
    """Each word as its runs of three letters, so that endings count little; a number only as a whole."""
    plain = normalize("NFKC", text).casefold()
    parts: list[str] = []
    for word in re.findall(_WORD, plain) or [plain.strip()]:
        if word.isalpha() or not re.search(r"\d", word):
            padded = f" {word} "
            parts += [padded[start : start + _GRAM] for start in range(len(padded) - _GRAM + 1)]
        else:
            parts += [word] * _NUMBER_WEIGHS
    return Parts(parts)
