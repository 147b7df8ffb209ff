"""A case with several answers → one row: their mean, what each of them came to, and how far they agree."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import permutations
from statistics import fmean
from typing import Any

from agentv_py import jsontext
from agentv_py.case import Case
from agentv_py.comparison.matchers.exact import same
from agentv_py.report.summary import EvaluatorSummary
from agentv_py.results.row import Row
from agentv_py.run.unlabelled import Labels
from agentv_py.score import VerdictName
from agentv_py.suite.evaluators import NamedEvaluator, NamedEvaluators

Result = dict[str, Any]
Results = list[Result]
ScoreOne = Callable[[Case, NamedEvaluators, Labels], Row]
Verdict = Callable[[float], VerdictName]


def score_repeats(case: Case, evaluators: NamedEvaluators, labels: Labels, score: ScoreOne, verdict: Verdict) -> Row:
    """Each answer is scored as though it were the only one; hits, misses and details are those of the worst."""
    answers = case.candidates or []
    rows = [
        score(replace(case, candidate=one, candidates=None, _structured=None), evaluators, labels) for one in answers
    ]
    worst = min(range(len(rows)), key=lambda number: (rows[number]["status"] == "ok", rows[number]["score"]))
    between = _between(case, evaluators, score)
    results = [
        _result(one, [row["evaluator_results"][place] for row in rows], between.get(one.name, []), worst, verdict)
        for place, one in enumerate(evaluators)
    ]
    row = _row(rows, results, worst)
    failed = any(one.required and found["verdict"] != "pass" for one, found in zip(evaluators, results, strict=True))
    decided = results[0]["verdict"] if len(results) == 1 else verdict(row["score"])
    row["verdict"] = "fail" if failed or "error" in row else decided
    return row


def _between(case: Case, evaluators: NamedEvaluators, score: ScoreOne) -> dict[str, Results]:
    """Of each evaluator that can say so: what it says of every answer, were each of the others expected."""
    peers = [one._replace(evaluate=one.agreement, weight=1.0) for one in evaluators if one.agreement is not None]
    found: dict[str, Results] = {one.name: [] for one in peers}
    for expected, answer in permutations(map(_readable, case.candidates or []), 2) if peers else ():
        if same(expected, answer):
            results = [{"score": 1.0, "duration_ms": 0.0} for _ in peers]
        else:
            results = score(Case(case.id, expected, answer, case.input), peers, Labels())["evaluator_results"]
        for one, result in zip(peers, results, strict=True):
            found[one.name].append(result)
    return found


def _readable(answer: Any) -> Any:
    """What an answer stands for when another one is held against it."""
    try:
        return jsontext.find(answer) if isinstance(answer, str) else answer
    except jsontext.NotJson:
        return answer


def _result(evaluator: NamedEvaluator, each: Results, between: Results, worst: int, verdict: Verdict) -> Result:
    errors = [one["error"] for one in (*each, *between) if "error" in one]
    shown = next((one for one in each if "error" in one), each[worst])
    scores = [one["score"] for one in each]
    found = shown | {
        "score": 0.0 if errors else fmean(scores),
        "verdict": "fail" if errors else _verdict(each, verdict),
        "repeats": scores,
        "duration_ms": _milliseconds([*each, *between]),
    }
    if errors:
        found["error"] = errors[0]
    elif between:
        found["consistency"] = fmean(one["score"] for one in between)
    if usage := _usage([*each, *between]):
        found["usage"] = usage
    if metrics := _metrics(evaluator, each):
        found["details"] = found.get("details", {}) | {"metrics": metrics}
    return found


def _verdict(each: Results, verdict: Verdict) -> VerdictName:
    """The mean's; but where an evaluator has a threshold of its own, no better than in its worst repeat."""
    verdicts: list[VerdictName] = [one["verdict"] for one in each]
    if verdicts == [verdict(one["score"]) for one in each]:
        return verdict(fmean(one["score"] for one in each))
    return min(verdicts, key=("fail", "partial", "pass").index)


def _metrics(evaluator: NamedEvaluator, each: Results) -> dict[str, dict[str, int]]:
    """The counts of all repeats together."""
    total = EvaluatorSummary(evaluator.name, evaluator.type)
    for one in each:
        total.add(one)
    return total.attributes


def _usage(results: Results) -> dict[str, float]:
    """What the models took that were asked, for all answers together."""
    found: dict[str, float] = {}
    for one in results:
        for name, number in one.get("usage", {}).items():
            found[name] = found.get(name, 0) + number
    return found


def _row(rows: Sequence[Row], results: Results, worst: int) -> Row:
    shown = rows[worst]
    error = next((one["error"] for one in results if "error" in one), None)
    row = {key: value for key, value in shown.items() if key != "candidate"} | {
        "status": "error" if error else "ok",
        "score": 0.0 if error else fmean(one["score"] for one in rows),
        "reasoning": f"repeat {worst + 1} of {len(rows)}: {shown['reasoning']}",
        "evaluator_results": results,
        "duration_ms": _milliseconds(results),
        "repeats": [one["score"] for one in rows],
        "worst_repeat": worst + 1,
    }
    if error:
        row["error"] = error
    if "candidate" in shown:
        row["candidates"] = [one["candidate"] for one in rows]
    weighed = [(one["weight"], one["consistency"]) for one in results if "consistency" in one and one["weight"]]
    if weighed and not error:
        row["consistency"] = sum(weight * one for weight, one in weighed) / sum(weight for weight, _ in weighed)
    return row


def _milliseconds(results: Results) -> float:
    return float(round(sum(one["duration_ms"] for one in results), 3))
