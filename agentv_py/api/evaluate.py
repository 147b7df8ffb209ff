"""Values or cases from Python → their scores and rows, as a suite yields them."""

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from agentv_py.api.comparators import Comparators, DefaultMatch
from agentv_py.api.evaluation import Evaluation
from agentv_py.api.evaluator_cache import find_evaluator
from agentv_py.case import ABSENT, Case
from agentv_py.comparison.comparators import Aggregate, ExtraKeys
from agentv_py.comparison.tree import Absent
from agentv_py.evaluators.grade import NamedEvaluator
from agentv_py.evaluators.object_match import ObjectMatch
from agentv_py.models.policy import CallPolicy
from agentv_py.models.replies import QuestionRecorder, ReplySource, using
from agentv_py.run.pair import parse_value
from agentv_py.run.scorer import Scorer, format_now
from agentv_py.score import Score, Thresholds, verdict
from agentv_py.suite.schema import Verdicts
from agentv_py.suite.truth_report import NestedTruth, describe_missing, describe_unreadable, list_missing_paths
from agentv_py.targets.calls import Function
from agentv_py.targets.executor import fill_candidates
from agentv_py.targets.python_value import to_json


def compare(
    expected: Any,
    actual: Any,
    comparators: Comparators | None = None,
    *,
    default: DefaultMatch | None = None,
    schema: str | os.PathLike[str] | None = None,
    extra_keys: ExtraKeys = "ignore",
    absent: Absent = "unlabelled",
    aggregate: Aggregate = "tree",
) -> Score:
    """Compare two values: score, verdict, hits, misses and details. The options are those of `object_match`.

    Without comparators, the rules of `evalctl init --from` choose them: `default: auto`.
    """
    evaluator = find_evaluator(comparators, default, schema, extra_keys=extra_keys, absent=absent, aggregate=aggregate)
    score = _copy_shared_details(evaluator.evaluate(Case("", to_json(expected), to_json(actual))))
    return score._replace(verdict=verdict(score.score, *Thresholds()))


def evaluate(
    cases: Iterable[Mapping[str, Any]],
    comparators: Comparators | None = None,
    executor: Function | None = None,
    threshold: float = 0.8,
    *,
    default: DefaultMatch | None = None,
    schema: str | os.PathLike[str] | None = None,
    extra_keys: ExtraKeys = "ignore",
    absent: Absent = "unlabelled",
    aggregate: Aggregate = "tree",
    suite: str = "evaluate",
    concurrency: int = 8,
    progress: bool = True,
) -> Evaluation:
    """Score cases `{id, input, expected, candidate}`; an executor turns the input into the candidate, sync or async.

    `concurrency` calls are under way at once; sync functions run in threads. A terminal shows the progress. If the
    executor raises, only its case is errored, and the kind of the error is `executor`. Several answers to one input are
    given as `candidates`.
    """
    if executor is not None and not callable(executor):
        raise TypeError(f"executor must be a function from input to answer, not {executor!r}")
    if type(concurrency) is not int or concurrency < 1:
        raise ValueError(f"concurrency must be a whole number of at least 1, not {concurrency!r}")
    if not (isinstance(threshold, int | float) and 0.0 <= threshold <= 1.0):
        raise ValueError(f"threshold must be from 0 to 1, not {threshold!r}")
    built = [_build_case(case, number) for number, case in enumerate(cases, 1)]
    _check_ids(built)
    evaluator = find_evaluator(comparators, default, schema, extra_keys=extra_keys, absent=absent, aggregate=aggregate)
    evaluator = evaluator.learn_values(parse_value(case.expected) for case in built)
    failed = [] if executor is None else _execute(built, executor, concurrency, progress=progress)
    leaves, hits = sum(map(evaluator.count_leaves, failed)), 0

    def evaluate_and_count(case: Case) -> Score:
        nonlocal leaves, hits
        score = _copy_shared_details(evaluator.evaluate(case))
        leaves += score.leaves
        hits += len(score.hits)
        return score

    named = [_name_evaluator(evaluator, evaluate_and_count)]
    verdicts = Verdicts.model_validate({"pass": threshold, "partial": min(threshold, Verdicts().partial)})
    scorer = Scorer(suite, named, verdicts)
    with using(_fetch_replies(evaluator, built)) as source:
        scorer.usage = source.take_usage
        rows = [scorer.score(case, named, format_now()) for case in built]
    for warning in _check_expected_values(evaluator, built):
        warnings.warn(warning, stacklevel=2)
    passed = sum(row["verdict"] == "pass" for row in rows)
    return Evaluation(
        cases=rows,
        passed=passed,
        total=len(rows),
        accuracy=hits / leaves if leaves else float(0 < passed == len(rows)),
        mean_score=sum(row["score"] for row in rows) / len(rows) if rows else 0.0,
    )


