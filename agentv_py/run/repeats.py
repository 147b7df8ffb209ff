"""A case with several answers → one row: the mean of their scores, each score, and how far the answers agree."""

from collections.abc import Callable, Sequence
from itertools import permutations
from statistics import fmean
from typing import Any, cast

from agentv_py import jsontext
from agentv_py.case import Case
from agentv_py.comparison.matchers.exact import is_same
from agentv_py.comparison.observations import merge_observations
from agentv_py.evaluators.grade import NamedEvaluator, find_error, misses_required
from agentv_py.report.evaluator_summary import EvaluatorSummary
from agentv_py.results.row import Row
from agentv_py.run.pass_rule import apply_rule
from agentv_py.score import MEAN_RULE, EvaluatorResult, VerdictName
from agentv_py.suite.evaluators import NamedEvaluators

Results = list[EvaluatorResult]
ScoreCase = Callable[[Case, NamedEvaluators], Row]
DecideVerdict = Callable[[float], VerdictName]


def score_repeats(
    case: Case, evaluators: NamedEvaluators, score: ScoreCase, verdict: DecideVerdict, pass_rule: str = MEAN_RULE
) -> Row:
    """Score each answer on its own; the row has the hits, misses and details of the worst answer."""
    answers = case.candidates or []
    facts = (case.facts or {}).get("repeats") or [None] * len(answers)
    rows = [score(case.with_answer(answer, known), evaluators) for answer, known in zip(answers, facts, strict=True)]
    worst = min(range(len(rows)), key=lambda number: (rows[number]["status"] == "ok", rows[number]["score"]))
    agreements = _compare_answers(case, evaluators, score)
    results, skipped = [], []
    for evaluator in evaluators:
        repeats = [repeat for row in rows if (repeat := _find_result(row, evaluator.name)) is not None]
        if repeats:
            shown = _find_result(rows[worst], evaluator.name) or repeats[0]
            results.append(_merge_results(evaluator, repeats, agreements.get(evaluator.name, []), shown, verdict))
        else:
            skipped.append(evaluator.name)
    row = _merge_rows(rows, results, skipped, worst)
    mean = results[0]["verdict"] if len(results) == 1 else verdict(row["score"])
    verdicts = [repeat["verdict"] for repeat in rows]
    whole = apply_rule(pass_rule, verdicts, mean)
    row["verdict"] = "fail" if "error" in row or misses_required(evaluators, results) else whole
    if "error" not in row and 0 < verdicts.count("pass") < len(verdicts):
        row["flaky"] = True
    return row


def _find_result(row: Row, name: str) -> EvaluatorResult | None:
    """Return the result of an evaluator; None if it was skipped."""
    return next((result for result in row["evaluator_results"] if result["name"] == name), None)


def _compare_answers(case: Case, evaluators: NamedEvaluators, score: ScoreCase) -> dict[str, Results]:
    """For each evaluator that supports it, score every ordered pair of answers against each other."""
    peers = [
        peer._replace(evaluate=peer.agreement, weight=1.0, adjustment=None)
        for peer in evaluators
        if peer.agreement is not None
    ]
    agreements: dict[str, Results] = {peer.name: [] for peer in peers}
    for expected, answer in permutations(map(_read_json, case.candidates or []), 2) if peers else ():
        if is_same(expected, answer):
            results = [cast("EvaluatorResult", {"score": 1.0, "duration_ms": 0.0}) for _ in peers]
        else:
            results = score(Case(case.id, expected, answer, case.input), peers)["evaluator_results"]
        for peer, result in zip(peers, results, strict=True):
            agreements[peer.name].append(result)
    return agreements


def _read_json(answer: Any) -> Any:
    """Return the JSON value in an answer that is text; any other answer stays as it is."""
    try:
        return jsontext.find(answer).value if isinstance(answer, str) else answer
    except jsontext.NotJson:
        return answer


