"""A case and its evaluators → their results: one evaluator safely, several together."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from agentv_py.case import ABSENT, Case
from agentv_py.errors import EvaluationError
from agentv_py.evaluators.adjustment import Adjustment
from agentv_py.evaluators.base import Evaluator
from agentv_py.score import ErrorInfo, EvaluatorResult, Outcome, Score, Thresholds, Words, verdict

if TYPE_CHECKING:
    from agentv_py.comparison.scoring import FullScore
    from agentv_py.models.usage import Usage

NOTHING_APPLIES: ErrorInfo = {
    "kind": "nothing_applies",
    "message": "no evaluator applies to this case, because no when: holds",
}
"""The error of a case whose evaluators are all skipped."""


class NamedEvaluator(NamedTuple):
    """An evaluator under its name, its options looked up once for all cases."""

    name: str
    type: str
    weight: float
    required: bool
    evaluate: Callable[[Case], Score]
    agreement: Callable[[Case], Score] | None = None
    """Scores two answers against each other, one of them as the expected value; None if that makes no sense."""
    uses_model: bool = False
    """Whether it asks a model."""
    remove_data: Callable[[EvaluatorResult], EvaluatorResult] | None = None
    """Returns a result without the user's data, for `--no-data`."""
    adjustment: Adjustment | None = None
    """What changes its scores; None if nothing does."""
    get_full_score: "Callable[[], FullScore | None] | None" = None
    """Returns the score that cases share which are wholly right; None if a rule or an adjustment may change it."""


def assign_names(
    evaluators: Sequence[Evaluator],
    thresholds: Thresholds = Thresholds(),  # noqa: B008  it never changes
) -> list[NamedEvaluator]:
    """Give each evaluator the name that the user chose, else its type, with a number if that name is taken."""
    taken = {evaluator.name for evaluator in evaluators}
    named: list[NamedEvaluator] = []
    for evaluator in evaluators:
        tag = evaluator.tag
        name = evaluator.name or next(name for name in _number(tag) if name not in taken)
        taken.add(name)
        peer = evaluator.for_consistency()
        agreement = None if peer is None else peer.evaluate
        asks = any(True for _ in evaluator.models())
        ready = evaluator.with_thresholds(thresholds)
        adjustment = Adjustment(evaluator.negate, evaluator.min_score)
        is_adjusted = adjustment != Adjustment()
        named.append(
            NamedEvaluator(
                name,
                tag,
                evaluator.weight,
                evaluator.required,
                ready.evaluate if evaluator.when is None else ready.evaluate_if_met,
                agreement,
                asks,
                evaluator.remove_data,
                adjustment if is_adjusted else None,
                None if is_adjusted or evaluator.when is not None else partial(getattr, ready, "full_score"),
            )
        )
    return named


def _number(tag: str) -> Iterator[str]:
    yield tag
    yield from (f"{tag}-{number}" for number in count(2))


def grade(
    evaluator: NamedEvaluator,
    case: Case,
    thresholds: Thresholds = Thresholds(),  # noqa: B008  it never changes
    keys: Sequence[str] = (),
    usage: "Callable[[], Usage] | None" = None,
) -> tuple[EvaluatorResult, Score]:
    """Evaluate a case; return the result as a row shows it, and the score behind it.

    A failure of the evaluator becomes a result with score 0 and an error; nothing is raised. `keys` are secrets that
    messages must not show; `usage` tells what the models used since it was last called.
    """
    started = perf_counter()
    score, error = evaluate_safely(evaluator, case, thresholds, keys)
    return describe_grade(evaluator, case, score, error, thresholds, usage, started), score


def evaluate_safely(
    evaluator: NamedEvaluator, case: Case, thresholds: Thresholds, keys: Sequence[str]
) -> tuple[Score, ErrorInfo | None]:
    """Return the score of a case, and the error if the evaluator fails."""
    if case.candidate is ABSENT:
        return _score_absence(case)
    try:
        score = evaluator.evaluate(case)
    except Exception as exception:  # noqa: BLE001  the one place where an evaluator's failure becomes a result
        return _score_failure(exception, keys)
    return score if evaluator.adjustment is None else evaluator.adjustment.apply(score, thresholds), None


def describe_grade(
    evaluator: NamedEvaluator,
    case: Case,
    score: Score,
    error: ErrorInfo | None,
    thresholds: Thresholds,
    usage: "Callable[[], Usage] | None",
    started: float,
) -> EvaluatorResult:
    """Return what a row shows of an evaluator that started at this time."""
    result = describe_score(evaluator, score, case, thresholds)
    if error:
        result["error"] = error
    elif case.facts and not score.observations and type(case.confidence) in (int, float):
        from agentv_py.comparison.observations import observe_answer  # few answers have a confidence

        result["observations"] = observe_answer(case.confidence, is_right=result["verdict"] == "pass")
    if usage is not None and (used := usage()):
        result["usage"] = used.to_row()
    result["duration_ms"] = measure_milliseconds(started)
    return result