def _copy_shared_details(score: Score) -> Score:
    """Return a score whose details the user may change. To save time, scores share counts and the formats of boxes."""
    if score.details is None:
        return score
    details = dict(score.details)
    if "metrics" in details:
        details["metrics"] = {attribute: dict(counts) for attribute, counts in details["metrics"].items()}
    if "formats" in details:
        details["formats"] = dict(details["formats"])
    return score._replace(details=details)


def _check_expected_values(evaluator: ObjectMatch, cases: Sequence[Case]) -> Iterator[str]:
    """Yield a warning for each comparator that no expected value has, and for values that cannot be read."""
    labelled = [case for case in cases if case.expected is not ABSENT]
    truths: list[NestedTruth] = [((), truth) for truth in evaluator.truths()] if labelled else []
    for _, truth in truths:
        truth.observe([case.expected for case in labelled], [case.id for case in labelled])
        for values in truth.list_unreadable():
            yield f"case {values.where!r}: {': '.join(describe_unreadable(values))}"
    yield from map(describe_missing, list_missing_paths(truths, lambda: [case.expected for case in labelled]))


def _execute(cases: list[Case], executor: Function, concurrency: int, *, progress: bool) -> list[Case]:
    """Fill in the candidates, and show the progress. Return the cases whose call failed."""
    from agentv_py.cli.progress import show_progress

    with show_progress(len(cases), quiet=not progress) as advance:
        return fill_candidates(cases, executor, concurrency, advance)


def _fetch_replies(evaluator: ObjectMatch, cases: Sequence[Case]) -> ReplySource:
    """Record the questions of all cases, and fetch the replies at once."""
    if not any(True for _ in evaluator.models()):
        return ReplySource()
    from agentv_py.models.fetch import fetch

    named = [_name_evaluator(evaluator, evaluator.evaluate)]
    scorer = Scorer("", named, Verdicts())
    with using(QuestionRecorder()) as recorder:
        for case in cases:
            scorer.score(case, named, "")
    return ReplySource(replies=fetch(list(recorder.questions.values()), CallPolicy()))


def _name_evaluator(evaluator: ObjectMatch, evaluate: Callable[[Case], Score]) -> NamedEvaluator:
    return NamedEvaluator(
        evaluator.tag, evaluator.tag, 1.0, required=False, evaluate=evaluate, agreement=evaluator.evaluate
    )


def _build_case(case: Mapping[str, Any], number: int) -> Case:
    if not isinstance(case, Mapping):
        raise TypeError(f"case {number}: must be a mapping with expected and candidate, not {type(case).__name__}")
    unknown = case.keys() - {"id", "input", "expected", "candidate", "candidates", "metadata", "tags"}
    if unknown:
        raise ValueError(f"case {number}: unknown keys {', '.join(map(repr, sorted(unknown)))}")
    if {"candidate", "candidates"} <= case.keys():
        raise ValueError(f"case {number}: candidate and candidates exclude each other")
    try:
        keys = ("expected", "candidate", "candidates", "metadata")
        values = {key: to_json(case[key]) for key in keys if key in case}
    except TypeError as error:
        raise TypeError(f"case {number}: {error}") from None
    expected, candidate = values.get("expected", ABSENT), values.get("candidate", ABSENT)
    candidates, tags = values.get("candidates"), case.get("tags") or []
    if isinstance(tags, str) or not all(isinstance(tag, str) for tag in tags):
        raise TypeError(f"case {number}: tags must be a list of texts, not {tags!r}")
    if "candidates" in case and not (isinstance(candidates, list) and candidates):
        raise ValueError(f"case {number}: candidates must be a list with an answer in it")
    case_id = str(number if case.get("id") is None else case["id"])
    return Case(case_id, expected, candidate, case.get("input"), values.get("metadata"), list(tags), candidates)


def _check_ids(cases: list[Case]) -> None:
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise ValueError(f"duplicate id {case.id!r}")
        seen.add(case.id)
