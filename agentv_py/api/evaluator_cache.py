"""The options of a call from Python → the evaluator that they mean, compiled once for equal options."""

import os
from collections.abc import Hashable, Mapping
from functools import lru_cache
from typing import Any, cast

from agentv_py.api.comparators import as_plain
from agentv_py.api.options import build
from agentv_py.comparison.comparators import AUTO
from agentv_py.evaluators.object_match import ObjectMatch

_SCALARS = frozenset({int, float, bool, type(None)})


def find_evaluator(
    comparators: Any, default: Any = None, schema: str | os.PathLike[str] | None = None, **options: Any
) -> ObjectMatch:
    """Return the evaluator of these options of `object_match`. Raises ValueError with every problem.

    If nothing says how to compare, the rules of `default: auto` decide; they also compare what a schema leaves out.
    """
    if comparators is None and default is None:
        default = AUTO
    given = {"comparators": comparators, "default": default, **options}
    if schema is None:
        return _compile(_OptionsKey(given))
    return _build(given | {"schema": os.fspath(schema)})  # the file may change between two calls


class _OptionsKey:
    """Options that equal others of the same content. A caller may change a mapping between two calls."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.options = options
        self._content = _freeze(options)
        self._hash = hash(self._content)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _OptionsKey) and self._content == other._content


class _Identity:
    """An object that equals only itself. While the key is in use, no other object has its id."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and self.value is other.value


def _freeze(value: Any) -> Hashable:
    """Return a key for a value: its content, where it can change; a match type cannot."""
    kind = type(value)
    if kind is str:
        return cast("str", value)
    if kind in _SCALARS:
        return kind, value  # 1, 1.0 and True are equal in Python
    if kind is dict or isinstance(value, Mapping):
        return tuple([(key if type(key) is str else _freeze(key), _freeze(item)) for key, item in value.items()])
    return (list, *map(_freeze, value)) if kind is list else _Identity(value)


@lru_cache(maxsize=64)
def _compile(key: _OptionsKey) -> ObjectMatch:
    return _build(key.options)


def _build(given: Mapping[str, Any]) -> ObjectMatch:
    options = {name: as_plain(value) for name, value in given.items()}
    evaluator = build(ObjectMatch, {"type": "object_match", **options})
    for place, problem in evaluator.problems():
        raise ValueError(f"{'.'.join(map(str, place))}: {problem}")
    return evaluator
