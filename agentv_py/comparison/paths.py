"""`items[0].amount` → the value there."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from agentv_py.case import ABSENT

ROOT = "$"

Get = Callable[[Any], Any]
Read = Callable[[Any], tuple[Any, ...]]
ReadColumns = Callable[[Sequence[Any]], Sequence[Sequence[Any]]]

_STEP = re.compile(
    r"""(?P<dot>\.)?(?P<key>[^.\[\]]+) | \[\+?(?P<index>[0-9]+)\] | \[(?P<each>\*)\]
        | \[(?P<quote>["'])(?P<quoted>.*?)(?P=quote)\] | \[(?P<bare>[^\[\]"']+)\]""",
    re.VERBOSE | re.DOTALL,
)
_MOST_DIGITS = 18
_MOST_WRITTEN = 50


class Step(NamedTuple):
    key: str
    number: int | None
    """The key as an index of a list; None if it is no index."""
    each: bool = False
    bracketed: bool = False
    """Whether the step is written as `[0]`. `.2023` reaches the same value, but may also be the key of an object."""


class Path(NamedTuple):
    """A path as the user wrote it, and its steps. A malformed path has no steps and reaches nothing."""

    text: str
    steps: tuple[Step, ...] | None

    def build_getter(self) -> Get:
        """Return lodash's `get` for this path. A missing step gives ABSENT; a key that equals the whole path wins."""
        text, steps = self.text, self.steps
        if steps is None:
            return lambda _value: ABSENT
        if not steps:
            return lambda value: value

        def get(value: Any) -> Any:
            if len(steps) > 1 and isinstance(value, dict) and text in value:
                return value[text]
            return resolve_steps(steps, value)

        return get


def build_reader(paths: Sequence[Path]) -> Read:
    """Return a function that reads the values at all paths. Neighbouring paths share an equal first step."""
    # A closure, because the steps are taken apart once and the function runs twice for each record of each case.
    getters = [path.build_getter() for path in paths]
    steps = [path.steps for path in paths if path.steps]
    if len(steps) < len(paths):
        return lambda value: tuple([get(value) for get in getters])
    if all(len(path) == 1 for path in steps):
        return _build_step_reader(steps)
    whole = frozenset(path.text for path in paths if path.steps is None or len(path.steps) > 1)
    groups = [
        (first, _build_step_reader([path[1:] for path in group]))
        for first, group in groupby(steps, lambda path: path[0].key)
    ]
    take = _write_taker(steps)

    def read(value: Any) -> tuple[Any, ...]:
        if type(value) is not dict or not whole.isdisjoint(value):
            return tuple([get(value) for get in getters])
        try:
            return take(value)
        except (KeyError, TypeError):
            return tuple(below for first, read_below in groups for below in read_below(value.get(first, ABSENT)))

    return read


def _write_taker(paths: Sequence[tuple[Step, ...]]) -> Read:
    """Return a function for an object that has all paths. It raises KeyError or TypeError for any other value.

    Its code is written for these paths, which takes a third of the time of a loop over them:
    `lambda value: ((v0 := value['buyer'])['name'], v0['vat'], value['total'])`.
    """
    names: dict[str, str] = {}
    parts = list[str]()
    getters = [partial(resolve_steps, path) for path in paths]
    for index, path in enumerate(paths):
        first, *rest = (f"[{step.key!r}]" for step in path)
        # A number may be an index. Python cannot compile an expression of some thousands of steps.
        if len(path) > _MOST_WRITTEN or any(step.number is not None for step in path):
            parts.append(f"getters[{index}](value)")
        elif not rest:
            parts.append(f"value{first}")
        elif first in names:
            parts.append(f"{names[first]}{''.join(rest)}")
        else:
            names[first] = f"v{len(names)}"
            parts.append(f"({names[first]} := value{first}){''.join(rest)}")
    read: Read = eval(f"lambda value: ({', '.join(parts)},)", {"getters": getters})  # noqa: S307  keys are quoted
    return read


def build_column_reader(paths: Sequence[Path]) -> ReadColumns:
    """Return a function that reads the values at all paths in many values: a column for each path.

    If every value is an object that has all paths, the columns are read one by one, which takes a third of the time.
    """
    read = build_reader(paths)
    steps = [path.steps for path in paths if path.steps]
    whole = frozenset(path.text for path in paths if path.steps is None or len(path.steps) > 1)
    groups = [
        (itemgetter(first), [[itemgetter(step.key) for step in path[1:]] for path in group])
        for first, group in groupby(steps, lambda path: path[0].key)
    ]

    def read_columns(values: Sequence[Any]) -> Sequence[Sequence[Any]]:
        columns: list[Sequence[Any]] = []
        for take_first, rests in groups:
            above = list(map(take_first, values))
            for rest in rests:
                column = above
                for take in rest:
                    column = list(map(take, column))
                columns.append(column)
        return columns

    def read_all(values: Sequence[Any]) -> Sequence[Sequence[Any]]:
        if len(steps) == len(paths) and set(map(type, values)) == {dict} and all(map(whole.isdisjoint, values)):
            try:
                return read_columns(values)
            except (KeyError, TypeError):
                pass
        return list(zip(*map(read, values), strict=True))

    return read_all


def _build_step_reader(paths: Sequence[tuple[Step, ...]]) -> Read:
    """Return a function that reads the values at several paths. It does not look for keys that equal a whole path."""
    keys = [path[0].key for path in paths if len(path) == 1]
    take = _build_taker(keys)

    def read(value: Any) -> tuple[Any, ...]:
        if type(value) is dict:
            try:
                return take(value)
            except KeyError:
                return tuple([value.get(key, ABSENT) for key in keys])
        return resolve_each(value)

    def resolve_each(value: Any) -> tuple[Any, ...]:
        return tuple([resolve_steps(path, value) for path in paths])

    return read if len(keys) == len(paths) else resolve_each


def _build_taker(keys: Sequence[str]) -> Read:
    """Return a function that reads the values of all keys of an object as a tuple, also of one key or none."""
    if len(keys) == 1:
        [key] = keys
        return lambda value: (value[key],)
    return itemgetter(*keys) if keys else lambda _value: ()


def parse_path(text: str) -> Path:
    if text == ROOT:
        return Path(text, ())
    steps: list[Step] = []
    position = 0
    while position < len(text):
        match = _STEP.match(text, position)
        # A dot comes before every key except the first.
        if match is None or (match["key"] is not None and bool(match["dot"]) != bool(steps)):
            return Path(text, None)
        steps.append(_read_step(match))
        position = match.end()
    return Path(text, tuple(steps) or None)


def parse_key(key: str) -> Path:
    """Return the path of one key of an object. The key may contain any characters."""
    return Path(join_path("", key), (Step(key, None),))


def resolve_steps(steps: tuple[Step, ...], value: Any) -> Any:
    for step in steps:
        if isinstance(value, dict):
            value = value.get(step.key, ABSENT)
        elif isinstance(value, list) and step.number is not None and step.number < len(value):
            value = value[step.number]
        else:
            return ABSENT
    return value


def join_path(path: str, key: str) -> str:
    """Return the path of a key below a path, written so that it can be parsed again."""
    if not key or any(mark in key for mark in ".[]") or (key == ROOT and not path):
        quote = "'" if '"' in key else '"'
        return f"{path}[{quote}{key}{quote}]"
    return f"{path}.{key}" if path else key


def join_steps(steps: Sequence[Step]) -> Path:
    """Return the path that has these steps."""
    text = ""
    for step in steps:
        text = join_path(text, step.key) if step.number is None else f"{text}[{step.number}]"
    return Path(text, tuple(steps))


def write_suffix(text: str) -> str:
    """Return a path as it is written behind another path."""
    return text if text.startswith("[") else f".{text}"


@lru_cache(maxsize=65_536)
def attribute_of(path: str) -> str:
    """Return the path without its list indexes. The counts of many cases are added up under it."""
    text = ""
    for step in parse_path(path).steps or ():
        text = f"{text}[]" if step.each or step.bracketed else join_path(text, step.key)
    return text or ROOT


def _read_step(match: re.Match[str]) -> Step:
    if match["each"]:
        return Step("*", None, each=True)
    if match["index"] is not None:
        return Step(match["index"], read_index(match["index"]), bracketed=True)
    if match["quoted"] is not None:
        return Step(match["quoted"], None)
    key = match["key"] or match["bare"]
    return Step(key, read_index(key) if key.isascii() and key.isdigit() else None)


def read_index(digits: str) -> int | None:
    """Return the index, or None if no list can be that long. Python refuses to read numbers of thousands of digits."""
    return int(digits) if len(digits) <= _MOST_DIGITS else None
