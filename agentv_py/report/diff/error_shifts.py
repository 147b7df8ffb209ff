"""The compared cases of a diff → how often each kind of error, and each named pattern, occurs before and after."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from agentv_py.report.diff.columns import EvaluatorKey, ResultColumns
from agentv_py.report.error_kinds import ErrorKinds

if TYPE_CHECKING:
    from agentv_py.report.diff.model import CasePair, Diff
    from agentv_py.results.row import Row

MOST_CASES = 10_000
"""Cases with errors that are read again; so many tell which kinds appear and vanish."""

KindsByEvaluator = dict[EvaluatorKey, ErrorKinds]


class ErrorShift(NamedTuple):
    """A kind of error or a pattern of an attribute that occurs more or less often than before."""

    key: EvaluatorKey
    attribute: str
    kind: str
    baseline: int
    candidate: int

    @property
    def delta(self) -> int:
        return self.candidate - self.baseline


def compare_errors(diff: "Diff", pairs: "Sequence[CasePair]") -> tuple[list[ErrorShift], int]:
    """Return what changed, the greatest rise first, and the number of cases with errors that are not read."""
    sides = diff.baseline, diff.candidate
    wrong = [pair for pair in pairs if any(map(_has_misses, sides, pair))]
    before, after = KindsByEvaluator(), KindsByEvaluator()
    for rows in diff.read_pairs(wrong[:MOST_CASES]):
        for kinds, side, row in zip((before, after), sides, rows, strict=True):
            _add_row(kinds, side, row)
    shifts = [shift for key in before | after for shift in _compare_kinds(key, before.get(key), after.get(key))]
    return sorted(shifts, key=lambda each: -each.delta), max(0, len(wrong) - MOST_CASES)


def _has_misses(side: ResultColumns, case: int) -> bool:
    return bool(side.has_misses[side.row_of[case]])


def _add_row(kinds: KindsByEvaluator, side: ResultColumns, row: "Row") -> None:
    for result in row["evaluator_results"]:
        if result["misses"] and "error" not in result:
            kinds.setdefault(side.find_evaluator(row, result["name"]), ErrorKinds()).add(result, row)


def _compare_kinds(key: EvaluatorKey, before: ErrorKinds | None, after: ErrorKinds | None) -> Iterator[ErrorShift]:
    old, new = ({} if kinds is None else _count(kinds) for kinds in (before, after))
    for place in old | new:
        if old.get(place, 0) != new.get(place, 0):
            yield ErrorShift(key, *place, old.get(place, 0), new.get(place, 0))


def _count(kinds: ErrorKinds) -> dict[tuple[str, str], int]:
    """Count by attribute and kind, then by attribute and pattern."""
    counts = {(name, str(kind)): n for name, own in kinds.attributes.items() for kind, n in own.items()}
    counts |= {(path, f"{kind} rows"): n for path, own in kinds.lists.items() for kind, n in own.items()}
    counts |= {(attribute, pattern): n for (pattern, attribute), n in kinds.patterns.items()}
    return counts | ({("$", "not JSON"): kinds.unreadable_answers} if kinds.unreadable_answers else {})
