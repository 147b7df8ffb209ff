"""Cases × evaluators → case results."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from agentv_py.case import ABSENT, Case
from agentv_py.errors import InputChanged
from agentv_py.evaluators.base import EvaluatorFailed
from agentv_py.jsontext import TooDeep
from agentv_py.models.usage import Usage
from agentv_py.process.persistent import Lifetime, take_outcomes, verify_persistent
from agentv_py.report.summary import Summary
from agentv_py.results.read import encode
from agentv_py.results.row import Row
from agentv_py.run.repeats import score_repeats
from agentv_py.run.unlabelled import Labels
from agentv_py.score import Score, verdict
from agentv_py.suite.plan import NamedEvaluators, Plan, RawCase, build_case, other_case
from agentv_py.suite.schema import NamedEvaluator, Verdicts, named

CHUNK = 100


class Scored(NamedTuple):
    """What became of a chunk of cases: their rows, and what they add up to."""

    rows: bytes
    summary: Summary
    labels: Labels
    awaits: Mapping[Lifetime, Collection[str]] = {}
    """Persistent processes whose end will show whether these scores are the cases', each with its evaluators' names."""
    outcomes: Mapping[Lifetime, bool] = {}
    """Such processes that have ended, and whether their answers can be trusted."""
    error: InputChanged | None = None
    """Why the rows of the chunk's last cases are not there."""


