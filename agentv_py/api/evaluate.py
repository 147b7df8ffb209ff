"""Python callers → the same comparators, the same walk, the same rows."""

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentv_py.api.comparators import Comparators, built, written
from agentv_py.case import ABSENT, Case
from agentv_py.comparison.comparators import ExtraKeys
from agentv_py.comparison.matchers.base import Match
from agentv_py.evaluators.grade import NamedEvaluator
from agentv_py.evaluators.object_match import ObjectMatch
from agentv_py.models.answers import Desk, Notebook, at
from agentv_py.models.policy import Terms
from agentv_py.report.summary import Summary
from agentv_py.results.row import Row, encode
from agentv_py.results.write import Writer
from agentv_py.run.scorer import Scorer, now
from agentv_py.run.unlabelled import Labels
from agentv_py.score import Score, verdict
from agentv_py.suite.schema import Verdicts
from agentv_py.targets.python import Executor, answer
from agentv_py.targets.python_value import as_json


def compare(
    expected: Any,
    actual: Any,
    comparators: Comparators,
    *,
    default: Match | str | None = None,
    extra_keys: ExtraKeys = "ignore",
) -> Score:
    """One comparison: score, verdict, hits, misses and details."""
    evaluator = _evaluator(comparators, default, extra_keys)
    score = evaluator.evaluate(Case("", as_json(expected), as_json(actual)))
    return score._replace(verdict=verdict(score.score, Verdicts().pass_, Verdicts().partial))


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What became of many cases."""

    cases: list[Row]
    passed: int
    total: int
    accuracy: float
    """Leaf fields that pass / leaf fields that count."""
    mean_score: float

    def write(self, path: str | Path) -> None:
        """The rows as JSONL, as `evalctl run` writes them."""
        with Writer(str(path)) as writer:
            writer.write(b"".join(map(encode, self.cases)))


def evaluate(
    cases: Iterable[Mapping[str, Any]],
    comparators: Comparators,
    executor: Executor | None = None,
    threshold: float = 0.8,
    *,
    default: Match | str | None = None,
    extra_keys: ExtraKeys = "ignore",
    suite: str = "evaluate",
) -> Evaluation:
    """Score cases `{id, input, expected, candidate}`; an executor turns the input into the candidate, sync or async.

    A case whose executor raises is an errored case; the others go on. Several answers stand under `candidates`.
    """
    if executor is not None and not callable(executor):
        raise TypeError(f"executor must be a function from input to answer, not {executor!r}")
    if not (isinstance(threshold, int | float) and 0.0 <= threshold <= 1.0):
        raise ValueError(f"threshold must be from 0 to 1, not {threshold!r}")
    evaluator = _evaluator(comparators, default, extra_keys)
    asked = _distinct([_case(case, number) for number, case in enumerate(cases, 1)])
    failures = answer(asked, executor) if executor is not None else {}
    leaves = hits = 0

    def counted(case: Case) -> Score:
        nonlocal leaves, hits
        if case.id in failures:
            leaves += evaluator.count_leaves(case)
            raise failures[case.id]
        score = evaluator.evaluate(case)
        leaves += score.leaves
        hits += len(score.hits)
        return score

    named = [_named(evaluator, counted)]
    verdicts = Verdicts.model_validate({"pass": threshold, "partial": min(threshold, Verdicts().partial)})
    scorer = Scorer(suite, named, verdicts)
    labels, whole = Labels(), Summary()
    with at(_foreseeing(evaluator, asked)) as desk:
        scorer.usage = desk.used
        rows = [scorer.score(case, named, labels, now()) for case in asked]
    for row in rows:
        whole.add(row)
        if row["case_id"] in failures:
            del row["candidate"]
    for _, path in labels.never(whole):
        warnings.warn(f"{path!r} is in no case's expected value; is it a typo?", stacklevel=2)
    passed = sum(row["verdict"] == "pass" for row in rows)
    return Evaluation(
        cases=rows,
        passed=passed,
        total=len(rows),
        accuracy=hits / leaves if leaves else float(0 < passed == len(rows)),
        mean_score=sum(row["score"] for row in rows) / len(rows) if rows else 0.0,
    )


def _foreseeing(evaluator: ObjectMatch, cases: Sequence[Case]) -> Desk:
    """A desk that has the answers to whatever models will be asked, all of them asked for at once."""
    if not any(True for _ in evaluator.models()):
        return Desk()
    from agentv_py.models.fetch import fetch

    named = [_named(evaluator, evaluator.evaluate)]
    scorer = Scorer("", named, Verdicts())
    with at(Notebook()) as notes:
        for case in cases:
            scorer.score(case, named, Labels(), "")
    return Desk(answers=fetch(list(notes.noted.values()), Terms()))


def _named(evaluator: ObjectMatch, evaluate: Callable[[Case], Score]) -> NamedEvaluator:
    return NamedEvaluator(
        evaluator.tag, evaluator.tag, 1.0, required=False, evaluate=evaluate, agreement=evaluator.evaluate
    )


def _evaluator(comparators: Comparators, default: Match | str | None, extra_keys: ExtraKeys) -> ObjectMatch:
    rest = {"default": default, "extra_keys": extra_keys}
    options = {"type": "object_match", "comparators": written(comparators), **rest}
    evaluator = built(ObjectMatch, options)
    for place, what in evaluator.problems():
        raise ValueError(f"{'.'.join(map(str, place))}: {what}")
    return evaluator


def _case(case: Mapping[str, Any], number: int) -> Case:
    if not isinstance(case, Mapping):
        raise TypeError(f"case {number}: must be a mapping with expected and candidate, not {type(case).__name__}")
    unknown = case.keys() - {"id", "input", "expected", "candidate", "candidates", "metadata", "tags"}
    if unknown:
        raise ValueError(f"case {number}: unknown keys {', '.join(map(repr, sorted(unknown)))}")
    if {"candidate", "candidates"} <= case.keys():
        raise ValueError(f"case {number}: candidate and candidates exclude each other")
    try:
        keys = ("expected", "candidate", "candidates", "metadata")
        values = {key: as_json(case[key]) for key in keys if key in case}
    except TypeError as error:
        raise TypeError(f"case {number}: {error}") from None
    expected, candidate = values.get("expected", ABSENT), values.get("candidate", ABSENT)
    several, tags = values.get("candidates"), case.get("tags") or []
    if isinstance(tags, str) or not all(isinstance(tag, str) for tag in tags):
        raise TypeError(f"case {number}: tags must be a list of texts, not {tags!r}")
    if "candidates" in case and not (isinstance(several, list) and several):
        raise ValueError(f"case {number}: candidates must be a list with an answer in it")
    named = str(number if case.get("id") is None else case["id"])
    return Case(named, expected, candidate, case.get("input"), values.get("metadata"), list(tags), several)


def _distinct(cases: list[Case]) -> list[Case]:
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise ValueError(f"duplicate id {case.id!r}")
        seen.add(case.id)
    return cases
