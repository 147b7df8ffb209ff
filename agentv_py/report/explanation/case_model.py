"""The story of a case: what was expected and answered, what every finding is, and what would let the case pass."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from agentv_py.case import ABSENT

if TYPE_CHECKING:
    from agentv_py.comparison.gap import Gap
    from agentv_py.comparison.partners import ListPartners
    from agentv_py.evaluators.base import Evaluator
    from agentv_py.evaluators.grade import NamedEvaluator
    from agentv_py.report.explanation.model import PlacedRule
    from agentv_py.score import Thresholds


class Judgement(NamedTuple):
    """What one evaluator says about a finding."""

    evaluator: str
    rule: "PlacedRule | None" = None
    """None if the rules of the evaluator are not known, or if it has none for this field."""
    gap: "Gap | None" = None


class Repair(NamedTuple):
    """The score of the case if the answer were right at these paths."""

    paths: tuple[str, ...]
    score: float
    verdict: str


@dataclass(slots=True)
class Finding:
    """A miss, which one or several evaluators report."""

    path: str
    """The path, or the evaluator's own words."""
    outcome: str = ""
    note: str = ""
    expected: Any = ABSENT
    actual: Any = ABSENT
    similarity: float | None = None
    judgements: list[Judgement] = field(default_factory=list)
    repair: Repair | None = None
    """What the case would score if the answer were right here; None if that cannot be computed."""

    @property
    def evaluators(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(judgement.evaluator for judgement in self.judgements))

    def select_evaluator(self, name: str) -> "Finding":
        """Return the finding with what one evaluator says about it."""
        return replace(self, judgements=[judgement for judgement in self.judgements if judgement.evaluator == name])


@dataclass(frozen=True, slots=True)
class EvaluatorStory:
    name: str
    type: str
    weight: float | None
    score: float
    verdict: str
    reasoning: str
    error: str
    omitted: int
    """How many misses the row does not store in full."""


class SharedPartners(NamedTuple):
    """The pairs of a list's rows, which one or several evaluators make."""

    evaluators: tuple[str, ...]
    partners: "ListPartners"


@dataclass(slots=True)
class CaseStory:
    """What happened to one case with one target."""

    suite: str
    case_id: str
    target: str
    where: str
    """The results file and its line; empty if the case comes from no file."""
    status: str
    score: float
    verdict: str
    error: str
    values: Mapping[str, Any]
    """`input`, `expected` and `candidate`, or `candidates`, as far as the row has them."""
    parsed: str
    """Which part of the answer's text is the JSON: `fenced` or `found`; empty if it is the whole answer."""
    evaluators: Sequence[EvaluatorStory]
    findings: Sequence[Finding]
    thresholds: "Thresholds | None" = None
    rules_from: str = ""
    """The suite that the rules are from; empty if they are not known."""
    rules_missing: str = ""
    """Why the rules are not known."""
    other_suites: Sequence[str] = ()
    """Further suites of the same name and with the same rules: nobody knows which of them ran."""
    partners: Sequence[SharedPartners] = ()
    repairs: Sequence[Repair] = ()
    """The fewest findings that must be right for the case to pass; empty if it passes, or if that is not known."""
    unscored: Sequence[str] = ()
    """Keys that only the answer has and that no evaluator compares."""
    skipped: Sequence[str] = ()
    """The names of the evaluators that do not apply to the case."""
    repeats: Sequence[float] = ()
    worst_repeat: int | None = None


@dataclass(frozen=True, slots=True)
class CaseExplanation:
    """The stories of one or more cases."""

    stories: Sequence[CaseStory]

    def list_evaluators(self) -> list[str]:
        """Return the names of all evaluators."""
        return [evaluator.name for story in self.stories for evaluator in story.evaluators]

    def select_evaluator(self, name: str) -> "CaseExplanation":
        """Return the stories with what one evaluator found; a case without it is left out."""
        return CaseExplanation(
            [
                replace(
                    story,
                    evaluators=[evaluator for evaluator in story.evaluators if evaluator.name == name],
                    skipped=(),
                    findings=[
                        finding.select_evaluator(name) for finding in story.findings if name in finding.evaluators
                    ],
                    partners=[SharedPartners((name,), partners) for names, partners in story.partners if name in names],
                )
                for story in self.stories
                if any(evaluator.name == name for evaluator in story.evaluators)
            ]
        )


@dataclass(frozen=True, slots=True)
class Scoring:
    """How a case was scored: the evaluators, their rules, and the thresholds of the verdicts."""

    source: str
    evaluators: Sequence[tuple["NamedEvaluator", "Evaluator"]]
    rules: Mapping[str, Sequence["PlacedRule"]]
    """By the name of the evaluator."""
    thresholds: "Thresholds"
