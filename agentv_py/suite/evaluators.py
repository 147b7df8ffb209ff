"""The evaluators of a suite, each with its key path, and under the name that it has in results."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from pydantic import TypeAdapter, ValidationError

from agentv_py.evaluators import AnyEvaluator
from agentv_py.evaluators.base import Evaluator
from agentv_py.evaluators.grade import NamedEvaluator
from agentv_py.suite.locate import KeyPath
from agentv_py.suite.schema import Suite

NamedEvaluators = Sequence[NamedEvaluator]
NestedEvaluator = tuple[KeyPath, Evaluator]
"""An evaluator, and where it is in the suite or in a row."""


def list_evaluators(suite: Suite) -> Iterator[NestedEvaluator]:
    """Yield each evaluator of the suite and of its inline cases, with its key path."""
    for index, evaluator in enumerate(suite.evaluators or ()):
        yield ("evaluators", index), evaluator
    for number, case in enumerate(suite.cases or ()):
        for index, evaluator in enumerate(case.evaluators or ()):
            yield ("cases", number, "evaluators", index), evaluator


def list_valid_evaluators(suite: dict[str, Any]) -> Iterator[NestedEvaluator]:
    """Yield the valid evaluators of an invalid suite, so that the same run checks them further."""
    adapter = TypeAdapter[Evaluator](AnyEvaluator)
    cases = suite.get("cases")
    lists: list[tuple[KeyPath, Any]] = [(("evaluators",), suite.get("evaluators"))]
    for number, case in enumerate(cases if isinstance(cases, list) else ()):
        lists.append((("cases", number, "evaluators"), case.get("evaluators") if isinstance(case, dict) else None))
    for key_path, given in lists:
        for index, evaluator in enumerate(given if isinstance(given, list) else ()):
            with suppress(ValidationError):  # the validation of the suite reports it
                yield (*key_path, index), adapter.validate_python(evaluator)
