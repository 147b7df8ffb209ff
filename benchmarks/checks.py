"""How fast is json_schema over 1,000 documents, against jsonschema-rs alone? In one run.

pip install '.[bench]' && python benchmarks/checks.py
"""

import gc
import random
from collections.abc import Callable, Iterator
from typing import Any

from figure import Effort, Figure, run_benchmark
from jsonschema_rs import validator_for
from timing import ROUNDS, divide, read_work, time_in_turns

from agentv_py.case import Case
from agentv_py.evaluators.grade import assign_names, grade
from agentv_py.evaluators.json_schema import JsonSchema

REPEATS = 10
"""In each round, because one takes only a millisecond."""
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


def measure(effort: Effort) -> Iterator[Figure]:
    gc.set_threshold(100_000)  # as in evalctl itself
    documents = make_documents()
    yield check_valid_documents(effort, documents)
    yield check_mixed_documents(effort, documents)


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


def check_valid_documents(effort: Effort, documents: list[dict[str, Any]]) -> Figure:
    floor = validator_for(SCHEMA, validate_formats=True)
    ours, alone = time_in_turns(
        score_all(documents),
        lambda: [floor.is_valid(document) for _ in range(REPEATS) for document in documents],
        rounds=effort.rounds(ROUNDS),
        clock=read_work,
    )
    question = "`json_schema` over 1,000 valid documents of 8 rows, with a result for each, against jsonschema-rs alone"
    return Figure("valid", question, divide(ours, alone), "at most", 3)


def check_mixed_documents(effort: Effort, documents: list[dict[str, Any]]) -> Figure:
    """A tenth of the documents has three violations, which both sides list."""
    broken = [
        document | {"number": 5, "issued": "soon", "total": -1} if number % 10 == 0 else document
        for number, document in enumerate(documents)
    ]
    floor = validator_for(SCHEMA, validate_formats=True)
    ours, alone = time_in_turns(
        score_all(broken),
        lambda: [list(floor.iter_errors(document)) for _ in range(REPEATS) for document in broken],
        rounds=effort.rounds(ROUNDS),
        clock=read_work,
    )
    question = "the same, a tenth of them with three violations that both sides list"
    return Figure("mixed", question, divide(ours, alone), "at most", 3)


def score_all(documents: list[dict[str, Any]]) -> Callable[[], object]:
    """Return what scores all documents as a run does it: each gets a result with its name, verdict and duration."""
    [evaluator] = assign_names([JsonSchema.model_validate({"type": "json_schema", "schema": SCHEMA})])
    cases = [Case("case", candidate=document) for document in documents]

    def score() -> None:
        for _ in range(REPEATS):
            for case in cases:
                grade(evaluator, case)  # a run writes each result, and forgets it

    return score


if __name__ == "__main__":
    run_benchmark(measure)
