"""Scored cases in order → the same cases, each released when its judges' answers are known to belong to it."""

import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from agentv_py import jsontext
from agentv_py.evaluators.grade import find_error, join_words, score_error
from agentv_py.process.persistent import Lifetime, stop_persistent, take_outcomes, verify_persistent
from agentv_py.report.slices.fold import Slices
from agentv_py.report.summary import Summary
from agentv_py.results.row import Row, encode_row
from agentv_py.run.chunk import ScoredChunk
from agentv_py.run.engines import Engine, Recovery
from agentv_py.score import ErrorInfo, EvaluatorResult, Words

# Held cases are in memory, and a killed run loses them.
_MOST_CASES = 1000
_MOST_BYTES = 32 * 1024 * 1024
_LONGEST = 300.0

Piece = TypeVar("Piece")


# Why the answers of a judge cannot be trusted; the message goes on after the name of the judge.
_EXTRA_LINE: ErrorInfo = {
    "kind": "extra_line",
    "message": "wrote more lines than it had questions, so its answers cannot be matched to them; let it echo"
    " 'sequence'",
}
_WORKER_DIED: ErrorInfo = {
    "kind": "worker_died",
    "message": "ended with the process that started it, so nobody knows whether its answers match its questions; let"
    " it echo 'sequence'",
}


@dataclass(slots=True)
class _HeldChunk:
    scored: ScoredChunk
    awaits: dict[Lifetime, Collection[str]]


class Holdback:
    """Holds back the cases of persistent judges that echo no `sequence`, and all cases behind them.

    The end of the judge's process shows whether it wrote a line too many. If it did, its answers cannot be matched to
    their cases, and all of these cases become errors. A row on disk could not become an error any more: a killed run
    would leave it, and a pipe cannot be written again.
    """

    def __init__(self) -> None:
        self._held: deque[_HeldChunk] = deque()
        self._bytes = 0
        self._since = 0.0
        self._dead: set[int] = set()
        """The pids of workers that have died."""

    def run_engine(
        self,
        engine: Engine,
        work: Callable[[Any], ScoredChunk],
        pieces: Iterable[Any],
        jobs: int,
        recovery: Recovery | None = None,
    ) -> Iterator[ScoredChunk]:
        """Run the engine so that `take` learns which judges have ended, and that no judge outlives it."""
        if recovery is not None:
            recovery = recovery._replace(report_death=self._report_death)
        pieces = self.pause_when_full(pieces)
        return engine(partial(score_and_report, work), pieces, jobs, stop_persistent, verify_judges, recovery)

    def take(self, scored: ScoredChunk) -> Iterator[ScoredChunk]:
        """Add the next cases, and yield those that need not wait any longer."""
        if not self._held:
            self._since = time.monotonic()
        self._held.append(_HeldChunk(scored, dict(scored.awaits)))
        self._bytes += len(scored.rows)
        for lifetime, is_sound in scored.outcomes.items():
            self._resolve(lifetime, None if is_sound else _EXTRA_LINE)
        for lifetime in [lifetime for lifetime in scored.awaits if lifetime[0] in self._dead]:
            self._resolve(lifetime, _WORKER_DIED)
        while self._held and not self._held[0].awaits:
            ready = self._held.popleft().scored
            self._bytes -= len(ready.rows)
            yield ready

    def pause_when_full(self, pieces: Iterable[Piece]) -> Iterator[Piece | None]:
        """Yield the pieces of work, with a None wherever the judges must end so that held cases are released."""
        for piece in pieces:
            if self._is_full():
                yield None
            yield piece

    def _is_full(self) -> bool:
        if not self._held:
            return False
        many = len(self._held) >= _MOST_CASES or self._bytes >= _MOST_BYTES
        return many or time.monotonic() - self._since >= _LONGEST

    def _report_death(self, worker: int) -> ScoredChunk:
        """Let no case wait for the judges of a worker that died. Nobody knows how they ended."""
        self._dead.add(worker)
        for lifetime in {lifetime for held in self._held for lifetime in held.awaits if lifetime[0] == worker}:
            self._resolve(lifetime, _WORKER_DIED)
        return ScoredChunk(b"", Summary())

    def _resolve(self, lifetime: Lifetime, failure: ErrorInfo | None) -> None:
        """Let no case wait for this process any more; make its cases errors if its answers cannot be trusted."""
        for held in self._held:
            names = held.awaits.pop(lifetime, None)
            if names is not None and failure is not None:
                before = len(held.scored.rows)
                held.scored = _turn_into_errors(held.scored, names, failure)
                self._bytes += len(held.scored.rows) - before


def score_and_report(work: Callable[[Any], ScoredChunk], piece: Any) -> ScoredChunk:
    """Score, and tell which persistent judges of this process have ended since the last call."""
    return work(piece)._replace(outcomes=take_outcomes())


def verify_judges() -> ScoredChunk:
    """End this process's persistent judges. The result has no rows; it tells whether their answers can be trusted."""
    verify_persistent()
    return ScoredChunk(b"", Summary(), outcomes=take_outcomes())


def _turn_into_errors(scored: ScoredChunk, names: Collection[str], failure: ErrorInfo) -> ScoredChunk:
    rows, summary = list[bytes](), Summary(slices=Slices(scored.summary.slices.keys))
    for line in bytes(scored.rows).splitlines():
        row: Row = jsontext.loads(line, jsontext.MAX_WRITTEN_DEPTH)
        _turn_into_error(row, names, failure)
        summary.add(row)
        rows.append(encode_row(row))
    return scored._replace(rows=b"".join(rows), summary=summary)


def _turn_into_error(row: Row, names: Collection[str], failure: ErrorInfo) -> None:
    """Change the row as if these evaluators had failed."""
    results = row["evaluator_results"]
    for result in results:
        if result["name"] in names and "error" not in result:
            _fail(result, failure)
    words: Words = results[0] if len(results) == 1 else join_words(results)
    row |= {"hits": words["hits"], "misses": words["misses"], "reasoning": words["reasoning"]}
    row |= {"status": "error", "score": 0.0, "verdict": "fail"}
    error = find_error(results)
    if error is not None:
        row["error"] = error
    _clear_repeats(row)


def _fail(result: EvaluatorResult, failure: ErrorInfo) -> None:
    error: ErrorInfo = failure | {"message": f"the judge {result['name']!r} {failure['message']}"}
    score = score_error(error)
    result |= {"score": score.score, "verdict": "fail", "hits": [], "misses": [*score.misses]}
    result |= {"reasoning": score.reasoning, "error": error}
    result.pop("details", None)
    _clear_repeats(result)


def _clear_repeats(part: Row | EvaluatorResult) -> None:
    part.pop("consistency", None)
    if "repeats" in part:
        part["repeats"] = [0.0] * len(part["repeats"])
