"""What a schema declares about a place, or that nothing is known about it → its comparator."""

from typing import Any

from agentv_py.inference.profile import Profile
from agentv_py.inference.suggestion import Suggestion, build_suggestion, describe_reach

_LONGEST_SHOWN = 40
_CODE_FORMATS = frozenset({
    "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6", "uri", "uri-reference", "iri", "iri-reference",
    "uuid", "uri-template", "json-pointer", "relative-json-pointer", "regex", "time", "duration",
})  # fmt: skip


def setting(place: Profile) -> Suggestion | None:
    """The schema names the match type itself."""
    declared = place.declared
    if "match" not in declared.settings:
        return None
    return Suggestion("setting", f"{declared.origin} of the schema", dict(declared.settings))


def enum(place: Profile) -> Suggestion | None:
    """`enum` or `const`."""
    values = place.declared.values
    if not values:
        return None
    reason = f"always {_show(values[0])}" if len(values) == 1 else f"one of {len(values)} declared values"
    reason += " or null" if place.declared.has_null else ""
    return build_suggestion("enum", reason, match="exact")


def boolean(place: Profile) -> Suggestion | None:
    """true or false."""
    return build_suggestion("boolean", "true or false", match="exact") if place.is_of("boolean") else None


def date_format(place: Profile) -> Suggestion | None:
    """`format: date` or `date-time`."""
    if place.declared.format == "date":
        return build_suggestion("date_format", "format date", match="date")
    if place.declared.format == "date-time":
        return build_suggestion("date_format", "format date-time; the time of day does not count", match="date")
    return None


def code_format(place: Profile) -> Suggestion | None:
    """Another `format`, such as email or uuid."""
    if place.declared.format in _CODE_FORMATS:
        return build_suggestion("code_format", f"format {place.declared.format}", match="exact")
    return None


def empty(place: Profile) -> Suggestion | None:
    """No value is known."""
    if place.count or place.declared.kinds:
        return None
    return build_suggestion("empty", f"always empty{describe_reach(place)}, so any answer is invented", match="exact")


def other(place: Profile) -> Suggestion:
    """Values of several kinds, or objects without keys."""
    kinds = place.kinds or place.declared.kinds
    reason = "values of several kinds" if len(kinds) > 1 else f"{next(iter(kinds), 'value')}s without anything to list"
    return build_suggestion("other", reason, match="exact")


def _show(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"
