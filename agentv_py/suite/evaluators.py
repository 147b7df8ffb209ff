"""The evaluators of a suite, each with its key path, and under the name that it has in results."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import count
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from agentv_py.case import Case
from agentv_py.evaluators import AnyEvaluator
from agentv_py.evaluators.base import Evaluator
from agentv_py.score import Score
from agentv_py.suite.locate import KeyPath
from agentv_py.suite.schema import Suite


class NamedEvaluator(NamedTuple):
    """An evaluator under its name. Its options are looked up once for all cases."""

    name: str
    type: str
    weight: float
    required: bool
    evaluate: Callable[[Case], Score]
    agreement: Callable[[Case], Score] | None = None
    """Scores two answers against each other, one in the role of the expected value; None if that makes no sense."""
    asks: bool = False
    """Whether it asks a model."""


NamedEvaluators = Sequence[NamedEvaluator]


def named(evaluators: Sequence[Evaluator]) -> list[NamedEvaluator]:
    """Give each evaluator its own name, or else its type with a number if another evaluator has that name."""
    taken = {evaluator.name for evaluator in evaluators}
    result: list[NamedEvaluator] = []
    for evaluator in evaluators:
        name = evaluator.name or next(name for name in _number_names(evaluator.tag) if name not in taken)
        taken.add(name)
        peer = evaluator.between_answers()
        result.append(
            NamedEvaluator(
                name,
                evaluator.tag,
                evaluator.weight,
                evaluator.required,
                evaluator.evaluate,
                agreement=None if peer is None else peer.evaluate,
                asks=any(True for _ in evaluator.models()),
            )
        )
    return result


def list_evaluators(suite: Suite) -> Iterator[tuple[KeyPath, Evaluator]]:
    """Yield each evaluator of the suite and of its inline cases, with its key path."""
    for index, evaluator in enumerate(suite.evaluators or ()):
        yield ("evaluators", index), evaluator
    for number, case in enumerate(suite.cases or ()):
        for index, evaluator in enumerate(case.evaluators or ()):
            yield ("cases", number, "evaluators", index), evaluator


def list_valid_evaluators(suite: dict[str, Any]) -> Iterator[tuple[KeyPath, Evaluator]]:
    """Yield the evaluators that are valid in a suite that is not, so that they are checked further at once."""
    adapter = TypeAdapter[Evaluator](AnyEvaluator)
    cases = suite.get("cases")
    lists: list[tuple[KeyPath, Any]] = [(("evaluators",), suite.get("evaluators"))]
    for number, case in enumerate(cases if isinstance(cases, list) else ()):
        lists.append((("cases", number, "evaluators"), case.get("evaluators") if isinstance(case, dict) else None))
    for key_path, given in lists:
        for index, evaluator in enumerate(given if isinstance(given, list) else ()):
            with suppress(ValidationError):  # the validation of the suite reports it
                yield (*key_path, index), adapter.validate_python(evaluator)


def _number_names(kind: str) -> Iterator[str]:
    yield kind
    yield from (f"{kind}-{number}" for number in count(2))
