"""How fast is json_schema over 1,000 documents, against jsonschema-rs alone? In one run.

pip install '.[bench]' && python benchmarks/checks.py
"""

import gc
import random
from collections.abc import Callable
from time import process_time
from typing import Any

from jsonschema_rs import validator_for
from timing import show, time_in_turns

from agentv_py.case import Case
from agentv_py.evaluators.grade import assign_names, grade
from agentv_py.evaluators.json_schema import JsonSchema

ROUNDS = 101
"""More than usual, because a round takes only a millisecond."""
SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["number", "issued", "total", "lines"],
    "properties": {
        "number": {"type": "string", "pattern": "^[A-Z]-[0-9]+$"},
        "issued": {"type": "string", "format": "date"},
        "total": {"type": "number", "minimum": 0},
        "vendor": {"type": "object", "properties": {"name": {"type": "string"}, "city": {"type": "string"}}},
        "lines": {"type": "array", "items": {"$ref": "#/$defs/line"}},
    },
    "$defs": {
        "line": {
            "required": ["sku", "amount"],
            "properties": {"sku": {"type": "string"}, "amount": {"type": "number"}, "count": {"type": "integer"}},
        }
    },
}


def main() -> None:
    gc.set_threshold(100_000)  # as in evalctl itself
    documents = make_documents()
    valid_documents(documents)
    mixed_documents(documents)


def make_documents() -> list[dict[str, Any]]:
    chance = random.Random(0)
    documents = []
    for number in range(1000):
        lines = [{"sku": f"S{line}", "amount": chance.randint(1, 99) / 4, "count": line} for line in range(8)]
        vendor = {"name": "Acme", "city": "Oslo"}
        documents.append(
            {"number": f"A-{number}", "issued": "2025-01-15", "total": number, "vendor": vendor, "lines": lines}
        )
    return documents


def valid_documents(documents: list[dict[str, Any]]) -> None:
    floor = validator_for(SCHEMA, validate_formats=True)
    ours, alone = time_in_turns(
        score_all(documents),
        lambda: [floor.is_valid(document) for document in documents],
        rounds=ROUNDS,
        clock=process_time,
    )
    show(
        "json_schema over 1,000 valid documents, against jsonschema-rs alone, in processor time",
        ours / alone,
        "at most 3",
    )


def mixed_documents(documents: list[dict[str, Any]]) -> None:
    """A tenth of the documents has three violations, which both sides list."""
    broken = [
        document | {"number": 5, "issued": "soon", "total": -1} if number % 10 == 0 else document
        for number, document in enumerate(documents)
    ]
    floor = validator_for(SCHEMA, validate_formats=True)
    ours, alone = time_in_turns(
        score_all(broken),
        lambda: [list(floor.iter_errors(document)) for document in broken],
        rounds=ROUNDS,
        clock=process_time,
    )
    show("the same, a tenth of them with three violations", ours / alone, "at most 3")


def score_all(documents: list[dict[str, Any]]) -> Callable[[], object]:
    """Return what scores all documents as a run does it: each gets a result with its name, verdict and duration."""
    [evaluator] = assign_names([JsonSchema.model_validate({"type": "json_schema", "schema": SCHEMA})])
    cases = [Case("case", candidate=document) for document in documents]
    return lambda: [grade(evaluator, case) for case in cases]


if __name__ == "__main__":
    main()