class Scorer:
    """Scores chunks of one suite's cases; the same in every process."""

    def __init__(
        self,
        suite: str,
        evaluators: NamedEvaluators,
        verdicts: Verdicts,
        folder: str = "",
        *,
        plain: bool = False,
        data: bool = True,
        keys: Sequence[str] = (),
    ) -> None:
        self.suite = suite
        self.folder = folder
        self.evaluators = evaluators
        self.pass_at, self.partial_at = verdicts.pass_, verdicts.partial
        self.plain = plain
        self.data = data
        self.keys = keys
        """Secrets that must not be in a message."""
        self._awaits: dict[Lifetime, set[str]] = {}
        self.usage: Callable[[], Usage] | None = None
        """What the models took that were asked since the last look; None where none are."""

    def __call__(self, chunk: Sequence[RawCase]) -> Scored:
        summary, labels = Summary(), Labels()
        rows = list[bytes]()
        timestamp = now()
        self._awaits = {}
        changed = None
        for raw in chunk:
            try:
                case, own = self.built(raw)
            except InputChanged as error:
                changed = error
                break
            row = self.score(case, own or self.evaluators, labels, timestamp)
            try:
                rows.append(encode(row))
            except TooDeep as error:
                row = without_values(row, str(error))
                rows.append(encode(row))
            summary.add(row)
        return Scored(b"".join(rows), summary, labels, self._awaits, take_outcomes(), changed)

    def built(self, raw: RawCase) -> tuple[Case, NamedEvaluators | None]:
        try:
            return build_case(raw, self.folder, plain=self.plain)
        except (ValueError, AttributeError, KeyError, TypeError):  # every row was checked before
            raise other_case(raw) from None

    def score(self, case: Case, evaluators: NamedEvaluators, labels: Labels, timestamp: str) -> Row:
        if case.candidates is not None:
            return self._repeats(case, evaluators, labels, timestamp)
        started = perf_counter()
        results: list[dict[str, Any]] = []
        error, failed = None, False
        for evaluator in evaluators:
            result = self._result(evaluator, case, labels)
            results.append(result)
            error = error or result.get("error")
            failed = failed or (evaluator.required and result["verdict"] != "pass")
        whole = results[0] if len(results) == 1 else self._joined(results)
        row: Row = {
            "timestamp": timestamp,
            "suite": self.suite,
            "case_id": case.id,
            "status": "error" if error else "ok",
            "score": 0.0 if error else whole["score"],
            "verdict": "fail" if error or failed else whole["verdict"],
            "hits": whole["hits"],
            "misses": whole["misses"],
            "reasoning": whole["reasoning"],
        }
        if error:
            row["error"] = error
        if self.data and case.expected is not ABSENT:
            row["expected"] = case.expected
        if self.data and case.candidate is not ABSENT:
            row["candidate"] = case.candidate
        row["evaluator_results"] = results
        row["duration_ms"] = whole["duration_ms"] if len(results) == 1 else _milliseconds(started)
        if case.metadata:
            row["metadata"] = case.metadata
        if case.tags:
            row["tags"] = case.tags
        return row

    def _repeats(self, case: Case, evaluators: NamedEvaluators, labels: Labels, timestamp: str) -> Row:
        return score_repeats(
            case,
            evaluators,
            labels,
            lambda one, by, seen: self.score(one, by, seen, timestamp),
            lambda score: verdict(score, self.pass_at, self.partial_at),
        )

    def _joined(self, results: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """What several evaluators say together. A single one speaks for itself, also by a threshold of its own."""
        score = sum(one["weight"] * one["score"] for one in results) / sum(one["weight"] for one in results)
        return {
            "score": score,
            "verdict": verdict(score, self.pass_at, self.partial_at),
            **join_words(results),
        }

    def _result(self, evaluator: NamedEvaluator, case: Case, labels: Labels) -> dict[str, Any]:
        name, type_, weight, _, evaluate, _, _ = evaluator
        started = perf_counter()
        score, error = _evaluated(evaluate, case, self.keys)
        if score.awaits is not None:
            self._awaits.setdefault(score.awaits, set()).add(name)
        result = {
            "name": name,
            "type": type_,
            "weight": weight,
            "score": score.score,
            "verdict": score.verdict or verdict(score.score, self.pass_at, self.partial_at),
            "hits": [*score.hits],
            "misses": [*score.misses],
            "reasoning": score.reasoning,
        }
        if score.details:
            result["details"] = score.details
        if error:
            result["error"] = error
        if self.usage is not None and (used := self.usage()):
            result["usage"] = used.as_row()
        if score.unlabelled or score.optional:
            labels.see(name, score)
        result["duration_ms"] = _milliseconds(started)
        return result


def join_words(results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Hits, misses and reasoning of several evaluators together."""
    return {
        "hits": [hit for one in results for hit in one["hits"]],
        "misses": [miss for one in results for miss in one["misses"]],
        "reasoning": "; ".join(f"{one['name']}: {one['reasoning']}" for one in results if one["reasoning"]),
    }


def without_values(row: Row, why: str) -> Row:
    """The row of a case whose values cannot be written: an error that holds none of them."""
    error = {"kind": "too_deep", "message": why}
    failed = {"score": 0.0, "verdict": "fail", "hits": [], "misses": [f"(too_deep: {why})"], "error": error}
    kept = {key: value for key, value in row.items() if key not in _VALUES}
    results = [
        {key: value for key, value in one.items() if key != "details"} | failed for one in row["evaluator_results"]
    ]
    return kept | failed | {"status": "error", "evaluator_results": results}


_VALUES = frozenset({"expected", "candidate", "candidates", "metadata", "repeats", "consistency"})


def scorer_of(plan: Plan, *, data: bool = True) -> Scorer:
    evaluators = named([one.placed(Path(plan.folder)) for one in plan.suite.evaluators or []])
    keys = [os.environ.get(name, "").strip() for name in plan.key_names]
    return Scorer(plan.name, evaluators, plan.suite.verdicts, plan.folder, plain=plan.plain, data=data, keys=keys)


def chunks(cases: Iterable[RawCase], size: int = CHUNK) -> Iterator[list[RawCase]]:
    cases = iter(cases)
    while chunk := list(islice(cases, size)):
        yield chunk


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _evaluated(
    evaluate: Callable[[Case], Score], case: Case, keys: Sequence[str]
) -> tuple[Score, dict[str, str] | None]:
    """The score; where the evaluator failed, a 0 that is marked as an error."""
    if case.candidate is ABSENT:
        error = {"kind": "no_candidate", "message": "the case has no candidate"}
        return Score(0.0, misses=("candidate (missing)",), reasoning=error["message"], verdict="fail"), error
    try:
        return evaluate(case), None
    except Exception as exception:  # noqa: BLE001  the one place where an evaluator's failure becomes a result
        message = exception.describe(keys) if isinstance(exception, EvaluatorFailed) else str(exception)
        error = {"kind": getattr(exception, "kind", type(exception).__name__), "message": message}
        return score_error(error), error


def score_error(error: Mapping[str, str]) -> Score:
    miss = f"({error['kind']}: {error['message']})"
    return Score(0.0, misses=(miss,), reasoning="the evaluator failed", verdict="fail")


def verify() -> Scored:
    """No cases, but what the ends of this process's persistent judges show."""
    verify_persistent()
    return Scored(b"", Summary(), Labels(), outcomes=take_outcomes())


def _milliseconds(started: float) -> float:
    return int((perf_counter() - started) * 1e6) / 1000  # rounding properly takes longer than a field
