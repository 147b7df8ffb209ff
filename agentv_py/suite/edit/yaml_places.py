"""YAML text → the place of every value in it."""

from collections.abc import Iterator
from itertools import accumulate

from agentv_py.suite.edit.place import Place
from agentv_py.suite.yaml_document import Event, read_events


def locate_yaml(text: str) -> Place:
    """Locate the values of a document. An alias is a place of its own: what it names is not below it."""
    starts = [0, *accumulate(len(line) for line in text.splitlines(keepends=True))]
    events = read_events(text)
    return _locate(next(events), events, starts)


def _locate(event: Event, events: Iterator[Event], starts: list[int]) -> Place:
    start, end = (starts[line] + column for line, column in (event.start, event.end))
    if event.kind == "mapping":
        return _locate_mapping(event, events, starts, start)
    if event.kind == "sequence":
        place = Place(start, end, "flow" if event.style == "flow" else "block", None, event.start[1])
        items: list[Place] = []
        while (event := next(events)).kind != "end":
            items.append(_locate(event, events, starts))
        place.below, place.end = items, starts[event.end[0]] + event.end[1]
        return place
    style = {"|": "literal", ">": "literal", "'": "quoted", '"': "quoted"}.get(event.style, "plain")
    return Place(start, end, style)  # type: ignore[arg-type]  # the table holds styles only


def _locate_mapping(event: Event, events: Iterator[Event], starts: list[int], start: int) -> Place:
    place = Place(start, start, "flow" if event.style == "flow" else "block", None, event.start[1])
    below: dict[str, Place] = {}
    while (event := next(events)).kind != "end":
        key, value = event.value, _locate(next(events), events, starts)
        if key != "<<":
            below[key] = value
    place.below, place.end = below, starts[event.end[0]] + event.end[1]
    return place
