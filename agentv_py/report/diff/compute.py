"""Two results files → their diff."""

from typing import TYPE_CHECKING

from agentv_py.report.diff.columns import ERROR, PASS, Column, Ledger
from agentv_py.report.diff.model import AttributeShift, Diff, Errored, EvaluatorShift, MeanShift, Move, RateShift
from agentv_py.report.diff.significance import Shift, holm, mcnemar, shift
from agentv_py.report.statistics import wilson
from agentv_py.results.read import Source
from agentv_py.score import SLACK

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agentv_py.report.diff.significance import Floats

    Numbers = NDArray[np.int64]
    Flags = NDArray[np.bool_]


def compare(
    baseline: Source, candidate: Source, *, cluster: str | None = None, threshold: float = 0.0, seed: int = 0
) -> Diff:
    """Read both files once, join them, and weigh what changed."""
    sides = Ledger(baseline, cluster), Ledger(candidate, cluster)
    for side in sides:
        side.read()
    diff = Diff(*sides, threshold)
    _Weighing(diff, seed).weigh()
    return diff


class _Cases:
    """One side by case: the mean score of the rows that did not err, and whether most of them pass."""

    def __init__(self, side: Ledger) -> None:
        import numpy as np

        case_of, count = np.frombuffer(side.case_of, dtype=np.int64), len(side.cases)
        states = np.frombuffer(side.states, dtype=np.uint8)
        whole = states != ERROR
        rows = np.bincount(case_of, weights=whole, minlength=count)
        total = np.bincount(case_of, weights=np.where(whole, side.scores, 0.0), minlength=count)
        passed = np.bincount(case_of, weights=states == PASS, minlength=count)
        self.scored: Flags = rows > 0
        self.left_out = int(np.count_nonzero(~whole & self.scored[case_of]))
        self.scores: Floats = total / np.maximum(rows, 1)
        self.passed: Flags = 2 * passed > rows

    def word(self, case: int) -> str:
        return "error" if not self.scored[case] else "pass" if self.passed[case] else "fail"


