"""object_match with `schema:`: the comparators come from a JSON Schema."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl

Write = Callable[[str, Any], Path]

_SCHEMA = {
    "properties": {
        "number": {"type": "string"},
        "issued": {"type": "string", "format": "date"},
        "vendor": {"type": "object", "properties": {"name": {"type": "string"}, "vat_id": {"type": "string"}}},
        "rows": {"items": {"$ref": "#/$defs/row"}, "x-evalctl": {"key": "sku"}},
        "total": {"type": "number", "x-evalctl": {"weight": 2}},
        "unused": {"type": "string"},
    },
    "$defs": {"row": {"properties": {"sku": {"type": "string"}, "label": {"type": "string"}}}},
}
_MULTIPLYING = {
    "$ref": "#/$defs/0",
    "$defs": {str(n): {"properties": {key: {"$ref": f"#/$defs/{n + 1}"} for key in "ab"}} for n in range(25)}
    | {"25": {"type": "string"}},
}
_EXPECTED = {
    "number": "A-1",
    "issued": "2025-01-15",
    "vendor": {"name": "Acme Corp", "vat_id": "DE1"},
    "rows": [{"sku": "a", "label": "Bolt"}, {"sku": "b", "label": "Nut"}],
    "total": 10.5,
}
_SPELLED = {
    "number": "A-1",
    "issued": "15 January 2025",
    "vendor": {"name": "ACME", "vat_id": "DE1"},
    "rows": [{"sku": "b", "label": "nut"}, {"sku": "a", "label": "bolt"}],
    "total": "10.50",
}


def _write_suite(write: Write, options: dict[str, Any], candidate: Any = _SPELLED, schema: Any = _SCHEMA) -> None:
    write("evals/invoice.schema.json", schema)
    case = {"id": "a", "expected": _EXPECTED, "candidate": candidate}
    evaluator = {"type": "object_match", "schema": "invoice.schema.json", **options}
    write("evals/suite.yaml", {"evaluators": [evaluator], "cases": [case]})


def test_a_schema_gives_the_comparators(evalctl: Evalctl, write: Write) -> None:
    _write_suite(write, {})
    done = evalctl("run", "evals/suite.yaml")
    assert (done.returncode, done.stderr.count("warning")) == (0, 0), done.stdout


def test_a_weight_of_the_schema_counts(evalctl: Evalctl, write: Write) -> None:
    _write_suite(write, {}, {**_EXPECTED, "total": 99})
    done = evalctl("run", "evals/suite.yaml", "--format", "json")
    assert done.stdout.split('"mean_score":')[1].startswith('{"value":0.6666666666666666,')


def test_listed_comparators_win_at_every_depth(evalctl: Evalctl, write: Write) -> None:
    listed = {"issued": "exact", "vendor": {"name": "exact"}, "rows": {"ordered": {"label": "exact"}}}
    _write_suite(write, {"comparators": listed})
    done = evalctl("run", "evals/suite.yaml", "--format", "junit")
    misses = [
        path for path in ("issued", "vendor.name", "vendor.vat_id", "rows[0].label", "total") if path in done.stdout
    ]
    assert misses == ["issued", "vendor.name", "rows[0].label"]


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ("{", "'invoice.schema.json' is not valid JSON: "),
        ([], "'invoice.schema.json' is not a JSON Schema: it must be an object"),
        ({}, "'invoice.schema.json' is not a JSON Schema of answers"),
        ({"properties": 5}, "'invoice.schema.json' holds 5 as properties, which must be an object"),
        ({"properties": {"a": {"$ref": "#/$defs/b"}}}, "has a $ref '#/$defs/b' that names nothing in the file"),
        ({"properties": {"a": {"x-evalctl": "nam"}}}, "to 'a': Invalid match type: 'nam'; did you mean 'name'?"),
        ({"x-evalctl": 5}, "in line 1 gives a wrong comparator to '$': x-evalctl must be a match type or an object"),
        (
            {"properties": {"a": {"type": "string", "x-evalctl": {"wieght": 2}}}},
            "in line 1 gives a wrong comparator to 'a': unknown key 'wieght'; did you mean 'weight'?",
        ),
        (
            {"properties": {"a": {"type": "string", "x-evalctl": {"match": "exact", "treshold": 0.5}}}},
            "in line 1 gives a wrong comparator to 'a': unknown key 'treshold'",
        ),
        (
            '{"properties": {"b": {"x-eval-weight": 2, "type": "string"},\n "a": {"type": "string",\n  "x-eval-wieght": 2}}}',
            "in line 3 gives a wrong comparator to 'a': unknown key 'x-eval-wieght'; did you mean 'x-eval-weight'?",
        ),
        (
            '{"properties": {"b": {"x-aws-stickler-comparator": "ExactComparator"},\n "c": {"items": {"$ref": "#/$defs/d"}}},'
            '\n "$defs": {"d": {"x-aws-stickler-comparator":\n "LevenshtienComparator"}}}',
            "in line 3 gives a wrong comparator to 'c': Invalid comparator: 'LevenshtienComparator'; "
            "did you mean 'LevenshteinComparator'? valid: ",
        ),
        (
            {"properties": {"a": {"type": "string", "x-aws-stickler-treshold": 0.5}}},
            "unknown key 'x-aws-stickler-treshold'; did you mean 'x-aws-stickler-threshold'?",
        ),
        ({"properties": {"a": {"x-evalctl": "ignore"}}}, "everything is ignored"),
        ({"type": [{}, 5], "format": [], "enum": {}, "multipleOf": "x"}, "is not a JSON Schema of answers"),
        (_MULTIPLYING, "declares more than 20,000 places"),
    ],
)
def test_a_wrong_schema_is_an_error_at_the_line_of_the_suite(
    evalctl: Evalctl, write: Write, schema: Any, message: str
) -> None:
    write("s/invoice.schema.json", schema)
    write(
        "s/s.yaml",
        "cases: [{expected: {a: 1}, candidate: {a: 1}}]\nevaluators:\n  - type: object_match\n    schema: invoice.schema.json\n",
    )
    done = evalctl("run", "s/s.yaml")
    assert done.returncode == 2
    assert done.stderr.startswith("error: s/s.yaml:4:13: evaluators[0].schema: ")
    assert message in done.stderr


def test_a_schema_that_does_not_exist_and_no_comparators_at_all_are_errors(evalctl: Evalctl, write: Write) -> None:
    write("s.yaml", "cases: []\nevaluators: [{type: object_match, schema: none.json}]\n")
    assert "'none.json' cannot be read: No such file or directory" in evalctl("validate", "s.yaml").stderr
    write("s.yaml", "cases: []\nevaluators: [{type: object_match}]\n")
    assert "object_match needs comparators:, schema: or default:" in evalctl("validate", "s.yaml").stderr
