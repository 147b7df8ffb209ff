"""The JSON Schemas that a suite names, and its expected values → where the values violate the schemas."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentv_py.comparison.paths import attribute_of
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
        self._validators = {file: SchemaValidator(read_schema(folder, file)) for file in files}
        self._found: dict[tuple[str, str, str], Violations] = {}

    def observe(self, expected: Any, case: int) -> None:
        for file, validator in self._validators.items():
            for violation in validator.list_violations(expected):
                key = (file, attribute_of(violation.path), violation.keyword)
                known = self._found.get(key)
                if known is None:
                    known = self._found[key] = Violations(file, violation.path, violation.message, case)
                known.cases += known.last != case
                known.last = case

    def list_violations(self) -> Iterator[Violations]:
        yield from self._found.values()
