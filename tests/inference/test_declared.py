"""What a JSON Schema or a model declares about a place decides how it is compared."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any

import pytest
from pydantic import Field

from agentv_py.inference.json_schema import UnusableSchema, profile_schema
from agentv_py.inference.model import read_model_schema
from agentv_py.inference.suggest import suggest, suggest_from_values

_CENTS = {"match": "numeric_tolerance", "tolerance": 0.005}


@dataclass
class Payment:
    fee: Annotated[Decimal, Field(decimal_places=2)]
    factor: Annotated[Decimal | None, Field(decimal_places=4)]
    ratio: Decimal
    yen: Annotated[Decimal, Field(decimal_places=0)]


@dataclass
class Trip:
    pair: tuple[str, str]
    position: tuple[float, float]
    fees: dict[str, float]
    legs: tuple[int, ...]


def _compare(name: str, schema: Any) -> tuple[Any, str]:
    place = suggest(profile_schema({"properties": {name: schema}})).fields[name]
    return place.build_comparators(), place.reason


def test_a_decimal_of_a_model_is_a_number_with_its_decimal_places() -> None:
    places = suggest(profile_schema(read_model_schema(f"{__name__}:Payment"))).fields
    assert {key: (place.build_comparators(), place.reason) for key, place in places.items()} == {
        "fee": (_CENTS, "declared as decimal, 2 decimals"),
        "factor": ({"match": "numeric_tolerance", "tolerance": 5e-05}, "declared as decimal, 4 decimals"),
        "ratio": (_CENTS, "declared as decimal, 2 decimals assumed"),
        "yen": ("numeric", "declared as decimal, no decimals"),
    }


def test_tuples_and_maps_of_a_model_are_compared_place_by_place() -> None:
    places = suggest(profile_schema(read_model_schema(f"{__name__}:Trip"))).fields
    assert {key: (place.build_comparators(), place.reason) for key, place in places.items()} == {
        "pair": ({"ordered": "fuzzy"}, "each place is declared"),
        "position": ({"ordered": _CENTS}, "each place is declared"),
        "fees": (
            {"fields": {}, "default": _CENTS, "extra_keys": "penalize"},
            "its keys are data; declared as number, 2 decimals assumed",
        ),
        "legs": ({"unordered": "numeric"}, "values in any order"),
    }


@pytest.mark.parametrize(
    ("name", "schema", "comparator", "reason"),
    [
        ("amount", {"pattern": r"^\d+\.\d{2}$"}, _CENTS, "declared as text, with a pattern of numbers, 2 decimals"),
        ("x", {"pattern": r"^(?!^[-+.]*$)[+-]?0*\d*\.?\d{0,1}0*$"}, {"match": "numeric_tolerance", "tolerance": 0.05},
         "declared as text, with a pattern of numbers, 1 decimal"),
        ("quantity", {"pattern": "^[0-9]+$"}, "numeric", "declared as text, with a pattern of numbers, no decimals"),
        ("total", {"pattern": r"^\d+(\.\d+)?$"}, _CENTS, "declared as text, but 'total' is money, 2 decimals assumed"),
        ("price", {}, _CENTS, "declared as text, but 'price' is money, 2 decimals assumed"),
        ("price", {"pattern": "("}, _CENTS, "declared as text, but 'price' is money, 2 decimals assumed"),
        ("x", {"type": ["number", "string"]}, _CENTS, "declared as number or text, 2 decimals assumed"),
        ("version", {"pattern": r"^\d+\.\d$"}, "exact", "'version' is a code"),
        ("x", {"pattern": r"\d"}, "fuzzy", "declared as text; small misspellings pass"),
        ("x", {"format": "decimal", "examples": ["1.2345", "12"]}, {"match": "numeric_tolerance", "tolerance": 5e-05},
         "declared as decimal, 4 decimals in its examples"),
        ("x", {"type": "number", "examples": [0.125, 7]}, {"match": "numeric_tolerance", "tolerance": 0.0005},
         "declared as number, 3 decimals in its examples"),
        ("x", {"type": "number", "examples": [5]}, _CENTS, "declared as number, 2 decimals assumed"),
        ("x", {"enum": ["a", None]}, "exact", "always 'a' or null"),
        ("x", {"enum": ["a", "b", None]}, "exact", "one of 2 declared values or null"),
        ("x", {"x-aws-stickler-comparator": "NumericComparator", "x-aws-stickler-threshold": 0.9}, "numeric",
         "x-aws-stickler-* of the schema; not used: x-aws-stickler-threshold"),
        ("price_note", {}, {"match": "fuzzy", "algorithm": "token_set"},
         "'price_note' is prose; order and left-out words do not count"),
    ],
)  # fmt: skip
def test_what_is_declared_decides_the_comparator(
    name: str, schema: dict[str, Any], comparator: Any, reason: str
) -> None:
    assert _compare(name, {"type": "string", **schema}) == (comparator, reason)


@pytest.mark.parametrize(
    ("reference", "names"),
    [
        ("#p", {"$defs": {"p": {"$anchor": "p", "type": "integer"}}}),
        ("#p", {"$id": "urn:x:y", "$defs": {"p": {"$anchor": "p", "type": "integer"}}}),
        ("http://x/a.json#/$defs/p", {"$id": "http://x/a.json", "$defs": {"p": {"type": "integer"}}}),
        ("a.json#/$defs/p", {"$id": "http://x/a.json", "$defs": {"p": {"type": "integer"}}}),
        ("b.json", {"$id": "http://x/a.json", "$defs": {"p": {"$id": "b.json", "type": "integer"}}}),
        ("b.json#/$defs/q", {"$defs": {"p": {"$id": "b.json", "$defs": {"q": {"type": "integer"}}}}}),
        ("b.json", {"$defs": {"p": {"$id": "b.json", "$ref": "#/$defs/q", "$defs": {"q": {"type": "integer"}}}}}),
        ("#p", {"definitions": {"p": {"$id": "#p", "type": "integer"}}}),
        ("#/x/a~1b/0", {"x": {"a/b": [{"type": "integer"}]}}),
    ],
)
def test_a_reference_names_a_schema_by_pointer_anchor_or_id(reference: str, names: dict[str, Any]) -> None:
    schema = {**names, "properties": {"pages": {"$ref": reference}}}
    assert suggest(profile_schema(schema)).build_comparators() == {"pages": "numeric"}


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("#nope", "has a $ref '#nope' that names nothing in the file, at 'pages'"),
        ("a.json#nope", "has a $ref 'a.json#nope' that names nothing in the file, at 'pages'"),
        ("c.json", "has a $ref 'c.json' that leads out of the file; copy that schema into $defs, at 'pages'"),
    ],
)
def test_a_reference_that_names_nothing_is_refused_with_its_place(reference: str, message: str) -> None:
    with pytest.raises(UnusableSchema) as caught:
        profile_schema({"$id": "http://x/a.json", "properties": {"pages": {"$ref": reference}}})
    assert str(caught.value) == message


def test_times_of_day_are_compared_exactly() -> None:
    values = [{"at": "12:30:45", "open": "9:15 pm", "score": "3:1"}, {"at": "08:00", "open": "10:00", "score": "12"}]
    places = suggest_from_values(values).fields
    assert [(places[key].build_comparators(), places[key].reason) for key in ("at", "open")] == [
        ("exact", "2 times of day")
    ] * 2
    assert places["score"].rule != "time"
    assert _compare("departure_time", {"type": "string"}) == ("exact", "'departure_time' is a time")
    assert _compare("opens", {"type": "string", "format": "time"}) == ("exact", "format time")


@pytest.mark.parametrize("keyword", ["prefixItems", "items"])
def test_a_tuple_is_compared_in_order(keyword: str) -> None:
    schema = {"type": "array", keyword: [{"type": "integer"}, {"type": "string"}]}
    assert _compare("pair", schema) == ({"ordered": "exact"}, "each place is declared")


def test_a_map_of_numbers_or_texts_is_compared_key_by_key() -> None:
    values = [{"rates": {f"k{case}-{n}": n + 0.25 for n in range(6)}} for case in range(4)]
    suggestion = suggest_from_values(values)
    assert suggestion.build_comparators() == {
        "rates": {"fields": {}, "default": _CENTS, "extra_keys": "penalize"},
    }
    assert suggestion.fields["rates"].reason == "its keys are data; 24 numbers, 2 decimals"
    mixed = [{"rates": {f"k{case}-{n}": [n, {"a": 1}] for n in range(6)}} for case in range(4)]
    assert suggest_from_values(mixed).build_comparators() == {"rates": "exact"}


def test_cases_with_other_keys_each_are_no_map_if_their_values_differ_in_kind() -> None:
    values = [{f"name{n}": "x", f"total{n}": 1, f"rows{n}": []} for n in range(8)]
    assert suggest_from_values(values).rule == "record"
