"""Two results files → their diff."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agentv_py.errors import Problem, UserError, did_you_mean
from agentv_py.report.diff.case_scores import CaseScores, compute_evaluator_means
from agentv_py.report.diff.columns import CaseKey, ResultColumns
from agentv_py.report.diff.flips import adjust_p_values
from agentv_py.report.diff.join import check_target, refuse_several_targets, unify_names
from agentv_py.report.diff.model import (
    AttributeShift,
    CaseChange,
    Diff,
    ErroredCase,
    EvaluatorShift,
    MeanShift,
    RateShift,
)
from agentv_py.report.diff.significance import estimate_shift, estimate_shifts
from agentv_py.report.statistics import estimate_share
from agentv_py.results.read import ResultsSource
from agentv_py.score import SLACK

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agentv_py.report.diff.case_scores import Flags

    Numbers = NDArray[np.int64]


_MOST_KEYS_SHOWN = 10


def compute_diff(
    baseline: ResultsSource,
    candidate: ResultsSource,
    *,
    targets: tuple[str | None, str | None] = (None, None),
    cluster: str | None = None,
    threshold: float = 0.0,
    seed: int = 0,
) -> Diff:
    """Read both files once, join their cases, and test what changed. `targets` selects a target of each file."""
    old, new = ResultColumns(baseline, cluster, targets[0]), ResultColumns(candidate, cluster, targets[1])
    for side in (old, new):
        side.read()
        check_target(side)
    if cluster is not None and old.cases and not old.clusters:
        keys = sorted(old.metadata_keys)
        what = f"no case has the metadata key {cluster!r}{did_you_mean(cluster, keys) or _list_keys(keys)}"
        raise UserError(Problem(what, "--cluster", baseline.shown))
    joined = unify_names(old, new)
    refuse_several_targets(old, new)
    diff = Diff(old, new, (CaseScores(old), CaseScores(new)), threshold, joined=joined)
    _DiffBuilder(diff, seed).build()
    return diff


def _list_keys(keys: Sequence[str]) -> str:
    return f"; the keys are {', '.join(keys[:_MOST_KEYS_SHOWN])}" if keys else ""


class _DiffBuilder:
    """Fills a diff; `before` and `after` are the numbers of the compared cases on each side."""

    def __init__(self, diff: Diff, seed: int) -> None:
        self.diff, self.seed = diff, seed
        self.old, self.new = diff.baseline, diff.candidate
        self.keys = list(self.old.cases)

    def build(self) -> None:
        before, after = self._join_cases()
        old, new = self.diff.scores
        is_compared = old.has_score[before] & new.has_score[after]
        self._list_errors(before[~is_compared], after[~is_compared])
        self.before, self.after = before[is_compared], after[is_compared]
        self.diff.cases = len(self.before)
        self.clusters = self._number_clusters()
        if self.diff.cases:
            self._compare_scores()
            self._compare_evaluators()
        self._compare_attributes()

    def _join_cases(self) -> "tuple[Numbers, Numbers]":
        import numpy as np

        diff, old, new = self.diff, self.old.cases, self.new.cases
        diff.matched = [(case, new[key]) for key, case in old.items() if key in new]
        diff.suites = list(dict.fromkeys(suite for side in (old, new) for suite, _, _ in side))
        diff.only_baseline = [CaseKey(*key) for key in old if key not in new]
        diff.only_candidate = [CaseKey(*key) for key in new if key not in old]
        diff.scored_differently = sum(-1 < self.old.options[a] != self.new.options[b] > -1 for a, b in diff.matched)
        pairs = np.array(diff.matched, dtype=np.int64).reshape(-1, 2)
        return pairs[:, 0], pairs[:, 1]

    def _list_errors(self, before: "Numbers", after: "Numbers") -> None:
        old, new = self.diff.scores
        self.diff.errored = [
            ErroredCase(CaseKey(*self.keys[a]), old.verdict(a), new.verdict(b), (a, b))
            for a, b in zip(before.tolist(), after.tolist(), strict=True)
        ]

    def _number_clusters(self) -> "Numbers | None":
        """Return the cluster's number for each compared case; a case without the key is a cluster of its own."""
        import numpy as np

        if self.old.cluster_by is None:
            return None
        names = [self.old.clusters.get(case, case) for case in self.before.tolist()]
        numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
        self.diff.clusters = len(numbers)
        return np.array([numbers[name] for name in names], dtype=np.int64)

    def _compare_scores(self) -> None:
        import numpy as np

        diff, (old, new) = self.diff, self.diff.scores
        before, after = old.means[self.before], new.means[self.after]
        least = max(diff.threshold - SLACK, SLACK)
        diff.higher = int(np.count_nonzero(after - before >= least))
        diff.lower = int(np.count_nonzero(before - after >= least))
        passed, passes = old.passes[self.before], new.passes[self.after]
        diff.broken = self._list_changes(passed & ~passes)
        diff.fixed = self._list_changes(passes & ~passed)
        differences = (after - before, passes.astype(float) - passed)
        (mean, mean_p), (rate, rate_p) = estimate_shifts(differences, self.clusters, self.seed)
        diff.mean_score = MeanShift(float(before.mean()), float(after.mean()), mean, mean_p)
        rates = [estimate_share(int(side.sum()), diff.cases) for side in (passed, passes)]
        diff.pass_rate = RateShift(rates[0], rates[1], rate, rate_p)

    def _list_changes(self, is_changed: "Flags") -> list[CaseChange]:
        """List the cases whose score moved by at least the threshold."""
        old, new = self.diff.scores
        changes = (
            CaseChange(CaseKey(*self.keys[a]), float(old.means[a]), float(new.means[b]), (a, b))
            for a, b in zip(self.before[is_changed].tolist(), self.after[is_changed].tolist(), strict=True)
        )
        return [change for change in changes if abs(change.delta) >= self.diff.threshold - SLACK]

    def _compare_evaluators(self) -> None:
        import numpy as np

        compared = []
        for key in (key for key in self.old.evaluators if key in self.new.evaluators):
            before, after = self.old.evaluators[key], self.new.evaluators[key]
            old = compute_evaluator_means(before, self.old)[self.before]
            new = compute_evaluator_means(after, self.new)[self.after]
            in_both = ~(np.isnan(old) | np.isnan(new))
            clusters = None if self.clusters is None else np.unique(self.clusters[in_both], return_inverse=True)[1]
            if in_both.any():
                shift = estimate_shift(new[in_both] - old[in_both], clusters, self.seed)
                means = float(old[in_both].mean()), float(new[in_both].mean())
                compared.append((key, after.type, int(in_both.sum()), means, shift))
        adjusted = adjust_p_values([shift.p_value for *_, shift in compared])
        self.diff.evaluators = [
            EvaluatorShift(key, kind, cases, MeanShift(*means, shift, p_adjusted))
            for (key, kind, cases, means, shift), p_adjusted in zip(compared, adjusted, strict=True)
        ]

    def _compare_attributes(self) -> None:
        self.old.restrict_attributes(set(self.before.tolist()))
        self.new.restrict_attributes(set(self.after.tolist()))
        for key in dict.fromkeys([*self.old.evaluators, *self.new.evaluators]):
            before, after = self.old.attributes(key), self.new.attributes(key)
            self.diff.attributes += [
                AttributeShift(key, attribute, before.get(attribute), after.get(attribute))
                for attribute in dict.fromkeys([*before, *after])
            ]
