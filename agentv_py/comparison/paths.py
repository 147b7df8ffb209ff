"""`items[0].amount` → the value there."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from agentv_py.case import ABSENT

ROOT = "$"

Get = Callable[[Any], Any]
Read = Callable[[Any], tuple[Any, ...]]

_STEP = re.compile(
    r"""(?P<dot>\.)?(?P<key>[^.\[\]]+) | \[\+?(?P<index>[0-9]+)\] | \[(?P<each>\*)\]
        | \[(?P<quote>["'])(?P<quoted>.*?)(?P=quote)\] | \[(?P<bare>[^\[\]"']+)\]""",
    re.VERBOSE | re.DOTALL,
)


_MOST_DIGITS = 18


class Step(NamedTuple):
    key: str
    number: int | None
    """The index that the key is in a list, where it can be one."""
    each: bool = False
    bracketed: bool = False
    """Written as `[0]`; `2023` behind a dot reaches the same place, but may well be the key of an object."""


class Path(NamedTuple):
    """A path as the user wrote it, and its steps; malformed paths have no steps and reach nothing."""

    text: str
    steps: tuple[Step, ...] | None

    def getter(self) -> Get:
        """lodash's `get` for this path: a missing step gives ABSENT; a key that is the whole path wins."""
        text, steps = self.text, self.steps
        if steps is None:
            return lambda _value: ABSENT

        def get(value: Any) -> Any:
            if len(steps) > 1 and isinstance(value, dict) and text in value:
                return value[text]
            return resolve(steps, value)

        return get


def reader(paths: Sequence[Path]) -> Read:
    """The values at all paths at once. Neighbours that share their first step take it together."""
    getters = [path.getter() for path in paths]
    steps = [path.steps for path in paths if path.steps]
    if len(steps) < len(paths):
        return lambda value: tuple([get(value) for get in getters])
    if all(len(path) == 1 for path in steps):
        return _below(steps).read
    whole = frozenset(path.text for path in paths if path.steps is None or len(path.steps) > 1)
    groups = [
        (first, *_below([path[1:] for path in found])) for first, found in groupby(steps, lambda path: path[0].key)
    ]

    def read(value: Any) -> tuple[Any, ...]:
        if type(value) is not dict or not whole.isdisjoint(value):
            return tuple([get(value) for get in getters])
        found: tuple[Any, ...] = ()
        for first, take, read_any in groups:
            try:
                found += take(value[first])
            except (KeyError, TypeError):
                found += read_any(value.get(first, ABSENT))
        return found

    return read


class _Below(NamedTuple):
    """How to read the values at paths below some value, where no key is a whole path."""

    take: Read
    """Of an object that has them all; KeyError or TypeError for any other value."""
    read: Read


def _below(paths: Sequence[tuple[Step, ...]]) -> _Below:
    keys = [path[0].key for path in paths if len(path) == 1]
    take = itemgetter(*keys) if len(keys) > 1 else lambda value: tuple([value[key] for key in keys])

    def read(value: Any) -> tuple[Any, ...]:
        if type(value) is dict:
            try:
                return take(value)
            except KeyError:
                return tuple([value.get(key, ABSENT) for key in keys])
        return one_by_one(value)

    def one_by_one(value: Any) -> tuple[Any, ...]:
        return tuple([resolve(path, value) for path in paths])

    return _Below(take, read) if len(keys) == len(paths) else _Below(one_by_one, one_by_one)


def parse(text: str) -> Path:
    if text == ROOT:
        return Path(text, ())
    steps: list[Step] = []
    position = 0
    while position < len(text):
        found = _STEP.match(text, position)
        # The first key stands bare, every later one behind a dot.
        if found is None or (found["key"] is not None and bool(found["dot"]) != bool(steps)):
            return Path(text, None)
        steps.append(_step(found))
        position = found.end()
    return Path(text, tuple(steps) or None)


def parse_key(key: str) -> Path:
    """The path of one key of an object, whatever it holds."""
    return Path(join("", key), (Step(key, None),))


def resolve(steps: tuple[Step, ...], value: Any) -> Any:
    for step in steps:
        if isinstance(value, dict):
            value = value.get(step.key, ABSENT)
        elif isinstance(value, list) and step.number is not None and step.number < len(value):
            value = value[step.number]
        else:
            return ABSENT
    return value


def join(path: str, key: str) -> str:
    """The path of a key below a path, spelled so that it can be parsed again."""
    if not key or any(mark in key for mark in ".[]") or (key == ROOT and not path):
        quote = "'" if '"' in key else '"'
        return f"{path}[{quote}{key}{quote}]"
    return f"{path}.{key}" if path else key


def suffix(text: str) -> str:
    """A path as it stands behind another one."""
    return text if text.startswith("[") else f".{text}"


@lru_cache(maxsize=65_536)
def attribute_of(path: str) -> str:
    """The path with its list indexes dropped: what the counts of many cases are gathered under."""
    text = ""
    for step in parse(path).steps or ():
        text = f"{text}[]" if step.each or step.bracketed else join(text, step.key)
    return text or ROOT


def _step(found: re.Match[str]) -> Step:
    if found["each"]:
        return Step("*", None, each=True)
    if found["index"] is not None:
        return Step(found["index"], read_index(found["index"]), bracketed=True)
    if found["quoted"] is not None:
        return Step(found["quoted"], None)
    key = found["key"] or found["bare"]
    return Step(key, read_index(key) if key.isascii() and key.isdigit() else None)


def read_index(digits: str) -> int | None:
    """The index, unless no list is so long; Python would not even read a number of thousands of digits."""
    return int(digits) if len(digits) <= _MOST_DIGITS else None
