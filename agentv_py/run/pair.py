"""An expected value and an answer → the row of their comparison, and how it was scored."""

from typing import Any, NamedTuple

from agentv_py.case import Case
from agentv_py.evaluators.grade import assign_names
from agentv_py.evaluators.object_match import ObjectMatch
from agentv_py.report.explanation.case_model import Scoring
from agentv_py.report.explanation.model import PlacedRule
from agentv_py.results.row import Row
from agentv_py.run.scorer import Scorer, format_now
from agentv_py.score import Thresholds
from agentv_py.suite.schema import Verdicts


def parse_value(expected: Any) -> Any:
    """Return an expected value; a text that holds JSON is read as JSON."""
    return Case("", expected).parsed_values()[0]


class ScoredPair(NamedTuple):
    row: Row
    scoring: Scoring


def score_pair(evaluator: ObjectMatch, case: Case, suite: str, source: str = "") -> ScoredPair:
    """Score one case with one evaluator; `source` names what its rules are from."""
    evaluator = evaluator.learn_values([parse_value(case.expected)])
    named = assign_names([evaluator])
    row = Scorer(suite, named, Verdicts()).score(case, named, format_now())
    rules = [PlacedRule(rule, "") for rule in evaluator.list_rules(lambda: [case.expected])]
    return ScoredPair(row, Scoring(source, [(named[0], evaluator)], {named[0].name: rules}, Thresholds()))
