"""An answer that says how sure it is of each value → the answer alone, and a tree of confidences of the same shape."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

from pydantic import Field, model_validator

from agentv_py import jsontext
from agentv_py.case import ABSENT, Case
from agentv_py.comparison.paths import Step, parse_path, resolve_steps
from agentv_py.options import Options

NAME = "confidence"
BROKEN = "confidence_without_value"
"""The key of a row that counts the wrappers of its answer that have a confidence and no value."""


class Wrapper(Options):
    """The keys of an object that holds a value and its confidence."""

    value: str = Field("_value", min_length=1)
    confidence: str = Field("_confidence", min_length=1)

    @model_validator(mode="after")
    def _check_keys(self) -> Self:
        if self.value == self.confidence:
            raise ValueError("value and confidence must be different keys")
        return self


class Confidence(Options):
    """Where an answer says how sure it is. What says it is taken off before evaluators compare."""

    wrapper: Wrapper | None = Field(
        None, description="Each value is an object with these two keys, at any depth; keys beside them are dropped."
    )
    path: str | None = Field(
        None, min_length=1, description="The path of a tree that has the answer's shape, with a number for each value."
    )
    scale: float = Field(
        1.0, gt=0, allow_inf_nan=False, description="The confidence that means certainty, such as 100."
    )

    @model_validator(mode="after")
    def _check_ways(self) -> Self:
        if (self.wrapper is None) == (self.path is None):
            raise ValueError("needs wrapper: or path:, and not both")
        if self.path is not None and not is_path_of_one_value(self.path):
            raise ValueError(f"path: {self.path!r} is not the path of one value inside the answer")
        return self

    def separate(self, case: Case) -> None:
        """Take the confidences off the answers of a case, and put them into what is known about these answers."""
        if case.candidates is not None:
            given = (case.facts or {}).get("repeats") or [{} for _ in case.candidates]
            parts = [self._separate(answer, known) for answer, known in zip(case.candidates, given, strict=True)]
            case.candidates = [part.answer for part in parts]
            case.facts = (case.facts or {}) | {"repeats": [part.facts for part in parts]}
        elif case.candidate is not ABSENT:
            case.candidate, facts, case.source = self._separate(case.candidate, case.facts or {})
            case.facts = facts or None

    def _separate(self, answer: Any, facts: Mapping[str, Any]) -> "_Part":
        try:
            found = jsontext.find(answer) if isinstance(answer, str) else jsontext.FoundJson(answer, "whole")
        except jsontext.NotJson:
            return _Part(answer, dict(facts), "whole")
        reader = _Reader(self)
        alone, tree = reader.read(found.value)
        # An empty tree says that confidences were looked for, so that values without one are counted.
        known = {NAME: facts.get(NAME, {}) if tree is None else tree}
        broken = {BROKEN: reader.broken} if reader.broken else {}
        if alone is found.value:  # nothing is taken off, so evaluators may read the text themselves
            return _Part(answer, {**facts, **known, **broken}, "whole")
        return _Part(alone, {**facts, **known, **broken}, found.place)


class _Part(NamedTuple):
    """An answer without its confidences, what is known about it, and the part of the text in which it was."""

    answer: Any
    facts: dict[str, Any]
    place: jsontext.Place


class _Reader:
    """Reads one answer: yields it without confidences, and the tree of its confidences, None if it has none."""

    def __init__(self, options: Confidence) -> None:
        self.options = options
        self.broken = 0
        """The number of objects that have the key of a confidence and no value."""

    def read(self, answer: Any) -> tuple[Any, Any]:
        if self.options.wrapper is not None:
            alone, tree = self._unwrap(answer, self.options.wrapper, None)
            return alone, tree
        alone, tree = _take_off(answer, self.options.path or "")
        return alone, self._scale(tree)

    def _unwrap(self, value: Any, keys: Wrapper, outer: Any) -> tuple[Any, Any]:
        """Return a value without wrappers, and its tree. A value without a confidence of its own has the outer one."""
        if not isinstance(value, dict | list):
            return value, None
        if isinstance(value, dict):
            if keys.value in value and (keys.confidence in value or len(value) == 1):
                own = self._scale(value.get(keys.confidence))
                own = outer if own is None else own
                alone, tree = self._unwrap(value[keys.value], keys, own)
                return alone, own if tree is None else tree
            self.broken += keys.confidence in value
        items = list(value.items() if isinstance(value, dict) else enumerate(value))
        parts = {key: self._unwrap(item, keys, outer) for key, item in items}
        trees = {key: outer if tree is None else tree for key, (_, tree) in parts.items()}
        has_own = any(tree is not None for _, tree in parts.values())
        if all(parts[key][0] is item for key, item in items):
            return value, None
        if isinstance(value, list):
            return [alone for alone, _ in parts.values()], list(trees.values()) if has_own else None
        known = {key: tree for key, tree in trees.items() if tree is not None}
        return {key: alone for key, (alone, _) in parts.items()}, known if has_own else None

    def _scale(self, tree: Any) -> Any:
        if self.options.scale == 1:
            return tree
        if isinstance(tree, dict):
            return {key: self._scale(item) for key, item in tree.items()}
        if isinstance(tree, list):
            return [self._scale(item) for item in tree]
        return tree / self.options.scale if type(tree) in (int, float) else tree


def is_path_of_one_value(path: str) -> bool:
    steps = parse_path(path).steps
    return bool(steps) and not any(step.each for step in steps or ())


def _take_off(value: Any, path: str) -> tuple[Any, Any]:
    """Return a value without what is at the path, and what is there; None if nothing is there."""
    if isinstance(value, dict) and path in value:
        return {key: item for key, item in value.items() if key != path}, value[path]
    steps = parse_path(path).steps or ()
    found = resolve_steps(steps, value)
    return (value, None) if found is ABSENT else (_copy_without(value, steps), found)


def _copy_without(value: Any, steps: Sequence[Step]) -> Any:
    first, rest = steps[0], steps[1:]
    if isinstance(value, list):
        index = first.number or 0
        return [*value[:index], *([_copy_without(value[index], rest)] if rest else []), *value[index + 1 :]]
    if rest:
        return value | {first.key: _copy_without(value[first.key], rest)}
    return {key: item for key, item in value.items() if key != first.key}
