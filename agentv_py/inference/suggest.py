"""A profile of values or of a schema → suggestions that mirror the data: records, lists, values."""

from collections.abc import Iterable
from typing import Any

from agentv_py.comparison.paths import join_path
from agentv_py.inference.profile import Profile, profile_values
from agentv_py.inference.rules import suggest_value
from agentv_py.inference.suggestion import Suggestion, build_suggestion, describe_reach
from agentv_py.inference.words import (
    BOXES,
    IDENTIFIERS,
    ROW_NUMBERS,
    SEQUENCES,
    TEXT_SEQUENCES,
    is_called,
    last_word,
    split_name,
)

STRUCTURE_RULES = ("record", "map", "recursion", "box", "sequence", "tuple", "vector", "matrix", "key", "list")
"""The ids of the rules for objects and lists."""

_MOST_LISTED_KEYS = 200
_MAP_KEYS = 12
_BOX_LENGTH = 4


def suggest_from_values(values: Iterable[Any]) -> Suggestion:
    """Return the suggestion for the expected values of cases: what `default: auto` compares answers with."""
    return suggest(profile_values(values))


def suggest(place: Profile) -> Suggestion:
    """Return the suggestion for a place and everything below it."""
    suggestion = _choose_shape(place)
    if place.declared.unused:
        suggestion.reason = "; ".join(
            filter(None, (suggestion.reason, f"not used: {', '.join(place.declared.unused)}"))
        )
    return suggestion


def _choose_shape(place: Profile) -> Suggestion:
    if "match" not in place.declared.settings:
        if place.is_recursion:
            reason = "refers back to its own definition, so it is compared as a whole"
            return build_suggestion("recursion", reason, match="exact")
        if place.is_of("object") and (place.declared.is_map or place.fields):
            return _suggest_record(place)
        if place.is_of("list") and place.items is not None:
            return _suggest_list(place, place.items)
    return suggest_value(place)


def _suggest_record(place: Profile) -> Suggestion:
    if _is_map(place):
        return _suggest_map(place)
    fields = {key: suggest(field) for key, field in place.fields.items()}
    return Suggestion("record", _describe_settings(place), dict(place.declared.settings), fields=fields)


def _suggest_map(place: Profile) -> Suggestion:
    """The keys of a map are data: its values have one comparator, if they are single values of one kind."""
    values = place.get_values()
    if not values.is_of("integer", "number") and not values.is_of("text"):
        return build_suggestion("map", "its keys are data, so it is compared as a whole", match="exact")
    value = suggest(values)
    options = {"fields": {}, "default": value.build_comparators(), "extra_keys": "penalize", **place.declared.settings}
    given = _describe_settings(place)
    return Suggestion("map", f"its keys are data; {value.reason}{f'; {given}' if given else ''}", options)


def _describe_settings(place: Profile) -> str:
    """Say which keyword of a schema gives the options of a record or a list; empty if it has none."""
    settings = [option for option in place.declared.settings if option != "key"]
    return f"{', '.join(settings)} by {place.declared.origin}" if settings else ""


def _is_map(place: Profile) -> bool:
    """Tell whether the keys of an object are data: each case has other ones, with values of one kind."""
    if place.declared.is_map or not place.count:
        return place.declared.is_map
    if len(place.fields) > _MOST_LISTED_KEYS:
        return True
    kinds = {"number" if kind == "integer" else kind for field in place.fields.values() for kind in field.kinds}
    often = sum(1 for field in place.fields.values() if 2 * field.count > place.count)
    return len(kinds) <= 1 and len(place.fields) >= _MAP_KEYS and often * 10 < len(place.fields)


def _suggest_list(place: Profile, items: Profile) -> Suggestion:
    suggestion = _choose_order(place, items)
    if given := _describe_settings(place):
        suggestion.reason += f"; {given}"
    return suggestion


def _choose_order(place: Profile, items: Profile) -> Suggestion:
    box = _suggest_box(place, items)
    if box is not None:
        return box
    rows, options, word = suggest(items), dict(place.declared.settings), last_word(place.name)
    if word in SEQUENCES or (word in TEXT_SEQUENCES and items.is_of("text")):
        return Suggestion("sequence", f"the order of {place.name!r} counts", options, rows=rows, order="ordered")
    if place.declared.is_tuple:
        return Suggestion("tuple", "each place is declared", options, rows=rows, order="ordered")
    if items.is_of("integer", "number") and len(place.lengths) == 1 and max(place.lengths) > 1:
        reason = f"always {max(place.lengths)} numbers{describe_reach(place)}"
        return Suggestion("vector", reason, options, rows=rows, order="ordered")
    if items.is_of("list"):
        return Suggestion("matrix", "a list of lists", options, rows=rows, order="ordered")
    if "key" in options:
        return Suggestion("key", f"key by {place.declared.origin}", options, rows=rows, order="unordered")
    key = _find_key(place, items)
    if key is not None:
        reason = f"{key} is unique in every list{describe_reach(place)}"
        return Suggestion("key", reason, {**options, "key": key}, rows=rows, order="unordered")
    reason = "rows in any order" if items.is_of("object") else "values in any order"
    return Suggestion("list", reason, options, rows=rows, order="unordered")


def _suggest_box(place: Profile, items: Profile) -> Suggestion | None:
    """Four numbers under the name of a box. A box without an area has no overlap, so it is compared as numbers."""
    boxes = place.lengths.total()
    if set(place.lengths) != {_BOX_LENGTH} or not is_called(place.name, BOXES) or not items.is_of("integer", "number"):
        return None
    if not place.count or place.corner_boxes == boxes:
        reason = "four numbers, as two corners; format: xywh if the last two are width and height"
        return build_suggestion("box", reason, match="iou", format="xyxy")
    if place.size_boxes == boxes:
        return build_suggestion("box", "four numbers: a corner, width and height", match="iou", format="xywh")
    return None


def _find_key(place: Profile, items: Profile) -> str | None:
    """Return the field that identifies a row: a code that no list has twice."""
    if not place.unique_keys or max(place.lengths, default=0) < 2:
        return None
    codes = [
        key
        for key in items.fields
        if key in place.unique_keys and last_word(key) in IDENTIFIERS and join_path("", key) == key
    ]
    return min(codes, key=_is_row_number, default=None)


def _is_row_number(key: str) -> bool:
    words = split_name(key)
    return words[0] in ROW_NUMBERS or words in (("no",), ("nr",), ("num",), ("number",))
