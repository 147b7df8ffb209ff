"""How much work a schema is, and that a schema of endless work ends in bounded time with a clear error."""

from typing import Any

import pytest

from agentv_py.errors import EvaluationError
from agentv_py.inference.json_schema import UnusableSchema
from agentv_py.inference.schema_validator import SchemaValidator
from agentv_py.inference.schema_work import SchemaWork, Work

_SELF = {"$ref": "#"}
_OBJECT = {"type": "object", "properties": {"a": _SELF}}
_TWICE = {"anyOf": [{"type": "integer"}, _OBJECT, _OBJECT | {"required": ["a"]}]}


def _double(levels: int, keyword: str) -> dict[str, Any]:
    """A schema whose parts each refer twice to the next one."""
    parts: dict[str, Any] = {"p0": {"type": "string"}}
    for level in range(1, levels + 1):
        parts[f"p{level}"] = {keyword: [{"$ref": f"#/$defs/p{level - 1}"}] * 2}
    return {"$defs": parts, "$ref": f"#/$defs/p{levels}"}


def _nest(levels: int) -> Any:
    value: Any = "bad"
    for _ in range(levels):
        value = {"a": value}
    return value


@pytest.mark.parametrize(
    ("schema", "work"),
    [
        ({"properties": {"left": _SELF, "right": _SELF}, "additionalProperties": False}, Work(3, 0)),
        ({"properties": {"left": _SELF}, "additionalProperties": _SELF}, Work(2, 0)),
        ({"properties": {"left": _SELF}, "patternProperties": {"^l": _SELF}}, Work(4096, 0)),
        ({"items": {"anyOf": [{"const": 1}, {"const": 2}]}}, Work(3, 2)),
        ({"prefixItems": [_SELF, _SELF], "items": _SELF}, Work(2, 0)),
        ({"$id": "http://x/a", "properties": {"p": {"$ref": "/b#n"}}, "$defs": {"b": {"$id": "b", "$anchor": "n"}}}, Work(2, 0)),
    ],
)  # fmt: skip
def test_parts_that_check_the_same_value_are_counted_and_those_of_other_places_are_not(schema: Any, work: Work) -> None:
    assert SchemaWork(schema).measure(11) == work


def test_a_value_that_would_take_too_long_is_an_error_that_says_why() -> None:
    for schema, value in ((_double(40, "allOf"), "x"), (_double(40, "anyOf"), 5), (_TWICE, _nest(60))):
        with pytest.raises(EvaluationError, match="the schema branches too much to check a value of"):
            list(SchemaValidator(schema).list_violations(value))


def test_violations_that_would_take_too_long_to_list_are_one_violation() -> None:
    for schema, value in ((_double(16, "anyOf"), 5), (_TWICE, _nest(14))):
        [violation] = SchemaValidator(schema).list_violations(value)
        assert violation == ("$", "schema", "is not valid, in too many ways to list")


def test_a_schema_that_leads_back_to_itself_for_the_same_value_cannot_be_used() -> None:
    names = [f"p{number}" for number in range(12)]
    every = {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in names]}
    for schema in (_SELF, {"not": _SELF}, {"$defs": dict.fromkeys(names, every), **every}):
        with pytest.raises(UnusableSchema, match="refers back to itself without a step into the value"):
            SchemaValidator(schema)
