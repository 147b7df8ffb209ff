"""`items[0].amount` → the value there."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any

from agentv_py.case import ABSENT

ROOT = "$"

Get = Callable[[Any], Any]
Read = Callable[[Any], tuple[Any, ...]]

_STEP = re.compile(
    r"""(?P<dot>\.)?(?P<key>[^.\[\]]+) | \[\+?(?P<index>[0-9]+)\] | \[(?P<each>\*)\]
        | \[(?P<quote>["'])(?P<quoted>.*?)(?P=quote)\] | \[(?P<bare>[^\[\]"']+)\]""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Step:
    key: str
    index: int | None
    each: bool = False
    bracketed: bool = False
    """Written as `[0]`; `2023` behind a dot reaches the same place, but may well be the key of an object."""


@dataclass(frozen=True, slots=True)
class Path:
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
    """The values at all paths at once. Neighbours that share the first of two steps take it together."""
    keys = [path.steps[0].key for path in paths if path.steps and len(path.steps) == 1]
    if keys and len(keys) == len(paths):
        return _key_reader(keys, [path.getter() for path in paths])
    getters = [path.getter() for path in paths]
    whole = frozenset(path.text for path in paths if path.steps is None or len(path.steps) != 1)
    groups = [_group(first, list(found)) for first, found in groupby(paths, _first_of_two)]

    def read(value: Any) -> tuple[Any, ...]:
        if type(value) is not dict or not whole.isdisjoint(value):
            return tuple([get(value) for get in getters])
        found: tuple[Any, ...] = ()
        for first, take, gets in groups:
            try:
                found += take(value[first]) if first is not None else tuple([get(value) for get in gets])
            except (KeyError, TypeError):
                found += tuple([get(value) for get in gets])
        return found

    return read


def _key_reader(keys: Sequence[str], getters: Sequence[Get]) -> Read:
    take = _taker(keys)

    def read(value: Any) -> tuple[Any, ...]:
        try:
            return take(value)
        except (KeyError, TypeError):
            return tuple([get(value) for get in getters])

    return read


def _first_of_two(path: Path) -> str | None:
    return path.steps[0].key if path.steps is not None and len(path.steps) == 2 else None


def _group(first: str | None, paths: Sequence[Path]) -> tuple[str | None, Read, list[Get]]:
    """How to take what lies behind a shared first step at once, and how one by one; the latter is for every value."""
    last = [path.steps[1].key for path in paths if path.steps] if first is not None else []
    return first, _taker(last), [path.getter() for path in paths]


def _taker(keys: Sequence[str]) -> Read:
    """The values of an object that has all of these keys; KeyError or TypeError for any other value."""
    if len(keys) > 1:
        return itemgetter(*keys)
    return lambda value: tuple([value[key] for key in keys])


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
        elif isinstance(value, list) and step.index is not None and step.index < len(value):
            value = value[step.index]
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
        return Step(found["index"], int(found["index"]), bracketed=True)
    if found["quoted"] is not None:
        return Step(found["quoted"], None)
    key = found["key"] or found["bare"]
    return Step(key, int(key) if key.isascii() and key.isdigit() else None)
