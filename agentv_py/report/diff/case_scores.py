"""The columns of one side → each case's score and verdict: the one place where the rows of a case become one figure."""

from typing import TYPE_CHECKING

from agentv_py.comparison.counts import Counts
from agentv_py.report.diff.columns import ERROR, PASS, EvaluatorColumn, ResultColumns

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agentv_py.report.diff.flips import Floats

    Flags = NDArray[np.bool_]


class CaseScores:
    """By case: the mean score of the rows that did not err, and whether most of them pass."""

    def __init__(self, columns: ResultColumns) -> None:
        import numpy as np

        case_of, count = np.frombuffer(columns.case_of, dtype=np.int64), len(columns.cases)
        states = np.frombuffer(columns.states, dtype=np.uint8)
        is_ok = states != ERROR
        rows = np.bincount(case_of, weights=is_ok, minlength=count)
        total = np.bincount(case_of, weights=np.where(is_ok, columns.scores, 0.0), minlength=count)
        passed = np.bincount(case_of, weights=states == PASS, minlength=count)
        self.has_score: Flags = rows > 0
        """False for a case all of whose rows erred."""
        self.means: Floats = total / np.maximum(rows, 1)
        self.passes: Flags = 2 * passed > rows
        self.errored_rows = int(np.count_nonzero(~is_ok & self.has_score[case_of]))
        """Rows that erred, of cases that have a score."""

    def score(self, case: int) -> float | None:
        return float(self.means[case]) if self.has_score[case] else None

    def verdict(self, case: int) -> str:
        return "error" if not self.has_score[case] else "pass" if self.passes[case] else "fail"


def compute_evaluator_means(column: EvaluatorColumn, columns: ResultColumns) -> "Floats":
    """Return by case the mean of one evaluator's scores; NaN where it has none."""
    import numpy as np

    cases = _find_cases(column, columns)
    rows = np.bincount(cases, minlength=len(columns.cases))
    total = np.bincount(cases, weights=column.scores, minlength=len(columns.cases))
    with np.errstate(invalid="ignore"):
        return np.asarray(total / rows)


def sum_attributes(column: EvaluatorColumn, columns: ResultColumns, cases: "NDArray[np.int64]") -> dict[str, Counts]:
    """Return the counts of each attribute, summed over these cases; without attributes that count nothing there."""
    import numpy as np

    is_counted = np.zeros(len(columns.cases), dtype=bool)
    is_counted[cases] = True
    sums = column.attributes.sum_up(is_counted[_find_cases(column, columns)])
    return {attribute: counts for attribute, counts in sums.items() if any(counts.values())}


def count_attribute(
    column: EvaluatorColumn, columns: ResultColumns, attribute: str, cases: "NDArray[np.int64]"
) -> "Floats":
    """Return the tp, fp and fn of an attribute in each of these cases, summed over the rows of the case."""
    import numpy as np

    case_of = _find_cases(column, columns)
    counts = column.attributes.list_counts(attribute)
    by_case = [np.bincount(case_of, weights=each, minlength=len(columns.cases)) for each in counts]
    return np.array([each[cases] for each in by_case]).T


def _find_cases(column: EvaluatorColumn, columns: ResultColumns) -> "NDArray[np.int64]":
    """Return the case of each result of an evaluator."""
    import numpy as np

    return np.frombuffer(columns.case_of, dtype=np.int64)[np.frombuffer(column.rows, dtype=np.int64)]
