"""A JSON Schema and a value → how much work it is at most to check the value, and to list its violations.

A schema whose parts refer to each other can take time that doubles with each level of a value. The work is counted
before it is done: how many subschemas check a single value at each depth, whichever properties lead there.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from agentv_py.inference.schema_graph import ANY_ITEM, ANY_PROPERTY, Key, SchemaGraph

# Checking takes some ten nanoseconds for each subschema, and the message of a branch some ten microseconds.
MOST_CHECKS = 10**8
MOST_BRANCHES = 50_000
_DEEPEST = 300
_ENOUGH = 10**15

Counts = dict[int, int]
"""The number of a subschema → how often it checks one value."""


class Work(NamedTuple):
    """What it takes to check one value."""

    checks: int
    branches: int
    """Those checks whose violations are collected for the message of `anyOf` or `oneOf`."""


class SchemaWork:
    """Counts the work of one schema."""

    def __init__(self, schema: Any) -> None:
        self._nodes = SchemaGraph(schema).nodes

    @property
    def has_cycle(self) -> bool:
        """Whether a subschema refers back to itself without a step into the value, so that it says nothing."""
        return self._order is None

    def measure(self, depth: int) -> Work:
        """Return the most work for one value in a value that is nested so deeply."""
        levels = self._levels[: depth + 1]
        return Work(max(level.checks for level in levels), max(level.branches for level in levels))

    @cached_property
    def most(self) -> Work:
        """The most work for one value at any depth."""
        return self.measure(_DEEPEST)

    @cached_property
    def _levels(self) -> list[Work]:
        levels, entries = list[Work](), Counts({0: 1})
        for _ in range(_DEEPEST + 1):
            counts = self._spread(entries)
            branches = sum(count for number, count in counts.items() if number in self._in_branches)
            levels.append(Work(sum(counts.values()), branches))
            following = self._step_inside(counts)
            if following == entries:
                break
            entries = following
        return levels + [levels[-1]] * (_DEEPEST + 1 - len(levels))

    @cached_property
    def _in_branches(self) -> set[int]:
        """The subschemas in a branch of `anyOf` or `oneOf`, at any depth."""
        found, open_ = set[int](), [number for node in self._nodes for number in node.branches]
        while open_:
            number = open_.pop()
            if number not in found:
                found.add(number)
                open_ += self._list_below(number)
        return found

    def _list_below(self, number: int) -> Iterator[int]:
        node = self._nodes[number]
        yield from node.same
        for numbers in (*node.inside.values(), *node.always.values()):
            yield from numbers

    @cached_property
    def _order(self) -> list[int] | None:
        """The subschemas, each before those that check the same value for it; None if there is a cycle."""
        waiting = defaultdict[int, int](int)
        for node in self._nodes:
            for number in node.same:
                waiting[number] += 1
        order = [number for number in range(len(self._nodes)) if not waiting[number]]
        for number in order:
            for below in self._nodes[number].same:
                waiting[below] -= 1
                if not waiting[below]:
                    order.append(below)
        return order if len(order) == len(self._nodes) else None

    def _spread(self, entries: Counts) -> Counts:
        """Return how often each subschema checks a value at which these begin."""
        counts = defaultdict[int, int](int, entries)
        for number in self._order or ():
            if counts.get(number):
                for below in self._nodes[number].same:
                    counts[below] = min(_ENOUGH, counts[below] + counts[number])
        return {number: count for number, count in counts.items() if count}

    def _step_inside(self, counts: Counts) -> Counts:
        """Return how often each subschema begins at a value inside, at whichever place that is most often."""
        most = defaultdict[int, int](int)
        others = {"property": defaultdict[int, int](int), "item": defaultdict[int, int](int)}
        for number, count in counts.items():
            node = self._nodes[number]
            for kind, totals in others.items():
                for below in (*node.inside.get((kind, None), ()), *node.always.get(kind, ())):
                    totals[below] += count
        for place, changes in self._list_changes(counts).items():
            base: Counts = others.get(place[0], {})
            for number, change in changes.items():
                most[number] = max(most[number], base.get(number, 0) + change)
        for totals in others.values():
            for number, count in totals.items():
                most[number] = max(most[number], count)
        return {number: min(_ENOUGH, count) for number, count in most.items() if count > 0}

    def _list_changes(self, counts: Counts) -> dict[Key, Counts]:
        """Return, for each place that is named, how its counts differ from those of any other place."""
        changes = dict[Key, Counts]()
        for number, count in counts.items():
            node = self._nodes[number]
            for place, numbers in node.inside.items():
                if place in (ANY_PROPERTY, ANY_ITEM):
                    continue
                own = changes.setdefault(place, defaultdict(int))
                for below in numbers:
                    own[below] += count
                for below in node.inside.get((place[0], None), ()) if place[1] is not None else ():
                    own[below] -= count
        return changes
