"""A JSON Schema → a validator of values: where a value violates the schema, by which keyword, and how.

Drafts 4 to 2020-12. A `$ref` must lead to a place inside the schema: nothing is fetched and no other file is read.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from agentv_py import jsontext
from agentv_py.comparison.paths import ROOT, join_path
from agentv_py.errors import EvaluationError
from agentv_py.inference.json_schema import UnusableSchema
from agentv_py.inference.schema_work import MOST_BRANCHES, MOST_CHECKS, SchemaWork

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError

_OUTSIDE = re.compile(r"Resource '(.*?)' is not present in a registry")
_NOWHERE = re.compile(r"Pointer '(.*?)' does not exist|Anchor '(.*?)' does not exist")
_NO_DRAFT = re.compile(r"Unknown meta-schema: '(.*?)'")
_LONGEST = 200
_LONGEST_VALUE = 60
# A schema that checks each value so often at most is fast for every value.
_FEW_CHECKS = 10_000
_VALUE = "\ue000"
"""Stands for the value in a message, so that a long value does not hide what is wrong with it."""


class Violation(NamedTuple):
    path: str
    """The place in the value: `items[0].sku`; the whole value is `$`."""
    keyword: str
    """The keyword of the schema, such as `type`; empty if the value cannot be checked."""
    message: str


class SchemaValidator:
    """Checks values against one schema, which is compiled once."""

    def __init__(self, schema: Any, *, formats: bool = True) -> None:
        """Compile the schema; `formats` says whether `format` counts. Raises UnusableSchema."""
        from jsonschema_rs import ValidationError, validator_for

        if not isinstance(schema, dict | bool):
            raise UnusableSchema("is not a JSON Schema: it must be an object")
        try:
            self._validator = validator_for(schema, validate_formats=formats, offline=True, mask=_VALUE)
        except ValidationError as error:
            raise UnusableSchema(_explain_schema(error)) from None
        except ValueError as error:  # half a character, or a number that no schema can hold
            raise UnusableSchema(f"is not a JSON Schema: {_cut(str(error))}") from None
        self._work = SchemaWork(schema)
        if self._work.has_cycle:
            raise UnusableSchema("refers back to itself without a step into the value, so that it says nothing")
        self._is_light = self._work.most.checks <= _FEW_CHECKS

    def is_valid(self, value: Any) -> bool:
        """Tell whether a value is valid. Raises EvaluationError if that is too much work."""
        if not self._is_light:
            self._check_work(value)
        try:
            return self._validator.is_valid(value)
        except ValueError:  # `list_violations` says why
            return False

    def list_violations(self, value: Any) -> Iterator[Violation]:
        """Yield every violation, in the order of the schema. Raises EvaluationError if that is too much work."""
        if self.is_valid(value):
            return
        if self._has_many_branches(value):
            yield Violation(ROOT, "schema", "is not valid, in too many ways to list")
            return
        try:
            for error in self._validator.iter_errors(value):
                message = error.message.replace(_VALUE, _write_value(error.instance))
                yield Violation(_write_path(error.instance_path), error.kind.name, _cut(message))
        except ValueError as error:
            yield Violation(ROOT, "", f"cannot be checked: {_cut(str(error))}")

    def _check_work(self, value: Any) -> None:
        count, depth = _measure_value(value)
        if count * self._work.measure(depth).checks > MOST_CHECKS:
            raise EvaluationError(
                "schema", f"the schema branches too much to check a value of {count:,} parts, {depth} levels deep"
            )

    def _has_many_branches(self, value: Any) -> bool:
        if not self._work.most.branches:
            return False
        count, depth = _measure_value(value)
        return count * self._work.measure(depth).branches > MOST_BRANCHES


def _measure_value(value: Any) -> tuple[int, int]:
    """Return how many values a value holds, with itself, and how deep it is."""
    count, depth, level = 1, 0, [value]
    while level := [child for item in level for child in _list_children(item)]:
        count += len(level)
        depth += 1
    return count, depth


def _list_children(item: Any) -> Iterable[Any]:
    if isinstance(item, dict):
        return item.values()
    return item if isinstance(item, list) else ()


def _explain_schema(error: "ValidationError") -> str:
    message = error.message
    if outside := _OUTSIDE.search(message):
        return f"has a $ref {outside[1]!r} that leads out of the file; copy that schema into $defs"
    if nowhere := _NOWHERE.search(message):
        return f"has a $ref {'#' + (nowhere[1] or nowhere[2])!r} that names nothing in the file"
    if draft := _NO_DRAFT.search(message):
        return f"names an unknown draft {draft[1]!r} as $schema; drafts 4, 6, 7, 2019-09 and 2020-12 are known"
    where = _write_path(error.instance_path)
    what = _cut(message.replace(_VALUE, _write_value(error.instance)))
    return f"is not a valid JSON Schema: {'' if where == ROOT else where + ': '}{what}"


def _write_path(steps: Sequence[str | int]) -> str:
    path = ""
    for step in steps:
        path = f"{path}[{step}]" if isinstance(step, int) else join_path(path, step)
    return path or ROOT


def _write_value(value: Any) -> str:
    return _cut(jsontext.dumps(value).decode(), _LONGEST_VALUE)


def _cut(text: str, longest: int = _LONGEST) -> str:
    return text if len(text) <= longest else text[:longest] + "…"
