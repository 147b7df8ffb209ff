"""A case and its findings → what the case would score if the answer were right where a finding is."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

from agentv_py.case import ABSENT, Case
from agentv_py.comparison.paths import Step, parse_path, resolve_steps
from agentv_py.evaluators.grade import NamedEvaluator, combine, find_error, grade, misses_required
from agentv_py.report.explanation.case_model import Finding, Repair, Scoring
from agentv_py.report.row_values import find_partner
from agentv_py.results.row import Row
from agentv_py.score import SLACK, EvaluatorResult

_MOST_FINDINGS = 30
"""Each of them is one more scoring of the case."""

Steps = tuple[Step, ...]


class _NoSuchPlace(Exception):  # noqa: N818  a statement about an answer, not an error of the program
    """The answer has no place for the value."""


class _Change(NamedTuple):
    """A change of an answer, and its place among several changes.

    Removals are last, because a removed row shifts the rows behind it. A deeper or later row is removed first.
    """

    order: tuple[int, int, int]
    apply: Callable[[Any], Any]


class Rescorer:
    """Scores a case again with a better answer. Evaluators that ask a model or start a program keep their score."""

    def __init__(self, row: Row, scoring: Scoring, case: Case) -> None:
        self._row = row
        self._thresholds = scoring.thresholds
        self._case = case
        self._results: dict[str, EvaluatorResult] = {result["name"]: result for result in row["evaluator_results"]}
        self._named = [named for named, _ in scoring.evaluators]
        self._kept = {
            named.name for named, evaluator in scoring.evaluators if named.uses_model or evaluator.runs_subprocess
        }

    def can_score(self) -> bool:
        """Tell whether the same answer gets the same score again, so that other scores mean something."""
        names = [named.name for named in self._named]
        if self._row["status"] != "ok" or names != list(self._results) or self._kept.issuperset(names):
            return False
        return abs(self._score(self._case.candidate).score - self._row["score"]) <= SLACK

    def repair_each(self, findings: Sequence[Finding]) -> None:
        """Tell each finding what the case would score if the answer were right there."""
        for finding in findings[:_MOST_FINDINGS]:
            finding.repair = self.repair_together([finding])

    def find_fewest(self, findings: Sequence[Finding]) -> Repair | None:
        """Return the first findings, by what each of them gains, that let the case pass together."""
        gains = [(-finding.repair.score, number) for number, finding in enumerate(findings) if finding.repair]
        ranked = [findings[number] for _, number in sorted(gains)]
        for count in range(1, len(ranked) + 1):
            repaired = self.repair_together(ranked[:count])
            if repaired is None or repaired.verdict == "pass":
                return repaired
        return None

    def repair_together(self, findings: Sequence[Finding]) -> Repair | None:
        """Return what the case would score if the answer were right at all of these; None if that is not known."""
        try:
            answer = self._repair(findings)
        except _NoSuchPlace:
            return None
        return self._score(answer)._replace(paths=tuple(finding.path for finding in findings))

    def _score(self, candidate: Any) -> Repair:
        case = Case(self._case.id, self._case.expected, candidate, self._case.input, self._case.metadata)
        results = [self._grade(named, case) for named in self._named]
        whole = combine(results, self._thresholds)
        fails = find_error(results) is not None or misses_required(self._named, results)
        return Repair((), whole["score"], "fail" if fails else whole["verdict"])

    def _grade(self, named: NamedEvaluator, case: Case) -> EvaluatorResult:
        return self._results[named.name] if named.name in self._kept else grade(named, case, self._thresholds)[0]

    def _repair(self, findings: Sequence[Finding]) -> Any:
        """Return the answer, right at the paths of the findings. Raises _NoSuchPlace."""
        answer = deepcopy(self._case.candidate)
        changes = [self._plan_change(finding) for finding in findings]
        for change in sorted(changes, key=lambda change: change.order):
            answer = change.apply(answer)
        return answer

    def _plan_change(self, finding: Finding) -> _Change:
        result: Mapping[str, Any] = self._results.get(finding.evaluators[0], {})
        expected = parse_path(finding.path).build_getter()(self._case.expected)
        path = find_partner(finding.path, result)
        if path is None:  # an expected row without a partner
            parent = _parse(find_partner(finding.path.rpartition("[")[0] or "$", result))
            return _Change((1, 0, 0), lambda answer: _append(answer, parent, expected))
        steps = _parse(path)
        if finding.outcome == "extra" and steps and ABSENT in (expected, finding.expected):
            return _Change((2, -len(steps), -(steps[-1].number or 0)), lambda answer: _remove(answer, steps))
        return _Change((0, 0, 0), lambda answer: _set(answer, steps, expected))


def _parse(path: str | None) -> Steps:
    steps = None if path is None else parse_path(path).steps
    if steps is None:
        raise _NoSuchPlace
    return steps


def _set(answer: Any, steps: Steps, value: Any) -> Any:
    """Return the answer with the value at a path. An object on the way is created, a list is not."""
    if value is ABSENT:
        raise _NoSuchPlace
    if not steps:
        return deepcopy(value)
    first, *others = steps
    container = answer if isinstance(answer, dict | list) else {}
    below = _set(resolve_steps((first,), container), tuple(others), value)
    if isinstance(container, dict):
        container[first.key] = below
    elif first.number is not None:
        container += [None] * (first.number - len(container))  # rows before it that are blank and so no findings
        container[first.number : first.number + 1] = [below]
    else:
        raise _NoSuchPlace
    return container


def _append(answer: Any, steps: Steps, value: Any) -> Any:
    rows = resolve_steps(steps, answer)
    if value is ABSENT or not isinstance(rows, list):
        raise _NoSuchPlace
    rows.append(deepcopy(value))
    return answer


def _remove(answer: Any, steps: Steps) -> Any:
    last, container = steps[-1], resolve_steps(steps[:-1], answer)
    if resolve_steps((last,), container) is ABSENT:
        raise _NoSuchPlace
    del container[last.key if isinstance(container, dict) else last.number]
    return answer
