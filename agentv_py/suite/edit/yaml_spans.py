"""YAML text → the span of every value in it."""

from collections.abc import Iterator
from itertools import accumulate

from agentv_py.suite.edit.span import Span
from agentv_py.suite.yaml_document import Event, read_events


def locate_yaml(text: str) -> Span:
    """Locate the values of a document. An alias is a span of its own: what it names is not below it."""
    starts = [0, *accumulate(len(line) for line in text.splitlines(keepends=True))]
    events = read_events(text)
    return _locate(next(events), events, starts)


def _locate(event: Event, events: Iterator[Event], starts: list[int]) -> Span:
    start, end = (starts[line] + column for line, column in (event.start, event.end))
    if event.kind == "mapping":
        return _locate_mapping(event, events, starts, start)
    if event.kind == "sequence":
        span = Span(start, end, "flow" if event.style == "flow" else "block", None, event.start[1])
        items: list[Span] = []
        while (event := next(events)).kind != "end":
            items.append(_locate(event, events, starts))
        span.below, span.end = items, starts[event.end[0]] + event.end[1]
        return span
    style = {"|": "literal", ">": "literal", "'": "quoted", '"': "quoted"}.get(event.style, "plain")
    return Span(start, end, style)  # type: ignore[arg-type]  # the table holds styles only


def _locate_mapping(event: Event, events: Iterator[Event], starts: list[int], start: int) -> Span:
    span = Span(start, start, "flow" if event.style == "flow" else "block", None, event.start[1])
    below: dict[str, Span] = {}
    while (event := next(events)).kind != "end":
        key, value = event.value, _locate(next(events), events, starts)
        if key != "<<":
            below[key] = value
    span.below, span.end = below, starts[event.end[0]] + event.end[1]
    return span
