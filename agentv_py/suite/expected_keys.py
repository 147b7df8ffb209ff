"""Expected values → the keys that they have, and which of them a wrong path may mean."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from agentv_py.comparison.comparators import STRUCTURAL_WORDS
from agentv_py.comparison.comparison import is_empty
from agentv_py.comparison.paths import Step, join_path, parse_path
from agentv_py.comparison.truth import ConfiguredPath
from agentv_py.comparison.truth.collector import parse_expected
from agentv_py.errors import did_you_mean, find_nearest

_MOST_CASES = 1_000
_MOST_KEYS = 5_000
_MOST_ROWS = 20

Keys = tuple[str, ...]
"""The keys that lead to a value; the indexes of lists are left out."""


class ExpectedKeys:
    """The keys of the first cases' expected values. Messages need them, so they are read only if there is one."""

    def __init__(self, values: Iterable[Any]) -> None:
        self._below: dict[Keys, dict[str, None]] = {}
        """The keys of the objects at each place."""
        self._texts: dict[Keys, str] = {}
        """The path of each place, as a user writes it."""
        self._scalars: set[Keys] = set()
        for value in islice(values, _MOST_CASES):
            self._add(parse_expected(value) if isinstance(value, str) else value, (), "")

    def explain(self, path: ConfiguredPath) -> str | None:
        """Return what the user may have meant, or ""; None if the expected values show nothing about the path.

        They show nothing where the path ends in a value that is empty in every case: null, a blank text or an empty
        list.
        """
        depth = next(depth for depth in range(len(path.keys), -1, -1) if not depth or path.keys[:depth] in self._texts)
        before = path.keys[:depth]
        if before not in self._below and before not in self._scalars:
            return None
        if depth == len(path.keys):
            return ""  # the path fails at an index, and not at a key
        is_last = depth == len(path.keys) - 1
        return (
            (is_last and self._suggest_same_end(path))
            or self._suggest_key(path, before)
            or (did_you_mean(path.path, list(self._texts.values())))
        )

    def _suggest_key(self, path: ConfiguredPath, before: Keys) -> str:
        """Suggest a key that is beside the wrong one and spelled like it."""
        wrong, known = path.keys[len(before)], list(self._below.get(before, ()))
        if path.is_key:
            return did_you_mean(wrong, [*known, *STRUCTURAL_WORDS])
        near = find_nearest(wrong, known)
        return "" if near is None else f"; did you mean {_replace_key(path.path, wrong, near)!r}?"

    def _suggest_same_end(self, path: ConfiguredPath) -> str:
        """Suggest another path that ends with the same key."""
        texts = [text for keys, text in self._texts.items() if keys[-1] == path.keys[-1]]
        return f"; did you mean {texts[0]!r}?" if texts else ""

    def _add(self, value: Any, keys: Keys, text: str) -> None:
        if isinstance(value, list):
            for item in islice(value, _MOST_ROWS):
                self._add(item, keys, f"{text}[*]" if not text.endswith("[*]") else text)
        elif isinstance(value, dict):
            for key, below in value.items():
                if len(self._texts) >= _MOST_KEYS:
                    return
                self._below.setdefault(keys, {})[key] = None
                self._texts.setdefault((*keys, key), join_path(text, key))
                self._add(below, (*keys, key), join_path(text, key))
        elif not is_empty(value):
            self._scalars.add(keys)


def _replace_key(path: str, wrong: str, key: str) -> str:
    steps = list(parse_path(path).steps or ())
    index = next((number for number, step in enumerate(steps) if step.key == wrong), 0)
    return _write_path([*steps[:index], Step(key, None), *steps[index + 1 :]])


def _write_path(steps: Sequence[Step]) -> str:
    text = ""
    for step in steps:
        if step.each or step.bracketed:
            text += f"[{step.key}]"
        else:
            text = join_path(text, step.key)
    return text
