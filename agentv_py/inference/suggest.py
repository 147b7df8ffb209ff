"""A profile of values or of a schema → suggestions that mirror the data: records, lists, values."""

from agentv_py.inference.profile import Profile
from agentv_py.inference.rules import suggest_value
from agentv_py.inference.suggestion import Suggestion
from agentv_py.inference.words import BOXES, IDENTIFIERS, ROW_NUMBERS, SEQUENCES, last_word, split_name

_MOST_LISTED_KEYS = 200
_MAP_KEYS = 12


def suggest(place: Profile) -> Suggestion:
    """Return the suggestion for a place and everything below it."""
    if "match" not in place.declared.settings:
        if place.is_of("object") and (place.fields or place.declared.is_map):
            return _suggest_record(place)
        if place.is_of("list") and place.items is not None:
            return _suggest_list(place, place.items)
    return suggest_value(place)


def _suggest_record(place: Profile) -> Suggestion:
    if _is_map(place):
        return Suggestion("map", "its keys are data, and differ from case to case", {"match": "exact"})
    fields = {key: suggest(field) for key, field in place.fields.items()}
    return Suggestion("record", "", _read_settings(place), fields=fields)


def _is_map(place: Profile) -> bool:
    """Tell whether the keys of an object are data: each case has other ones."""
    if place.declared.is_map or len(place.fields) > _MOST_LISTED_KEYS:
        return True
    often = sum(1 for field in place.fields.values() if 2 * field.count > place.count)
    return len(place.fields) >= _MAP_KEYS and often * 10 < len(place.fields)


def _suggest_list(place: Profile, items: Profile) -> Suggestion:
    box = _suggest_boxes(place)
    if box is not None:
        return box
    rows = suggest(items)
    words = split_name(place.name)
    if words and words[-1] in SEQUENCES:
        return Suggestion("sequence", f"{words[-1]!r} have an order", _read_settings(place), rows=rows, order="ordered")
    if items.is_of("integer", "number") and len(place.lengths) == 1 and 1 not in place.lengths:
        length = next(iter(place.lengths))
        return Suggestion("vector", f"always {length} numbers", _read_settings(place), rows=rows, order="ordered")
    if items.is_of("list"):
        return Suggestion("matrix", "a list of lists", _read_settings(place), rows=rows, order="ordered")
    options = _read_settings(place)
    key = _find_key(place, items)
    if key is not None and "key" not in options:
        options["key"] = key
        return Suggestion("key", f"{key} is unique in every list", options, rows=rows, order="unordered")
    reason = "rows in any order" if items.is_of("object") else "values in any order"
    return Suggestion("list", reason, options, rows=rows, order="unordered")


def _suggest_boxes(place: Profile) -> Suggestion | None:
    """Four numbers under the name of a box. Corners are a box only if the second one is below and right of the first."""
    is_box = set(place.lengths) == {4} and place.items is not None and place.items.is_of("integer", "number")
    if not is_box or BOXES.isdisjoint(split_name(place.name)):
        return None
    return Suggestion("box", "four numbers; xywh if they are x, y, width, height", {"match": "iou", "format": "xyxy"})


def _find_key(place: Profile, items: Profile) -> str | None:
    """Return the field that identifies a row: a code that no list has twice."""
    if not place.unique_keys or max(place.lengths, default=0) < 2:
        return None
    codes = [key for key in items.fields if key in place.unique_keys and last_word(key) in IDENTIFIERS]
    # The number of a line shifts when an answer leaves a row out; a code of the thing itself does not.
    return min(
        codes,
        key=lambda key: not ROW_NUMBERS.isdisjoint(split_name(key)) and split_name(key)[0] in ROW_NUMBERS,
        default=None,
    )


def _read_settings(place: Profile) -> dict[str, object]:
    return dict(place.declared.settings)
