"""What violates a JSON Schema, and which schemas cannot be used."""

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from agentv_py.inference.json_schema import UnusableSchema
from agentv_py.inference.schema_validator import SchemaValidator, Violation


def test_every_violation_has_its_place_its_keyword_and_a_short_message() -> None:
    schema = {
        "properties": {
            "total": {"type": "number"}, "due": {"format": "date"}, "a.b": {"const": 1}, "note": {"maxLength": 5},
            "items": {"items": {"required": ["sku"], "properties": {"sku": {"$ref": "#/$defs/sku"}}}},
        },
        "$defs": {"sku": {"enum": ["a", "b"]}},
    }  # fmt: skip
    value = {"total": "12", "due": "2025-13-01", "a.b": 2, "note": "x" * 99, "items": [{"sku": "c"}, {}]}
    assert list(SchemaValidator(schema).list_violations(value)) == [
        Violation("total", "type", '"12" is not of type "number"'),
        Violation("due", "format", '"2025-13-01" is not a "date"'),
        Violation('["a.b"]', "const", "1 was expected"),
        Violation("note", "maxLength", f'"{"x" * 59}… is longer than 5 characters'),
        Violation("items[0].sku", "enum", '"c" is not one of "a" or "b"'),
        Violation("items[1]", "required", '"sku" is a required property'),
    ]
    assert [one.path for one in SchemaValidator(schema, formats=False).list_violations(value | {"note": ""})] == [
        "total", '["a.b"]', "items[0].sku", "items[1]",
    ]  # fmt: skip


def test_a_value_that_cannot_be_checked_is_a_violation_and_odd_numbers_are_none() -> None:
    validator = SchemaValidator({"type": ["number", "object"], "additionalProperties": {"pattern": "x"}})
    [violation] = validator.list_violations({"a": "\ud800"})
    assert violation.path == "$"
    assert violation.message.startswith("cannot be checked: 'utf-8' codec can't encode")
    assert [list(validator.list_violations(value)) for value in (10**400, 2**70, -0.0)] == [[], [], []]


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        ({"$ref": "http://127.0.0.1:9/x.json"}, "has a $ref 'http://127.0.0.1:9/x.json' that leads out of the file; copy that schema into $defs"),
        ({"properties": {"a": {"$ref": "other.json#/b"}}}, "has a $ref 'other.json#/b' that leads out of the file; copy that schema into $defs"),
        ({"$ref": "file:///etc/hostname"}, "has a $ref 'file:///etc/hostname' that leads out of the file; copy that schema into $defs"),
        ({"$ref": "#/$defs/a"}, "has a $ref '#/$defs/a' that names nothing in the file"),
        ({"$ref": "#a"}, "has a $ref '#a' that names nothing in the file"),
        ({"$schema": "http://example.com/s"}, "names an unknown draft 'http://example.com/s' as $schema; drafts 4, 6, 7, 2019-09 and 2020-12 are known"),
        ({"properties": {"a": {"pattern": "("}}}, 'is not a valid JSON Schema: properties.a.pattern: "(" is not a "regex"'),
        ({"minimum": "\ud800"}, "is not a JSON Schema: "),
        ([], "is not a JSON Schema: it must be an object"),
    ],
)  # fmt: skip
def test_a_schema_that_cannot_be_used_says_why_and_fetches_nothing(schema: Any, problem: str) -> None:
    with pytest.raises(UnusableSchema) as caught:
        SchemaValidator(schema)
    assert str(caught.value).startswith(problem)


def test_drafts_are_told_apart_and_a_pattern_that_backtracks_ends() -> None:
    older = {"$schema": "http://json-schema.org/draft-04/schema#", "maximum": 5, "exclusiveMaximum": True}
    assert [one.keyword for one in SchemaValidator(older).list_violations(5)] == ["exclusiveMaximum"]
    backtracking = SchemaValidator({"pattern": r"^(a|a)*(?=b)\1$"})
    assert list(backtracking.list_violations("a" * 60 + "c"))


def test_the_public_test_suite_of_draft_2020_12_has_the_same_verdicts() -> None:
    """The files of JSON-Schema-Test-Suite (MIT, Julian Berman), as jsonschema 4.26 ships them.

    Refused are schemas that need another document; of the optional files, only those about formats check formats.
    """
    path = Path(__file__).with_name("json_schema_test_suite.json.gz")
    verdicts: Counter[str] = Counter()
    for name, groups in json.loads(gzip.decompress(path.read_bytes())).items():
        for group in groups:
            try:
                validator = SchemaValidator(group["schema"], formats="format/" in name)
            except UnusableSchema as error:
                assert "http://localhost:1234/" in str(error)
                verdicts["refused"] += len(group["tests"])
                continue
            for value, is_valid in group["tests"]:
                assert validator.is_valid(value) == is_valid, (name, group["schema"], value)
                verdicts["same"] += 1
    assert verdicts == {"same": 1852, "refused": 54}