def describe_score(evaluator: NamedEvaluator, score: Score, case: Case, thresholds: Thresholds) -> EvaluatorResult:
    """Return a score as a row shows it, without its duration."""
    # Taken apart at once, because a named tuple takes twice as long to get at its fields one by one.
    value, hits, misses, reasoning, details, own_verdict, _, _, _, observations = score
    result: EvaluatorResult = {
        "name": evaluator[0],
        "type": evaluator[1],
        "weight": evaluator[2],
        "score": value,
        "verdict": own_verdict or verdict(value, thresholds[0], thresholds[1]),
        "hits": [*hits],
        "misses": [*misses],
        "reasoning": reasoning,
    }  # type: ignore[typeddict-item]  # duration_ms is the last key, and measured last
    if details:
        result["details"] = details
    place = case.parsed if case.source == "whole" else case.source
    if place != "whole":
        result["details"] = {"parsed": place, **(details or {})}
        case.parsed = "whole"  # the next evaluator may read the text itself
    if observations:
        result["observations"] = observations
    return result


def _score_absence(case: Case) -> tuple[Score, ErrorInfo]:
    """Return the score of a case without a candidate, and why it has none."""
    kind, message = case.failure or ("no_candidate", "the case has no candidate")
    error: ErrorInfo = {"kind": kind, "message": message}
    return Score(0.0, misses=("candidate (missing)",), reasoning=message, verdict="fail"), error


def _score_failure(exception: Exception, keys: Sequence[str]) -> tuple[Score, ErrorInfo]:
    """Return the score of an evaluator that fails, and the error."""
    from agentv_py.models.program_error import ProgramError  # many evaluators start no program

    message = exception.describe(keys) if isinstance(exception, ProgramError) else str(exception)
    error: ErrorInfo = {"kind": getattr(exception, "kind", type(exception).__name__), "message": message}
    return score_error(error), error


def let_fail(evaluators: Sequence[NamedEvaluator], failure: EvaluationError) -> list[NamedEvaluator]:
    """Return evaluators of the same names that score nothing, but fail."""

    def fail(_case: Case) -> Score:
        raise failure

    return [evaluator._replace(evaluate=fail, agreement=None) for evaluator in evaluators]


def score_error(error: Mapping[str, str] | ErrorInfo) -> Score:
    miss = f"({error['kind']}: {error['message']})"
    return Score(0.0, misses=(miss,), reasoning="the evaluator failed", verdict="fail")


def combine(results: Sequence[EvaluatorResult], thresholds: Thresholds = Thresholds()) -> Outcome:  # noqa: B008  as above
    """Combine the results of several evaluators by their weights. A single one keeps its own verdict."""
    if len(results) == 1:
        return results[0]
    total = sum(result["weight"] for result in results)
    if not total:
        return {"score": 0.0, "verdict": "fail", **join_words(results)}
    score = sum(result["weight"] * result["score"] for result in results) / total
    return {"score": score, "verdict": verdict(score, *thresholds), **join_words(results)}


def join_words(results: Sequence[EvaluatorResult]) -> Words:
    """Join the hits, misses and reasoning of several evaluators."""
    return {
        "hits": [hit for result in results for hit in result["hits"]],
        "misses": [miss for result in results for miss in result["misses"]],
        "reasoning": "; ".join(f"{result['name']}: {result['reasoning']}" for result in results if result["reasoning"]),
    }


def find_error(results: Sequence[EvaluatorResult]) -> ErrorInfo | None:
    """Return the first error, if any evaluator failed."""
    for result in results:
        if "error" in result:
            return result["error"]
    return None


def find_skip_error(skipped: Sequence[str], results: Sequence[EvaluatorResult]) -> ErrorInfo | None:
    """Return an error if every evaluator that has a weight is skipped."""
    return NOTHING_APPLIES if skipped and not any(result["weight"] for result in results) else None


def misses_required(evaluators: Sequence[NamedEvaluator], results: Sequence[EvaluatorResult]) -> bool:
    """Tell whether a required evaluator does not pass. One that is skipped has no result."""
    for evaluator in evaluators:
        if evaluator.required and any(
            result["verdict"] != "pass" for result in results if result["name"] == evaluator.name
        ):
            return True
    return False


def measure_milliseconds(started: float) -> float:
    return int((perf_counter() - started) * 1e6) / 1000  # rounding properly takes longer than a field
