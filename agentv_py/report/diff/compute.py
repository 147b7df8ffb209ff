"""Two results files → their diff."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from agentv_py.errors import Problem, UserError, did_you_mean
from agentv_py.report.diff.case_scores import CaseScores, compute_evaluator_means, count_attribute, sum_attributes
from agentv_py.report.diff.columns import UNKNOWN_OPTIONS, CaseKey, ResultColumns
from agentv_py.report.diff.error_shifts import compare_errors
from agentv_py.report.diff.f1_shift import estimate_f1_shift
from agentv_py.report.diff.join import check_target, share_several_targets, unify_names
from agentv_py.report.diff.model import CaseChange, Diff, ErroredCase
from agentv_py.report.diff.shifts import AttributeShift, EvaluatorShift, MeanShift
from agentv_py.report.diff.significance import estimate_shift
from agentv_py.report.diff.slice_values import SliceValues, refuse_unknown_slices
from agentv_py.report.diff.slices import ComparedCases, compare_slices
from agentv_py.report.diff.target_shifts import compare_targets
from agentv_py.report.statistics import adjust_p_values
from agentv_py.results.read import ResultsSource
from agentv_py.score import SLACK
from agentv_py.suite.slice_key import SliceKey

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
    slices: Sequence[SliceKey] = (),
) -> Diff:
    """Read both files once, join their cases, and test what changed. `targets` selects a target of each file."""
    old = ResultColumns(baseline, cluster, targets[0], SliceValues(slices))
    new = ResultColumns(candidate, cluster, targets[1], SliceValues(slices))
    for side in (old, new):
        side.read()
        check_target(side)
    if cluster is not None and old.cases and not old.clusters:
        keys = sorted(old.metadata_keys)
        what = f"no case has the metadata key {cluster!r}{did_you_mean(cluster, keys) or _list_keys(keys)}"
        raise UserError(Problem(what, "--cluster", baseline.shown))
    refuse_unknown_slices(old.slices, new.slices)
    joined = unify_names(old, new)
    scores = CaseScores(old), CaseScores(new)
    diff = Diff(old, new, scores, threshold, joined, share_several_targets(old, new))
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
        self.clusters = self._number_clusters()
        self._list_changes()
        self.diff.shifts = compare_targets(self.diff, self.before, self.after, self.clusters, self.seed)
        if len(self.before):
            self._compare_evaluators()
            self._compare_slices()
        self._compare_attributes()
        self.old.restrict_confidences(self.before)
        self.new.restrict_confidences(self.after)
        self.diff.error_shifts, self.diff.cases_not_read = compare_errors(self.diff, self.before, self.after)

    def _join_cases(self) -> "tuple[Numbers, Numbers]":
        import numpy as np

        diff, old, new = self.diff, self.old.cases, self.new.cases
        diff.matched = [(case, new[key]) for key, case in old.items() if key in new]
        diff.suites = list(dict.fromkeys([*self.old.suites, *self.new.suites]))
        if len(diff.matched) < len(old):
            diff.only_baseline = [CaseKey(*key) for key in old if key not in new]
        if len(diff.matched) < len(new):
            diff.only_candidate = [CaseKey(*key) for key in new if key not in old]
        before, after = np.array(diff.matched, dtype=np.int64).reshape(-1, 2).T
        diff.scored_differently = self._count_other_options(before, after)
        return before, after

    def _count_other_options(self, before: "Numbers", after: "Numbers") -> int:
        """Count the cases that other options scored on each side, where both rows tell what scored them."""
        import numpy as np

        old, new = (np.frombuffer(side.options, dtype=np.int64) for side in (self.old, self.new))
        old, new = old[before], new[after]
        return int(np.count_nonzero((old != new) & (old != UNKNOWN_OPTIONS) & (new != UNKNOWN_OPTIONS)))

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

    def _list_changes(self) -> None:
        """List the cases that pass on one side only, if their score moved by at least the threshold."""
        old, new = self.diff.scores
        passed, passes = old.passes[self.before], new.passes[self.after]
        self.diff.broken = self._select_changes(passed & ~passes)
        self.diff.fixed = self._select_changes(passes & ~passed)

    def _select_changes(self, is_changed: "Flags") -> list[CaseChange]:
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

    def _compare_slices(self) -> None:
        if not self.old.slices.keys:
            return
        old, new = self.diff.scores
        scores, passes = (old.means, new.means), (old.passes, new.passes)
        cases = ComparedCases(
            self.before,
            self.after,
            (scores[0][self.before], scores[1][self.after]),
            (passes[0][self.before], passes[1][self.after]),
            self.clusters,
        )
        has_targets = self.diff.has_several_targets
        parts = ((case, self.keys[case]) for case in self.before.tolist())
        suites = {case: (suite, target if has_targets else "") for case, (suite, _, target) in parts}
        self.diff.slices = compare_slices((self.old, self.new), cases, suites, self.seed)

    def _compare_attributes(self) -> None:
        sides = (self.old, self.before), (self.new, self.after)
        for key in dict.fromkeys([*self.old.evaluators, *self.new.evaluators]):
            before, after = (
                sum_attributes(side.evaluators[key], side, cases) if key in side.evaluators else {}
                for side, cases in sides
            )
            self.diff.attributes += [
                self._compare_attribute(AttributeShift(key, attribute, before.get(attribute), after.get(attribute)))
                for attribute in dict.fromkeys([*before, *after])
            ]

    def _compare_attribute(self, shift: AttributeShift) -> AttributeShift:
        """Add the change of F1 with its interval; the compared cases are its units, or their clusters."""
        import numpy as np

        if shift.delta is None:
            return shift
        before, after = (
            count_attribute(side.evaluators[shift.key], side, shift.name, cases)
            for side, cases in ((self.old, self.before), (self.new, self.after))
        )
        if self.clusters is not None:
            clusters = self.clusters
            before, after = (
                np.column_stack([np.bincount(clusters, weights=each).astype(float) for each in side.T])
                for side in (before, after)
            )
        return replace(shift, shift=estimate_f1_shift(before, after, self.seed))
