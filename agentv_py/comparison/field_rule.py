"""A match type at a path → the rule of that field: what passes, how much it counts, and who decided so."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.paths import ROOT

Origin = Literal["suite", "schema", "auto", "detected", "default"]
"""Who decided: the user, a JSON Schema, the rules of `default: auto`, the values of the cases, or evalctl."""
_EVERYWHERE = {"path", "weight", "match"}


class FieldRule(NamedTuple):
    """How one field is compared, and why."""

    path: str
    comparator: str
    """The match type, `unordered` or `ordered` for a list, or a strategy of json_quality."""
    passes: str
    """What passes, as a phrase."""
    options: Mapping[str, Any] = {}
    """Every option of the comparator with its value."""
    weight: float = 1.0
    share: float | None = None
    """The part of the evaluator's score that the field decides; None where the answers decide that."""
    origin: Origin = "suite"
    rule: str = ""
    """The id of the rule that chose the comparator; empty if a user wrote it."""
    reason: str = ""
    place: tuple[str | int, ...] = ()
    """Where the comparator is in the options of the evaluator."""
    match: Match | None = None
    """The match type behind the comparator; None for a list, and for an evaluator that compares in its own way."""
    kinds: tuple[str, ...] = ()
    """For fields that are not listed: the JSON types of the values that the rule is for."""


def build_rule(match: Match, path: str, **facts: Any) -> FieldRule:
    """Return the rule of a field that a match type compares."""
    passes = match.describe_rule()
    if match.any_of:
        passes = f"{passes}, for any of the accepted readings"
    if not match.required:
        passes = f"{passes}; an empty answer does not count"
    return FieldRule(path or ROOT, match.tag, passes, list_options(match), match.weight, match=match, **facts)


def list_options(match: Match) -> dict[str, Any]:
    """Return the options of a match type with their values, also the defaults."""
    common = {"required": True, "any_of": False}
    options = {name: getattr(match, name) for name in type(match).model_fields if name not in _EVERYWHERE}
    return {
        name: _show_option(value)
        for name, value in options.items()
        if value is not None and value != [] and (name, value) not in common.items()
    }


def _show_option(value: Any) -> Any:
    if callable(value):
        return getattr(value, "__name__", repr(value))
    return value.model_dump(exclude_none=True) if hasattr(value, "model_dump") else value
