"""The words of a name → the words without legal forms, from a generated table of forms of many countries."""

from functools import lru_cache
from typing import NamedTuple

_CONNECTORS = frozenset({"and", "und", "et", "y", "e", "i", "og", "och", "ja", "en"})


class LegalForms(NamedTuple):
    end: frozenset[tuple[str, ...]]
    front: frozenset[tuple[str, ...]]
    attached: tuple[str, ...]
    """Forms that are written without a space before or after the name, the longest first."""
    words: frozenset[str]
    """Words of organisations, which no person's name has."""
    longest: int
    """The most words that a form has."""


@lru_cache(maxsize=1)
def load_legal_forms() -> LegalForms:
    from agentv_py.comparison.readers.legal_form_table import TABLE

    forms: dict[str, list[str]] = {"end": [], "front": [], "attached": [], "word": []}
    for line in TABLE.splitlines():
        kind, _, spellings = line.partition("\t")
        forms[kind] += spellings.split("|")
    end, front = (frozenset(tuple(form.split()) for form in forms[kind]) for kind in ("end", "front"))
    attached = tuple(sorted(forms["attached"], key=len, reverse=True))
    return LegalForms(end, front, attached, frozenset(forms["word"]), max(map(len, end | front)))


def strip_legal_forms(words: list[str]) -> list[str]:
    """Return the words without legal forms at the end, in front, or attached to the name. A word always remains."""
    forms = load_legal_forms()
    rest = words[: _find_end(words, forms)]
    for size in range(min(forms.longest, len(rest) - 1), 0, -1):
        # SAS Institute is a name: what remains must be more than a word of organisations.
        if tuple(rest[:size]) in forms.front and not forms.words.issuperset(rest[size:]):
            rest = rest[size:]
            break
    return rest if rest[-1].isascii() and rest[0].isascii() else _strip_attached(rest, forms)


def _find_end(words: list[str], forms: LegalForms) -> int:
    """Return where the name ends and its legal forms begin."""
    end = len(words)
    while size := _measure_form(words, end, forms):
        end -= size
        while end > 1 and words[end - 1] in _CONNECTORS:
            end -= 1
    return end


def _measure_form(words: list[str], end: int, forms: LegalForms) -> int:
    """Return the number of words of the longest form before `end` that leaves a word, or 0 if no form ends there."""
    for size in range(min(forms.longest, end - 1), 0, -1):
        if tuple(words[end - size : end]) in forms.end:
            return size
    return 0


def _strip_attached(words: list[str], forms: LegalForms) -> list[str]:
    if len(words) == 1 and words[0] in forms.attached:
        return words
    for form in forms.attached:
        if words[-1].endswith(form):
            return [word for word in (*words[:-1], words[-1].removesuffix(form)) if word]
        if words[0].startswith(form):
            return [word for word in (words[0].removeprefix(form), *words[1:]) if word]
    return words
