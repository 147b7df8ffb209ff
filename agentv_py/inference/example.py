"""What a schema declares → one value that has every place of it."""

from typing import Any

from agentv_py.inference.number_rules import number_format
from agentv_py.inference.profile import Kind, Profile
from agentv_py.inference.suggest import suggest
from agentv_py.inference.words import PHONES, last_word

_BY_FORMAT = {
    "date": "2025-01-15",
    "date-time": "2025-01-15T09:30:00Z",
    "time": "09:30:00",
    "duration": "P1D",
    "email": "jane@example.com",
    "uri": "https://example.com/",
    "uuid": "3f2b8c1e-5d4a-4f6b-9a7c-0e1d2c3b4a59",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
}
_BOX = (10, 20, 110, 60)
_BY_KIND: dict[Kind, Any] = {"boolean": True, "integer": 1, "number": 1.5, "text": "text", "object": {}, "list": []}


def build_example(place: Profile, given: Any = None) -> Any:
    """Return a value with every place of a profile: the schema's own example where it has one."""
    declared = place.declared
    example = declared.example if given is None else given
    if place.fields and not declared.is_recursion:
        known = example if isinstance(example, dict) else {}
        return {key: build_example(field, known.get(key)) for key, field in place.fields.items()}
    if declared.is_recursion:
        return {} if example is None else example
    if place.items is not None:
        if isinstance(example, list) and example:
            return [build_example(place.items, item) for item in example]
        length = max(place.lengths, default=1)
        if suggest(place).rule == "box":  # equal numbers are a box without an area, which overlaps nothing
            return list(_BOX)
        return [] if place.is_recursion else [build_example(place.items)] * length
    if example is not None:
        return example
    if declared.values:
        return declared.values[0]
    if place.is_of("text") and last_word(place.name) in PHONES:
        return "+1 555 0100"
    if place.is_of("text") and number_format(place):
        return "12.50"
    return _BY_FORMAT.get(declared.format or "", _BY_KIND.get(next(iter(declared.kinds), "text"), ""))
