"""A row → every comparison that its evaluators made of it, as far as the row tells."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import is_empty
from agentv_py.comparison.scoring import cut
from agentv_py.report.differences import error_of, noted
from agentv_py.report.row_values import Side
from agentv_py.results.row import Row


@dataclass(frozen=True, slots=True)
class Compared:
    evaluator: str
    type: str
    path: str
    outcome: str
    expected: Any = ABSENT
    actual: Any = ABSENT
    similarity: float | None = None
    note: str = ""


def comparisons(row: Row) -> Iterator[Compared]:
    """Hits, then misses; an evaluator that names neither has one line all the same."""
    side = Side(row)
    for result in row["evaluator_results"]:
        named = result["name"], result["type"]
        if "error" in result:
            yield Compared(*named, "", "error", note=error_of(result).message)
            continue
        found = [*_hits(side, result), *_misses(result)]
        yield from found or [Compared(*named, "", result["verdict"])]


def _hits(side: Side, result: Mapping[str, Any]) -> Iterator[Compared]:
    hits = result.get("hits")
    for path in map(str, hits if isinstance(hits, list) else ()):
        values = side.expected(path), side.answer(result["name"], path)
        blank = values[0] is not ABSENT and is_empty(values[0])
        yield Compared(result["name"], result["type"], path, "blank" if blank else "match", *map(cut, values))


def _misses(result: Mapping[str, Any]) -> Iterator[Compared]:
    for miss, (path, found) in zip(map(str, result["misses"]), noted(result), strict=True):
        note = found.get("note") or miss[len(path) :].strip(" ()")
        outcome = found.get("outcome") or (
            "missing" if "missing" in note else "extra" if note == "unexpected" else "mismatch"
        )
        sides = found.get("expected", ABSENT), found.get("actual", ABSENT)
        yield Compared(result["name"], result["type"], path, outcome, *sides, found.get("similarity"), note)
