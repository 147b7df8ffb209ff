"""The columns of one side → each case's score and verdict: the one place where the rows of a case become one figure."""

from typing import TYPE_CHECKING

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

    cases = np.frombuffer(columns.case_of, dtype=np.int64)[np.frombuffer(column.rows, dtype=np.int64)]
    rows = np.bincount(cases, minlength=len(columns.cases))
    total = np.bincount(cases, weights=column.scores, minlength=len(columns.cases))
    with np.errstate(invalid="ignore"):
        return np.asarray(total / rows)


def count_attribute(column: EvaluatorColumn, columns: ResultColumns, attribute: str) -> "Floats":
    """Return by case the tp, fp and fn of an attribute, summed over its rows."""
    import numpy as np

    cases = np.frombuffer(columns.case_of, dtype=np.int64)[np.frombuffer(column.rows, dtype=np.int64)]
    counts = column.attributes.list_counts(attribute)
    return np.column_stack([np.bincount(cases, weights=each, minlength=len(columns.cases)) for each in counts.T])
