"""The compared cases of a diff → how the scores of each target changed, tested together."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from agentv_py.report.diff.model import CaseChange, Diff, ErroredCase
from agentv_py.report.diff.shifts import MeanShift, RateShift, TargetShift
from agentv_py.report.diff.significance import FigureGroup, Shift, estimate_groups
from agentv_py.report.statistics import estimate_share
from agentv_py.score import SLACK

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agentv_py.report.diff.case_scores import Flags
    from agentv_py.report.diff.flips import Floats

    Numbers = NDArray[np.int64]

TestedShift = tuple[Shift, float]
"""A shift, and its p-value adjusted for all figures of all targets."""


class _TargetScores(NamedTuple):
    """Both scores of each compared case of a target, whether it passes, and its cluster."""

    target: str
    before: "Floats"
    after: "Floats"
    passed: "Flags"
    passes: "Flags"
    clusters: "Numbers | None"


def compare_targets(
    diff: Diff, before: "Numbers", after: "Numbers", clusters: "Numbers | None", seed: int
) -> list[TargetShift]:
    """Compare the scores of each target; of all cases together where no suite has several targets."""
    import numpy as np

    scores = [
        _read_scores(diff, target, before[chosen], after[chosen], None if clusters is None else clusters[chosen])
        for target, chosen in _select_cases(diff, before)
    ]
    groups = [
        FigureGroup((each.after - each.before, each.passes.astype(np.float64) - each.passed), each.clusters)
        for each in scores
        if len(each.before)
    ]
    tested = iter(estimate_groups(groups, seed))
    shifts = [
        _build_shift(diff, each, *next(tested)) if len(each.before) else TargetShift(each.target) for each in scores
    ]
    _count_cases(diff, shifts)
    return shifts


def _select_cases(diff: Diff, before: "Numbers") -> "list[tuple[str, Flags]]":
    """Return each target, and which of the compared cases are its own. A target all of whose cases erred has none."""
    import numpy as np

    if not diff.has_several_targets:
        return [("", np.ones(len(before), dtype=bool))]
    target_of = [target for _, _, target in diff.baseline.cases]
    known = dict.fromkeys(target_of[case] for case, _ in diff.matched)
    numbers = {target: number for number, target in enumerate(known)}
    compared = np.array([numbers[target_of[case]] for case in before.tolist()], dtype=np.int64)
    return [(target, compared == number) for target, number in numbers.items()]


def _read_scores(
    diff: Diff, target: str, before: "Numbers", after: "Numbers", clusters: "Numbers | None"
) -> _TargetScores:
    import numpy as np

    old, new = diff.scores
    own = None if clusters is None else np.unique(clusters, return_inverse=True)[1]
    return _TargetScores(target, old.means[before], new.means[after], old.passes[before], new.passes[after], own)


def _build_shift(diff: Diff, scores: _TargetScores, mean: TestedShift, rate: TestedShift) -> TargetShift:
    import numpy as np

    cases, clusters = len(scores.before), scores.clusters
    shift = TargetShift(scores.target, cases, None if clusters is None else len(np.unique(clusters)))
    least = max(diff.threshold - SLACK, SLACK)
    shift.higher = int(np.count_nonzero(scores.after - scores.before >= least))
    shift.lower = int(np.count_nonzero(scores.before - scores.after >= least))
    shift.mean_score = MeanShift(float(scores.before.mean()), float(scores.after.mean()), *mean)
    rates = [estimate_share(int(side.sum()), cases) for side in (scores.passed, scores.passes)]
    shift.pass_rate = RateShift(rates[0], rates[1], *rate)
    return shift


def _count_cases(diff: Diff, shifts: Sequence[TargetShift]) -> None:
    broken, fixed, errored = (_count_targets(diff, cases) for cases in (diff.broken, diff.fixed, diff.newly_errored))
    for shift in shifts:
        shift.broken, shift.fixed, shift.newly_errored = (counts[shift.target] for counts in (broken, fixed, errored))


def _count_targets(diff: Diff, cases: Iterable[CaseChange | ErroredCase]) -> Counter[str]:
    return Counter(case.key.target if diff.has_several_targets else "" for case in cases)