def _merge_results(
    evaluator: NamedEvaluator,
    repeats: Results,
    agreements: Results,
    shown: EvaluatorResult,
    verdict: DecideVerdict,
) -> EvaluatorResult:
    """Merge the results of one evaluator for all answers; the details are those of `shown`."""
    error = find_error([*repeats, *agreements])
    scores = [result["score"] for result in repeats]
    merged = next((result for result in repeats if "error" in result), shown).copy()
    merged["score"] = 0.0 if error else fmean(scores)
    merged["verdict"] = "fail" if error else _merge_verdicts(repeats, verdict)
    merged["duration_ms"] = _sum_milliseconds([*repeats, *agreements])
    merged["repeats"] = scores
    if error:
        merged["error"] = error
    elif agreements:
        merged["consistency"] = fmean(result["score"] for result in agreements)
    if usage := _sum_usage([*repeats, *agreements]):
        merged["usage"] = usage
    if observations := merge_observations(result["observations"] for result in repeats if "observations" in result):
        merged["observations"] = observations
    if metrics := _sum_metrics(evaluator, repeats):
        merged["details"] = {**merged.get("details", {}), "metrics": metrics}
    return merged


def _merge_verdicts(repeats: Results, verdict: DecideVerdict) -> VerdictName:
    """Return the verdict of the mean, or the worst verdict if the evaluator has a threshold of its own."""
    verdicts: list[VerdictName] = [result["verdict"] for result in repeats]
    if verdicts == [verdict(result["score"]) for result in repeats]:
        return verdict(fmean(result["score"] for result in repeats))
    return min(verdicts, key=("fail", "partial", "pass").index)


def _sum_metrics(evaluator: NamedEvaluator, repeats: Results) -> dict[str, dict[str, int]]:
    total = EvaluatorSummary(evaluator.name, evaluator.type)
    for result in repeats:
        total.add(result)
    return total.attributes


def _sum_usage(results: Results) -> dict[str, float]:
    total: dict[str, float] = {}
    for result in results:
        for name, number in result.get("usage", {}).items():
            total[name] = total.get(name, 0) + number
    return total


def _merge_rows(rows: Sequence[Row], results: Results, skipped: list[str], worst: int) -> Row:
    """Merge the rows of all answers; `score_repeats` decides the verdict."""
    error = find_error(results) or next((row["error"] for row in rows if "error" in row), None)
    merged = {key: value for key, value in rows[worst].items() if key not in ("candidate", "skipped")} | {
        "status": "error" if error else "ok",
        "score": 0.0 if error else fmean(row["score"] for row in rows),
        "reasoning": f"repeat {worst + 1} of {len(rows)}: {rows[worst]['reasoning']}",
        "evaluator_results": results,
        "duration_ms": _sum_milliseconds(results),
        "repeats": [row["score"] for row in rows],
        "worst_repeat": worst + 1,
    }
    merged |= _merge_facts(rows)
    if skipped:
        merged["skipped"] = skipped
    if error:
        merged["error"] = error
    if "candidate" in rows[worst]:
        merged["candidates"] = [row["candidate"] for row in rows]
    weighted = [
        (result["weight"], result["consistency"]) for result in results if "consistency" in result and result["weight"]
    ]
    if weighted and not error:
        total = sum(weight for weight, _ in weighted)
        merged["consistency"] = sum(weight * consistency for weight, consistency in weighted) / total
    return cast("Row", merged)


def _merge_facts(rows: Sequence[Row]) -> dict[str, Any]:
    """Return what all answers together cost, and how long an answer took in the mean."""
    facts: dict[str, Any] = {}
    if all("latency_ms" in row for row in rows):
        facts["latency_ms"] = round(fmean(row["latency_ms"] for row in rows), 3)
    if any("cost" in row for row in rows):
        facts["cost"] = sum(row.get("cost", 0.0) for row in rows)
    counts = [row["tokens"] for row in rows if isinstance(row.get("tokens"), dict)]
    if counts:
        facts["tokens"] = {name: sum(count.get(name, 0) for count in counts) for name in counts[0]}
    return facts


def _sum_milliseconds(results: Results) -> float:
    return float(round(sum(result["duration_ms"] for result in results), 3))
