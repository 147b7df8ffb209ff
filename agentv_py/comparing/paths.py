"""`items[0].amount` → the value there."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import groupby
from operator import call, itemgetter
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
    """The values at all paths at once; in one go where an object has them all."""
    getters = [path.getter() for path in paths]
    whole = frozenset(path.text for path in paths if path.steps is None or len(path.steps) != 1)
    if not paths or not all(path.steps for path in paths):
        return lambda value: tuple([get(value) for get in getters])
    take = _taker([path.steps for path in paths if path.steps])
    first = {path.steps[0].key for path in paths if path.steps}
    just_these = len(first) if whole.isdisjoint(first) else -1

    def read(value: Any) -> tuple[Any, ...]:
        if type(value) is dict:
            try:
                found = take(value)
            except (KeyError, TypeError):
                pass
            else:
                # An object with no other keys has none that is a whole path.
                if len(value) == just_these or whole.isdisjoint(value):
                    return found
        return tuple([get(value) for get in getters])

    return read


def _taker(paths: Sequence[tuple[Step, ...]]) -> Read:
    """The values of an object that has all of these paths; KeyError or TypeError for any other value."""
    if len(paths) > 1 and all(len(path) == 1 for path in paths):
        return itemgetter(*(path[0].key for path in paths))
    groups = [
        (key, [path[1:] for path in found])
        for (key, _), found in groupby(paths, lambda path: (path[0].key, len(path) > 1))
    ]
    takers = [_taker(below) if below[0] else _repeater(len(below)) for _, below in groups]
    if len(groups) == 1:
        key, take = groups[0][0], takers[0]
        return lambda value: take(value[key])
    first = itemgetter(*(key for key, _ in groups))
    return lambda value: sum(map(call, takers, first(value)), ())


def _repeater(times: int) -> Read:
    return lambda value: (value,) * times


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
        return Step(found["index"], int(found["index"]), bracketed=True)
    if found["quoted"] is not None:
        return Step(found["quoted"], None)
    key = found["key"] or found["bare"]
    return Step(key, int(key) if key.isascii() and key.isdigit() else None)
