"""`metadata.vendor` → the value that a case has there."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from agentv_py.case import ABSENT
from agentv_py.comparison.paths import join_path, parse_path
from agentv_py.comparison.truth.collector import parse_expected
from agentv_py.errors import did_you_mean, find_nearest
from agentv_py.suite.schema import CaseRow

ROOTS = ("id", "tags", "metadata", "input", "expected")

_CASE_KEYS = frozenset(CaseRow.model_fields)
_KEY = re.compile(r"(\w+)(?:\.(?!\[)|(?=\[)|$)(.*)", re.DOTALL)
_MOST_KEYS = 1_000
_MOST_SHOWN = 10


class CaseKey:
    """Reads a key of many cases, and notes whether any of them has it. Raises ValueError for a key of no kind."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.is_known = False
        """Whether any case that was read has the key."""
        self._known: dict[str, None] = {}
        """Keys that the cases have instead."""
        match = _KEY.fullmatch(text)
        if match is None or match[1] not in ROOTS or (match[2] and parse_path(match[2]).steps is None):
            raise ValueError(_describe_wrong_key(text))
        self.root, below = match[1], match[2]
        self._get: Callable[[Any], Any] = parse_path(below).build_getter() if below else lambda value: value

    def read(self, id_: str, row: Mapping[str, Any]) -> Any:
        """Return the value that a case has; ABSENT if it has none."""
        value = self._read(id_, row)
        if value is not ABSENT:
            self.is_known = True
        elif not self.is_known and len(self._known) < _MOST_KEYS:
            self._known |= dict.fromkeys(_list_keys(row))
        return value

    def describe_unknown(self) -> str:
        """Say that no case has the key, and which keys the cases have."""
        known = list(self._known)
        shown = ", ".join(known[:_MOST_SHOWN]) + (", ..." if len(known) > _MOST_SHOWN else "")
        # The root is the same in all of them, and must not make two different keys look alike.
        below = {key.removeprefix(f"{self.root}."): key for key in known if key.startswith(self.root)}
        near = find_nearest(self.text.removeprefix(f"{self.root}."), list(below))
        hint = f"; did you mean {below[near]!r}?" if near else f"; the keys are {shown}" if known else ""
        return f"no case has {self.text!r}{hint}"

    def _read(self, id_: str, row: Mapping[str, Any]) -> Any:
        if self.root == "id":
            return self._get(id_)
        value = row.get(self.root, ABSENT)
        if self.root == "expected" and type(value) is str:
            value = parse_expected(value)
        if self.root != "metadata":
            return ABSENT if value is ABSENT else self._get(value)
        found = self._get(value)
        # Other keys of a row go to the metadata of its case.
        return self._get(_list_other_keys(row)) if found is ABSENT and not _CASE_KEYS.issuperset(row) else found


def _list_other_keys(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: row[key] for key in row if key not in _CASE_KEYS}


def _list_keys(row: Mapping[str, Any]) -> list[str]:
    keys = [key for key in ROOTS if key in row and key != "metadata"]
    for root in ("metadata", "input", "expected"):
        if isinstance(value := row.get(root), dict):
            keys += [join_path(root, key) for key in value]
    return [*keys, *(join_path("metadata", key) for key in _list_other_keys(row))]


def _describe_wrong_key(text: str) -> str:
    roots = f"{', '.join(ROOTS[:-1])} or {ROOTS[-1]}"
    first = re.split(r"[.\[]", text, maxsplit=1)[0]
    if first in ROOTS:
        return f"{text!r} is not a path, such as metadata.vendor"
    hint = did_you_mean(first, ROOTS) or f"; did you mean {join_path('metadata', text)!r}?"
    return f"{text!r} is not a key of a case, which begins with {roots}{hint}"
