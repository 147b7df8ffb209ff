"""What an explanation holds: the rules of a suite, or the story of a case."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # formats that render other reports need none of them
    from agentv_py.comparison.field_rule import FieldRule
    from agentv_py.score import Thresholds

BELOW = " › "


def join_names(above: str, name: str) -> str:
    """Return the whole name of an evaluator that the options of another one hold."""
    return f"{above}{BELOW}{name}"


class PlacedRule(NamedTuple):
    """A rule, and the file and line that hold its comparator; empty if none does."""

    rule: "FieldRule"
    where: str


@dataclass(frozen=True, slots=True)
class EvaluatorRules:
    name: str
    type: str
    weight: float
    required: bool
    where: str
    case_ids: Sequence[str]
    """The cases that list this evaluator themselves; empty if it is the suite's."""
    settings: dict[str, Any]
    rules: Sequence[PlacedRule]


@dataclass(frozen=True, slots=True)
class SuiteRules:
    suite: str
    file: str
    cases: int
    thresholds: "Thresholds"
    evaluators: Sequence[EvaluatorRules]
    omitted: int = 0
    """How many further groups of cases have evaluators of their own."""


@dataclass(frozen=True, slots=True)
class SuiteExplanation:
    """How the evaluators of one or more suites compare each field."""

    suites: Sequence[SuiteRules]

    def list_evaluators(self) -> list[str]:
        """Return the names of all evaluators."""
        return [evaluator.name for suite in self.suites for evaluator in suite.evaluators]

    def select_evaluator(self, name: str) -> "SuiteExplanation":
        """Return the explanation of one evaluator; suites without it are left out."""
        suites = [
            replace(suite, evaluators=[evaluator for evaluator in suite.evaluators if evaluator.name == name])
            for suite in self.suites
        ]
        return SuiteExplanation([suite for suite in suites if suite.evaluators])