class _Weighing:
    def __init__(self, diff: Diff, seed: int) -> None:
        self.diff, self.seed = diff, seed
        self.old, self.new = diff.baseline, diff.candidate
        self.keys = list(self.old.cases)
        self.cases = _Cases(self.old), _Cases(self.new)
        diff.left_out = self.cases[0].left_out, self.cases[1].left_out

    def weigh(self) -> None:
        before, after = self._join()
        old, new = self.cases
        whole = old.scored[before] & new.scored[after]
        self._note_errors(before[~whole], after[~whole])
        self.before, self.after = before[whole], after[whole]
        self.diff.cases = len(self.before)
        self.clusters = self._clusters()
        if self.diff.cases:
            self._weigh_scores()
            self._weigh_verdicts()
            self._weigh_evaluators()
        self._weigh_attributes()

    def _join(self) -> "tuple[Numbers, Numbers]":
        import numpy as np

        diff, old, new = self.diff, self.old.cases, self.new.cases
        joined = [(case, new[key]) for key, case in old.items() if key in new]
        diff.matched = len(joined)
        diff.joined = [(self.old.first[a], self.new.first[b]) for a, b in joined]
        diff.suites = list(dict.fromkeys(suite for side in (old, new) for suite, _ in side))
        diff.only_baseline = [key for key in old if key not in new]
        diff.only_candidate = [key for key in new if key not in old]
        both = np.array(joined, dtype=np.int64).reshape(-1, 2)
        return both[:, 0], both[:, 1]

    def _note_errors(self, before: "Numbers", after: "Numbers") -> None:
        old, new = self.cases
        self.diff.errored = [
            Errored(self.keys[a], old.word(a), new.word(b), (self.old.first[a], self.new.first[b]))
            for a, b in zip(before.tolist(), after.tolist(), strict=True)
        ]

    def _clusters(self) -> "Numbers | None":
        """By compared case the number of its cluster; a case without the key is one of its own."""
        import numpy as np

        if self.old.cluster is None:
            return None
        names = [self.old.clusters.get(case, case) for case in self.before.tolist()]
        numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
        self.diff.clusters = len(numbers)
        return np.array([numbers[name] for name in names], dtype=np.int64)

    def _weigh_scores(self) -> None:
        import numpy as np

        diff = self.diff
        before, after = self.cases[0].scores[self.before], self.cases[1].scores[self.after]
        least = max(diff.threshold - SLACK, SLACK)
        diff.higher = int(np.count_nonzero(after - before >= least))
        diff.lower = int(np.count_nonzero(before - after >= least))
        diff.mean_score = self._mean(before, after, self.clusters)

    def _weigh_verdicts(self) -> None:
        diff, (old, new) = self.diff, self.cases
        before, after = old.passed[self.before], new.passed[self.after]
        broken, fixed = before & ~after, after & ~before
        diff.broken, diff.fixed = self._moves(broken), self._moves(fixed)
        change = shift(after.astype(float) - before, self.clusters, self.seed)
        if self.clusters is None:
            p_value = mcnemar(int(broken.sum()), int(fixed.sum()))
            change = Shift(change.delta, change.low, change.high, p_value, change.smallest)
        rates = [wilson(int(side.sum()), diff.cases) for side in (before, after)]
        diff.pass_rate = RateShift(rates[0], rates[1], change)

    def _moves(self, changed: "Flags") -> list[Move]:
        """The cases among them whose score moved by at least the threshold."""
        old, new = self.cases
        moves = (
            Move(self.keys[a], float(old.scores[a]), float(new.scores[b]), (self.old.first[a], self.new.first[b]))
            for a, b in zip(self.before[changed].tolist(), self.after[changed].tolist(), strict=True)
        )
        return [move for move in moves if abs(move.delta) >= self.diff.threshold - SLACK]

    def _weigh_evaluators(self) -> None:
        import numpy as np

        weighed = []
        for name in (name for name in self.old.evaluators if name in self.new.evaluators):
            before, after = self.old.evaluators[name], self.new.evaluators[name]
            old, new = _means(before, self.old)[self.before], _means(after, self.new)[self.after]
            both = ~(np.isnan(old) | np.isnan(new))
            clusters = None if self.clusters is None else np.unique(self.clusters[both], return_inverse=True)[1]
            if both.any():
                change = self._mean(old[both], new[both], clusters)
                weighed.append((name, after.type, int(both.sum()), change))
        adjusted = holm([change.shift.p_value for *_, change in weighed])
        self.diff.evaluators = [EvaluatorShift(*one, p) for one, p in zip(weighed, adjusted, strict=True)]

    def _mean(self, before: "Floats", after: "Floats", clusters: "Numbers | None") -> MeanShift:
        return MeanShift(float(before.mean()), float(after.mean()), shift(after - before, clusters, self.seed))

    def _weigh_attributes(self) -> None:
        self.old.keep(set(self.before.tolist()))
        self.new.keep(set(self.after.tolist()))
        for name in dict.fromkeys([*self.old.evaluators, *self.new.evaluators]):
            before, after = self.old.attributes(name), self.new.attributes(name)
            self.diff.attributes += [
                AttributeShift(name, attribute, before.get(attribute), after.get(attribute))
                for attribute in dict.fromkeys([*before, *after])
            ]


def _means(column: Column, side: Ledger) -> "Floats":
    """By case the mean of one evaluator's scores; NaN where it has none."""
    import numpy as np

    cases = np.frombuffer(side.case_of, dtype=np.int64)[np.frombuffer(column.rows, dtype=np.int64)]
    rows = np.bincount(cases, minlength=len(side.cases))
    total = np.bincount(cases, weights=column.scores, minlength=len(side.cases))
    with np.errstate(invalid="ignore"):
        return np.asarray(total / rows)
