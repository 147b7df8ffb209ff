"""Comparators of the user, of a schema and of the rules → one tree: at each place the first of them that has it."""

from dataclasses import replace
from typing import Any

from agentv_py.comparison.comparators import Comparators, Fields, Ordered, Unordered
from agentv_py.comparison.matchers.base import Match
from agentv_py.inference.suggestion import Suggestion

LISTED = "listed"
"""The rule id of a comparator that the user lists."""
EMPTY = "empty"
"""The rule id of a place that has no values."""
_REASON = "listed in the suite"


def describe_listed(comparators: Any) -> Suggestion:
    """Return comparators that the user lists as suggestions, so that others can be laid under them."""
    if isinstance(comparators, Match):
        written = {"match": comparators.tag, **comparators.model_dump(exclude_unset=True)}
        return Suggestion(LISTED, _REASON, written, given=comparators)
    if isinstance(comparators, Unordered | Ordered):
        word = "unordered" if isinstance(comparators, Unordered) else "ordered"
        rows = describe_listed(getattr(comparators, word))
        return Suggestion(LISTED, _REASON, _list_options(comparators, word), rows=rows, order=word)
    is_marked = isinstance(comparators, Fields)
    fields = comparators.fields if is_marked else comparators
    options = _list_options(comparators, "fields") if is_marked else {}
    if not fields:  # all keys are data, so that the object has one comparator
        options["fields"] = {}
    return Suggestion(LISTED, _REASON, options, fields={key: describe_listed(below) for key, below in fields.items()})


def lay_over(upper: Suggestion | None, lower: Suggestion | None) -> Suggestion | None:
    """Return the upper suggestions, with the lower ones at every place where there are no upper ones."""
    if upper is None or lower is None:
        return upper or lower
    if upper.rows is not None:
        return upper if lower.rows is None else replace(upper, rows=lay_over(upper.rows, lower.rows))
    below = _find_record(lower)
    if not upper.fields or not below.fields or "default" in upper.options:
        return upper
    fields: dict[str, Any] = {key: lay_over(upper.fields.get(key), place) for key, place in below.fields.items()}
    options = upper.options or (lower.options if below is lower else {})
    return replace(upper, options=options, fields={**fields, **_list_others(upper, below)})


def is_covered(upper: Suggestion | None, lower: Suggestion) -> bool:
    """Tell whether the lower suggestions have every key that the upper ones leave out."""
    if upper is None or upper.is_value or "default" in upper.options:
        return True
    if upper.rows is not None:
        return upper.rows.is_value if lower.rows is None else is_covered(upper.rows, lower.rows)
    below = _find_record(lower)
    if not below.fields:
        return below.rule == EMPTY
    return all(is_covered(upper.fields.get(key), place) for key, place in below.fields.items())


def build_models(suggestion: Suggestion) -> Any:
    """Return the comparators as models. Raises pydantic's ValidationError."""
    from pydantic import TypeAdapter

    return TypeAdapter(Comparators).validate_python(suggestion.build_comparators(), strict=True)


def _find_record(place: Suggestion) -> Suggestion:
    """Return what a plain mapping means at a place: at a list it is for each row, as the walk reads it."""
    while place.rows is not None:
        place = place.rows
    return place


def _list_others(upper: Suggestion, below: Suggestion) -> dict[str, Suggestion]:
    return {key: place for key, place in upper.fields.items() if key not in below.fields}


def _list_options(comparators: Unordered | Ordered | Fields, word: str) -> dict[str, Any]:
    return {key: getattr(comparators, key) for key in sorted(comparators.model_fields_set - {word})}
