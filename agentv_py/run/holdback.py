"""Scored cases in order → the same, none of them before it is known that its judges' answers are its own."""

import time
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from agentv_py import jsontext
from agentv_py.process.persistent import Lifetime
from agentv_py.report.summary import Summary
from agentv_py.results.read import encode
from agentv_py.results.row import Row
from agentv_py.run.scorer import Scored, join_words, score_error

# What is held back is in memory, and lost where the run is killed.
_MOST_CASES = 1000
_MOST_BYTES = 32 * 1024 * 1024
_LONGEST = 300.0

Piece = TypeVar("Piece")


@dataclass(slots=True)
class _Held:
    scored: Scored
    awaits: dict[Lifetime, Collection[str]]


class Holdback:
    """Holds cases back whose answers came from a persistent judge that echoes nothing, and those behind them.

    The end of the judge's process shows whether it wrote a line too many; then nobody knows which of its answers
    belongs to which case, and all of them become errors. Rows that were written already could not: a killed run would
    leave them, and a pipe cannot be written again.
    """

    def __init__(self) -> None:
        self._held: deque[_Held] = deque()
        self._bytes = 0
        self._since = 0.0

    def take(self, scored: Scored) -> Iterator[Scored]:
        """Take the next cases in, and give those out that wait for nothing any more."""
        if not self._held:
            self._since = time.monotonic()
        self._held.append(_Held(scored, dict(scored.awaits)))
        self._bytes += len(scored.rows)
        for lifetime, is_sound in scored.outcomes.items():
            self._settle(lifetime, is_sound=is_sound)
        while self._held and not self._held[0].awaits:
            ready = self._held.popleft().scored
            self._bytes -= len(ready.rows)
            yield ready

    def pause_when_full(self, pieces: Iterable[Piece]) -> Iterator[Piece | None]:
        """The pieces of work, with a None where the processes have to be ended so that the cases can go on."""
        for piece in pieces:
            if self._is_full():
                yield None
            yield piece

    def _is_full(self) -> bool:
        if not self._held:
            return False
        many = len(self._held) >= _MOST_CASES or self._bytes >= _MOST_BYTES
        return many or time.monotonic() - self._since >= _LONGEST

    def _settle(self, lifetime: Lifetime, *, is_sound: bool) -> None:
        for held in self._held:
            names = held.awaits.pop(lifetime, None)
            if names is not None and not is_sound:
                before = len(held.scored.rows)
                held.scored = _turn_into_errors(held.scored, names)
                self._bytes += len(held.scored.rows) - before


def _turn_into_errors(scored: Scored, names: Collection[str]) -> Scored:
    rows, summary = list[bytes](), Summary()
    for line in scored.rows.splitlines():
        row = jsontext.loads(line)
        _turn_into_error(row, names)
        summary.add(row)
        rows.append(encode(row))
    return scored._replace(rows=b"".join(rows), summary=summary)


def _turn_into_error(row: Row, names: Collection[str]) -> None:
    """Make the row what it would be, had these evaluators failed."""
    results: list[dict[str, Any]] = row["evaluator_results"]
    for result in results:
        if result["name"] in names and "error" not in result:
            _fail(result)
    words = results[0] if len(results) == 1 else join_words(results)
    row |= {key: words[key] for key in ("hits", "misses", "reasoning")}
    row |= {"status": "error", "score": 0.0, "verdict": "fail"}
    row["error"] = next(result["error"] for result in results if "error" in result)
    _clear_repeats(row)


def _fail(result: dict[str, Any]) -> None:
    message = (
        f"the judge {result['name']!r} wrote more lines than it was asked for, so its answers cannot be told apart;"
        " let it echo 'sequence'"
    )
    error = {"kind": "extra_line", "message": message}
    score = score_error(error)
    result |= {"score": score.score, "verdict": score.verdict, "hits": [], "misses": score.misses}
    result |= {"reasoning": score.reasoning, "error": error}
    result.pop("details", None)
    _clear_repeats(result)


def _clear_repeats(part: dict[str, Any]) -> None:
    part.pop("consistency", None)
    if "repeats" in part:
        part["repeats"] = [0.0] * len(part["repeats"])
