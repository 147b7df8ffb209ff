"""A suite, valid or not → its evaluators, each with its place."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from pydantic import TypeAdapter, ValidationError

from agentv_py.evaluators import AnyEvaluator
from agentv_py.evaluators.base import Evaluator
from agentv_py.suite.schema import Suite

Place = tuple[str | int, ...]


def evaluators_of(suite: Suite) -> Iterator[tuple[Place, Evaluator]]:
    """Each evaluator of the suite and its inline cases, with its place."""
    lists = [case.evaluators or () for case in suite.cases or ()]
    yield from ((("evaluators", index), one) for index, one in enumerate(suite.evaluators or ()))
    yield from (
        (("cases", n, "evaluators", index), one) for n, some in enumerate(lists) for index, one in enumerate(some)
    )


def valid_evaluators_of(suite: dict[str, Any]) -> Iterator[tuple[Place, Evaluator]]:
    """The same of a suite that is not valid: those that are, so that what is wrong with them is told at once, too."""
    adapter = TypeAdapter[Evaluator](AnyEvaluator)
    cases = suite.get("cases")
    lists: list[tuple[Place, Any]] = [(("evaluators",), suite.get("evaluators"))]
    for number, case in enumerate(cases if isinstance(cases, list) else ()):
        lists.append((("cases", number, "evaluators"), case.get("evaluators") if isinstance(case, dict) else None))
    for place, given in lists:
        for index, one in enumerate(given if isinstance(given, list) else ()):
            with suppress(ValidationError):  # which was told before
                yield (*place, index), adapter.validate_python(one)
