"""Two texts → the share of their words that they have in common, in any order and whatever their endings."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal
from unicodedata import normalize

from agentv_py.backend import Backend

# A number keeps its sign and its decimals: 3.5 is neither 35 nor -3.5.
_WORD = re.compile(r"(?<!\w)[-−](?=\d)\w+(?:[.,]\d+)*|\w+(?:[.,]\d+)*")
_GRAM = 3
_NUMBER_WEIGHS = 6  # letters: about as much as a word of the content


class Lexical(Backend):
    """Offline and deterministic: words are compared, not what they mean."""

    type: Literal["lexical"] = "lexical"

    def similarities(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return [_similarity(*pair) for pair in pairs]


def _similarity(left: str, right: str) -> float:
    """Dice's share of what stands in both."""
    if left == right:
        return 1.0
    these, those = _parts(left), _parts(right)
    common = sum(min(times, those[part]) for part, times in these.items() if part in those)
    return 2 * common / (these.total() + those.total()) if common else 0.0


@lru_cache(maxsize=1024)
def _parts(text: str) -> "Counter[str]":
    """Each word as its runs of three letters, so that endings count little; a number only as a whole."""
    plain = normalize("NFKC", text).casefold()
    parts: Counter[str] = Counter()
    for word in _WORD.findall(plain) or [plain.strip()]:
        if any(letter.isdigit() for letter in word):
            parts[word] += _NUMBER_WEIGHS
        else:
            padded = f" {word} "
            parts.update(padded[start : start + _GRAM] for start in range(len(padded) - _GRAM + 1))
    return parts
