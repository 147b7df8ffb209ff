"""Values, or what a schema declares about them → what is known about each place: kinds, texts, decimals, keys."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from agentv_py import jsontext
from agentv_py.comparison.comparison import is_empty
from agentv_py.comparison.truth.collector import parse_expected

Kind = Literal["boolean", "integer", "number", "text", "object", "list"]

_MOST_VALUES = 500
"""How many different values of a place are kept: enough to see what they are, whatever the number of cases."""
_MOST_KEYS = 1000
_DEEPEST = 32
"""A place below this depth is compared as a whole."""
_BOX_LENGTH = 4
_KINDS: dict[type, Kind] = {bool: "boolean", int: "integer", float: "number", str: "text", dict: "object", list: "list"}


@dataclass(slots=True)
class Declaration:
    """What a JSON Schema says about a place."""

    kinds: tuple[Kind, ...] = ()
    format: str | None = None
    pattern: str | None = None
    values: tuple[Any, ...] | None = None
    """The values of `enum` without null, or the one of `const`."""
    has_null: bool = False
    """Whether `enum` has null, too."""
    step: float | None = None
    """The `multipleOf` of a number."""
    example: Any = None
    """The first of `examples`, or the `default`."""
    examples: tuple[Any, ...] = ()
    is_map: bool = False
    """Whether the keys of the object are data (`additionalProperties` without `properties`)."""
    is_tuple: bool = False
    """Whether each place of the list has a schema of its own (`prefixItems`)."""
    is_recursion: bool = False
    """Whether the schema of the place is one above it, so that there is no end."""
    settings: dict[str, Any] = field(default_factory=dict)
    """Options that the schema gives to the comparator, such as `match` and `weight`."""
    origin: str = ""
    """The keyword that gives them."""
    unused: tuple[str, ...] = ()
    """Keywords of other tools that the comparator has no option for."""


@dataclass(slots=True)
class Profile:
    """What is known about the values at one place."""

    name: str = ""
    parent: str = ""
    """The name of the object that holds the place; the list's name for a field of its rows."""
    is_row: bool = False
    """Whether the place is an element of a list."""
    in_row: bool = False
    """Whether the object that holds the place is an element of a list."""
    depth: int = 0
    count: int = 0
    """How many values are not empty."""
    kinds: Counter[Kind] = field(default_factory=Counter)
    texts: Counter[str] = field(default_factory=Counter)
    has_all_texts: bool = True
    """Whether `texts` holds every text that was seen."""
    answers: set[str] = field(default_factory=set)
    """Texts that answers have here. They say how answers are written, never what the place is."""
    decimals: int = 0
    """The most decimal places of a JSON number."""
    fields: "dict[str, Profile]" = field(default_factory=dict)
    items: "Profile | None" = None
    lengths: Counter[int] = field(default_factory=Counter)
    corner_boxes: int = 0
    """How many lists are a box of two corners: four numbers, the second corner right of the first and below it."""
    size_boxes: int = 0
    """How many lists are a box of a corner, a width and a height: four numbers, the last two above 0."""
    values: "Profile | None" = None
    """The values of a map, whatever their keys, as a schema declares them."""
    unique_keys: set[str] | None = None
    """The keys that every row of every list has, with different values in each list; None before the first list."""
    declared: Declaration = field(default_factory=Declaration)
    is_sample: bool = False
    """Whether there are cases that were not looked at."""

    def add(self, value: Any) -> None:
        """Take note of a value at this place."""
        kind = _KINDS.get(type(value)) or ("number" if isinstance(value, jsontext.NonFinite) else None)
        if kind is None or (kind == "text" and (not value or value.isspace())):
            return
        self.count += 1
        self.kinds[kind] += 1
        if kind == "text":
            self._add_text(value)
        elif kind in ("integer", "number"):
            if kind == "number" and round(value, self.decimals) != value:  # it has more decimals than those before it
                self.decimals = max(self.decimals, count_decimals(value))
        elif kind == "object" and self.depth < _DEEPEST:
            self._add_object(value)
        elif kind == "list" and self.depth < _DEEPEST:
            self._add_list(value)

    def add_answers(self, answers: "Profile") -> None:
        """Take note of the texts of answers, at the places that expected values have."""
        self.answers.update(answers.texts)
        for key, place in self.fields.items():
            if key in answers.fields:
                place.add_answers(answers.fields[key])
        if self.items is not None and answers.items is not None:
            self.items.add_answers(answers.items)

    def mark_sample(self) -> None:
        """Take note that other cases may hold other values, here and below."""
        self.is_sample = True
        for place in (*self.fields.values(), *([] if self.items is None else [self.items])):
            place.mark_sample()

    def get_field(self, key: str) -> "Profile":
        """Return the place of a key. Create it if it is new."""
        if key not in self.fields:
            self.fields[key] = Profile(key, self.name, in_row=self.is_row, depth=self.depth + 1)
        return self.fields[key]

    def get_items(self) -> "Profile":
        """Return the place of the elements. Create it if it is new."""
        if self.items is None:
            self.items = Profile(self.name, self.parent, is_row=True, depth=self.depth + 1)
        return self.items

    def get_values(self) -> "Profile":
        """Return the place of the values of a map. Values that were seen are put together."""
        if self.values is None:
            self.values = Profile(self.name, self.parent, depth=self.depth + 1, is_sample=self.is_sample)
            for place in self.fields.values():
                self.values.join(place)
        return self.values

    def join(self, other: "Profile") -> None:
        """Take note of what is known about the single values of another place."""
        self.count += other.count
        self.kinds += other.kinds
        self.texts += other.texts
        self.answers |= other.answers
        self.has_all_texts = self.has_all_texts and other.has_all_texts
        self.decimals = max(self.decimals, other.decimals)

    @property
    def is_recursion(self) -> bool:
        """Whether the place, or an element of its list, leads back to a schema above it. It is left out."""
        return self.declared.is_recursion or (self.items is not None and self.items.is_recursion)

    def is_of(self, *kinds: Kind) -> bool:
        """Tell whether every value seen, or else every value declared, is of one of these kinds."""
        return bool(self.kinds or self.declared.kinds) and set(self.kinds or self.declared.kinds) <= set(kinds)

    def _add_text(self, text: str) -> None:
        if text in self.texts or len(self.texts) < _MOST_VALUES:
            self.texts[text] += 1
        else:
            self.has_all_texts = False

    def _add_object(self, value: dict[str, Any]) -> None:
        fields = self.fields
        for key, item in value.items():
            place = fields.get(key)
            if place is not None:
                place.add(item)
            elif len(fields) < _MOST_KEYS:
                self.get_field(key).add(item)

    def _add_list(self, value: list[Any]) -> None:
        items = self.get_items()
        self.lengths[len(value)] += 1
        for item in value:
            items.add(item)
        if value and all(type(item) is dict for item in value):
            keys = value[0].keys() if self.unique_keys is None else self.unique_keys
            self.unique_keys = _find_unique_keys(value, keys)
        elif len(value) == _BOX_LENGTH and all(type(item) in (int, float) and math.isfinite(item) for item in value):
            left, top, third, fourth = value
            self.corner_boxes += third > left and fourth > top
            self.size_boxes += third > 0 and fourth > 0


def profile_values(values: Iterable[Any]) -> Profile:
    """Return what is known about the expected values of cases. A text that holds JSON is read as JSON."""
    profile = Profile()
    for value in values:
        profile.add(parse_expected(value) if type(value) is str else value)
    return profile


def count_decimals(value: float) -> int:
    """Return the decimal places of a JSON number; 2.50 has one."""
    if type(value) is int or not math.isfinite(value):
        return 0
    mantissa, _, exponent = repr(value).partition("e")
    places = len(mantissa.partition(".")[2].rstrip("0"))
    return max(0, places - int(exponent or 0))


def _find_unique_keys(rows: list[dict[str, Any]], keys: Iterable[str]) -> set[str]:
    unique = set()
    for key in keys:
        values = [row.get(key) for row in rows]
        are_given = all(type(value) in (str, int) and not is_empty(value) for value in values)
        if are_given and len(set(map(str, values))) == len(values):
            unique.add(key)
    return unique
