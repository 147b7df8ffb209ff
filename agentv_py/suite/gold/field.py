"""The expected values of many cases → what each field holds: kinds, empty values, texts; and a hash of each value."""

from typing import Any

from agentv_py.comparison.comparison import is_empty
from agentv_py.comparison.paths import ROOT, join_path

MASK = 2**64 - 1
_MIX = 0xBF58476D1CE4E5B9
_MOST_TEXTS = 20_000
"""So many different texts of a field are kept. A field with more of them is prose or an id, and has no spellings."""
_LONGEST_TEXT = 80
_MOST_KEYS = 1_000
_KINDS = {bool: "boolean", int: "number", float: "number", str: "text", dict: "object", list: "list"}

Leaf = tuple["Field", Any, int]
"""A value that is not empty: its field, the value, and a hash of both."""


class Count:
    """How often something is seen, and the number of the first case that has it."""

    __slots__ = ("first", "number")

    def __init__(self, first: int) -> None:
        self.number = 0
        self.first = first


class Field:
    __slots__ = ("count", "fields", "first", "items", "kinds", "path", "texts")

    def __init__(self, path: str, first: int) -> None:
        self.path = path
        self.first = first
        self.count = 0
        """How many values there are, also empty ones."""
        self.kinds: dict[str, Count] = {}
        self.texts: dict[str, Count] = {}
        self.fields: dict[str, Field] = {}
        self.items: Field | None = None

    def observe(self, value: Any, case: int, leaves: list[Leaf]) -> int:
        """Take note of a value, and append what is in it to the leaves. Return a hash, whatever the order of lists."""
        self.count += 1
        if is_empty(value):
            return 0
        kind = type(value)
        self._count_kind(_KINDS.get(kind, "text"), case)
        if kind is dict:
            return self._observe_object(value, case, leaves)
        if kind is list:
            return self._observe_list(value, case, leaves)
        if kind is str and len(value) <= _LONGEST_TEXT:
            self._count_text(value, case)
        hashed = hash((self.path, kind is bool, value)) & MASK  # True equals 1 in Python
        # Hashes are added up. Python's hashes of (a, 0) and (a, 1) differ as those of (b, 0) and (b, 1) do.
        hashed = (hashed ^ hashed >> 31) * _MIX & MASK
        hashed ^= hashed >> 29
        leaves.append((self, value, hashed))
        return hashed

    def list_all(self) -> "list[Field]":
        """Return this field and every field below it."""
        below = [*self.fields.values(), *([self.items] if self.items is not None else [])]
        return [self, *(field for child in below for field in child.list_all())]

    def _observe_object(self, value: dict[str, Any], case: int, leaves: list[Leaf]) -> int:
        total, fields = 1, self.fields
        for key, item in value.items():
            field = fields.get(key)
            if field is None:
                if len(fields) >= _MOST_KEYS:  # its keys are data
                    continue
                field = fields[key] = Field(join_path("" if self.path == ROOT else self.path, key), case)
            total += hash((key, field.observe(item, case, leaves)))
        return total & MASK

    def _observe_list(self, value: list[Any], case: int, leaves: list[Leaf]) -> int:
        if self.items is None:
            self.items = Field(f"{'' if self.path == ROOT else self.path}[]", case)
        observe = self.items.observe
        return (2 + sum(hash((observe(item, case, leaves),)) for item in value)) & MASK

    def _count_kind(self, kind: str, case: int) -> None:
        known = self.kinds.get(kind)
        if known is None:
            known = self.kinds[kind] = Count(case)
        known.number += 1

    def _count_text(self, text: str, case: int) -> None:
        known = self.texts.get(text)
        if known is None:
            if len(self.texts) >= _MOST_TEXTS:
                return
            known = self.texts[text] = Count(case)
        known.number += 1
