"""The JSON Schemas that a suite names, and its expected values → where the values violate the schemas."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

from agentv_py.comparison.paths import ROOT, attribute_of
from agentv_py.evaluators.base import Evaluator
from agentv_py.evaluators.json_schema import JsonSchema
from agentv_py.evaluators.object_match import ObjectMatch
from agentv_py.inference.schema_file import read_schema
from agentv_py.inference.schema_validator import SchemaValidator
from agentv_py.suite.evaluators import list_evaluators
from agentv_py.suite.plan import Plan


@dataclass(slots=True)
class Violations:
    """The violations of one keyword at one field."""

    schema: str
    path: str
    message: str
    first: int
    """The number of the first case."""
    cases: int = 0
    last: int = -1


class SchemaChecks:
    def __init__(self, plan: Plan) -> None:
        files = {
            evaluator.schema_file: None
            for _, evaluator in list_evaluators(plan.suite)
            if isinstance(evaluator, ObjectMatch) and evaluator.schema_file is not None
        }
        folder = Path(plan.folder)
        self._checks: list[tuple[str, SchemaValidator | JsonSchema]] = [
            *((file, SchemaValidator(read_schema(folder, file))) for file in files),
            *((_name_schema(each), each) for each in plan.suite.evaluators or () if _checks_truth(each, files)),
        ]
        self._found: dict[tuple[str, str, str], Violations] = {}

    def observe(self, expected: Any, case: int) -> None:
        for schema, check in self._checks:
            for violation in check.list_violations(expected):
                key = (schema, attribute_of(violation.path), violation.keyword)
                known = self._found.get(key)
                if known is None:
                    known = self._found[key] = Violations(schema, violation.path, violation.message, case)
                known.cases += known.last != case
                known.last = case

    def list_violations(self) -> Iterator[Violations]:
        yield from self._found.values()


def _checks_truth(evaluator: Evaluator, known: Collection[str]) -> TypeGuard[JsonSchema]:
    """Tell whether a right answer is valid by the evaluator's schema, which is not among those that are known."""
    if not isinstance(evaluator, JsonSchema) or evaluator.negate:
        return False
    return evaluator.path != ROOT or not isinstance(evaluator.given_schema, str) or evaluator.given_schema not in known


def _name_schema(evaluator: JsonSchema) -> str:
    given = evaluator.given_schema
    return given if isinstance(given, str) else f"the schema of {evaluator.name}"
