"""A text that a model wrote → the JSON in it, without the model's thinking."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from agentv_py.jsontext.read import NotJson, loads_text

if TYPE_CHECKING:
    from agentv_py.jsontext.parts import Parts, Region

Place = Literal["whole", "fenced", "found"]

_MOST_CITATIONS = 3
_HIGHEST_CITATION = 99
_MOST_REPETITIONS = 10
_FEW_CHARACTERS = 100_000


class FoundJson(NamedTuple):
    """A value, and which part of the text it is: all of it, a fenced block, or a part between other words."""

    value: Any
    place: Place = "whole"


def find(text: str) -> FoundJson:
    """Read the whole text without thinking, else its last fenced block, else its last object. Raises NotJson.

    A list counts where there is no object, unless it is a citation such as `[1]`.
    """
    try:
        # First, because a text that is wholly JSON holds no thinking: a tag in one of its strings is data.
        return FoundJson(loads_text(text.strip()))
    except NotJson:
        from agentv_py.jsontext.parts import Parts  # most answers are JSON and nothing else

        parts = Parts(text)
    if parts.thinking:
        try:
            return FoundJson(loads_text(_leave_out(text, parts.thinking).strip()))
        except NotJson:
            pass
    return _find_fenced(text, parts) or _find_region(text, parts)


def _leave_out(text: str, spans: list[tuple[int, int]]) -> str:
    kept, position = [], 0
    for start, end in spans:
        kept.append(text[position:start])
        position = end
    return "".join([*kept, text[position:]])


def _find_fenced(text: str, parts: "Parts") -> FoundJson | None:
    for start, end in reversed(parts.blocks):
        try:
            value = loads_text(text[start:end].strip())
        except NotJson:
            continue
        if isinstance(value, dict | list):
            return FoundJson(value, "fenced")
    return None


def _find_region(text: str, parts: "Parts") -> FoundJson:
    found = None
    for value in _read_regions(text, parts.regions):
        if isinstance(value, dict):
            return FoundJson(value, "found")
        if found is None and not _is_citation(value):
            found = FoundJson(value, "found")
    if found is None:
        raise NotJson("no JSON in the text")
    return found


def _read_regions(text: str, regions: "list[Region]") -> Iterator[Any]:
    """Yield the values of the regions that are JSON, the last one first; of any other region, those in it.

    The number of characters is limited, because a text in a region that is not JSON is read again.
    """
    left = _MOST_REPETITIONS * len(text) + _FEW_CHARACTERS
    unread = list(regions)
    while unread:
        start, end, inner = unread.pop()
        left -= end - start
        if left < 0:
            return
        try:
            yield loads_text(text[start:end])
        except NotJson:
            unread.extend(inner)


def _is_citation(value: list[Any]) -> bool:
    """Tell whether a list is like `[1]`, `["Smith"]` or `[1, 4]`: texts are full of these."""
    if len(value) == 1:
        return not isinstance(value[0], dict | list)
    return 1 < len(value) <= _MOST_CITATIONS and all(
        type(item) is int and 0 < item <= _HIGHEST_CITATION for item in value
    )
