"""Values, or what a schema declares about them → what is known about each place: kinds, texts, decimals, keys, items."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from agentv_py.comparison.comparison import is_empty

Kind = Literal["boolean", "integer", "number", "text", "object", "list"]

_MOST_TEXTS = 500
"""How many different texts of a place are kept: enough to see what they are, whatever the number of cases."""
_MOST_KEYS = 1000
_KINDS: dict[type, Kind] = {bool: "boolean", int: "integer", float: "number", str: "text", dict: "object", list: "list"}


@dataclass(slots=True)
class Declaration:
    """What a JSON Schema says about a place."""

    kinds: tuple[Kind, ...] = ()
    format: str | None = None
    values: tuple[Any, ...] | None = None
    """The values of `enum`, or the one of `const`."""
    step: float | None = None
    """The `multipleOf` of a number."""
    is_map: bool = False
    """Whether the keys of the object are data (`additionalProperties` without `properties`)."""
    settings: dict[str, Any] = field(default_factory=dict)
    """Options that the schema gives to the comparator, such as `match` and `weight`."""
    origin: str = ""
    """The keyword that gives them."""


@dataclass(slots=True)
class Profile:
    """What is known about the values at one place."""

    name: str = ""
    parent: str = ""
    """The name of the object that holds the place; the list's name for the rows of a list."""
    in_list: bool = False
    """Whether the place is inside the rows of a list."""
    count: int = 0
    """How many values are not empty."""
    kinds: Counter[Kind] = field(default_factory=Counter)
    texts: Counter[str] = field(default_factory=Counter)
    numbers: Counter[int | float] = field(default_factory=Counter)
    has_all_values: bool = True
    """Whether `texts` and `numbers` hold every value that was seen."""
    decimals: int = 0
    """The most decimal places of a JSON number."""
    fields: "dict[str, Profile]" = field(default_factory=dict)
    items: "Profile | None" = None
    lists: int = 0
    lengths: Counter[int] = field(default_factory=Counter)
    unique_keys: set[str] | None = None
    """The keys that every row of every list has, with different values in each list; None before the first list."""
    declared: Declaration = field(default_factory=Declaration)

    def add(self, value: Any) -> None:
        """Take note of a value at this place."""
        kind = _KINDS.get(type(value))
        if kind is None or is_empty(value):
            return
        self.count += 1
        self.kinds[kind] += 1
        if kind == "object":
            self._add_object(value)
        elif kind == "list":
            self._add_list(value)
        elif kind == "text":
            self._remember(self.texts, value)
        elif kind != "boolean":
            self._remember(self.numbers, value)
            self.decimals = max(self.decimals, count_decimals(value))

    def _add_object(self, value: dict[str, Any]) -> None:
        for key, item in value.items():
            place = self.fields.get(key)
            if place is None:
                if len(self.fields) >= _MOST_KEYS:
                    continue
                place = self.fields[key] = Profile(key, self.name, self.in_list)
            place.add(item)

    def _add_list(self, value: list[Any]) -> None:
        if self.items is None:
            self.items = Profile(self.name, self.parent, in_list=True)
        self.lists += 1
        self.lengths[len(value)] += 1
        for item in value:
            self.items.add(item)
        if value and all(type(item) is dict for item in value):
            unique = _find_unique_keys(value)
            self.unique_keys = unique if self.unique_keys is None else self.unique_keys & unique

    def _remember(self, values: Counter[Any], value: Any) -> None:
        if value in values or len(values) < _MOST_TEXTS:
            values[value] += 1
        else:
            self.has_all_values = False

    def is_of(self, *kinds: Kind) -> bool:
        """Tell whether every value seen, or else every value declared, is of one of these kinds."""
        return bool(self.kinds or self.declared.kinds) and set(self.kinds or self.declared.kinds) <= set(kinds)


def profile_values(values: Iterable[Any]) -> Profile:
    """Return what is known about many values of one place: the root."""
    profile = Profile()
    for value in values:
        profile.add(value)
    return profile


def count_decimals(value: float) -> int:
    """Return the decimal places of a JSON number; 2.50 has one."""
    if type(value) is int or not math.isfinite(value):
        return 0
    mantissa, _, exponent = repr(value).partition("e")
    places = len(mantissa.partition(".")[2].rstrip("0"))
    return max(0, places - int(exponent or 0))


def _find_unique_keys(rows: list[dict[str, Any]]) -> set[str]:
    unique = set()
    for key in rows[0]:
        values = [row.get(key) for row in rows]
        if not any(map(is_empty, values)) and all(type(value) in (str, int) for value in values):
            if len(set(map(str, values))) == len(values):
                unique.add(key)
    return unique
