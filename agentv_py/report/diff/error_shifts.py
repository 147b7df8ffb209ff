"""The compared cases of a diff → how often each kind of error, and each named pattern, occurs before and after."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from agentv_py.report.diff.columns import EvaluatorKey, ResultColumns
from agentv_py.report.error_kinds import ErrorKinds

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agentv_py.report.diff.case_scores import Flags
    from agentv_py.report.diff.model import Diff
    from agentv_py.results.row import Row

    Numbers = NDArray[np.int64]

MOST_CASES = 5_000
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


def compare_errors(diff: "Diff", before_cases: "Numbers", after_cases: "Numbers") -> tuple[list[ErrorShift], int]:
    """Return what changed, the greatest rise first, and the number of cases with errors that are not read."""
    sides = diff.baseline, diff.candidate
    is_wrong = _find_misses(diff.baseline)[before_cases] | _find_misses(diff.candidate)[after_cases]
    old, new = before_cases[is_wrong].tolist(), after_cases[is_wrong].tolist()
    before, after = KindsByEvaluator(), KindsByEvaluator()
    for rows in diff.read_pairs(list(zip(old, new, strict=True))[:MOST_CASES]):
        for kinds, side, row in zip((before, after), sides, rows, strict=True):
            _add_row(kinds, side, row)
    shifts = [shift for key in before | after for shift in _compare_kinds(key, before.get(key), after.get(key))]
    return sorted(shifts, key=lambda each: -each.delta), max(0, len(old) - MOST_CASES)


def _find_misses(side: ResultColumns) -> "Flags":
    """Return by case whether the row that represents it has any miss."""
    import numpy as np

    return np.frombuffer(side.has_misses, dtype=np.bool_)[np.frombuffer(side.row_of, dtype=np.int64)]


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
