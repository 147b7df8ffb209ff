"""A diff → plain sentences: better, worse or tied, and the smallest change that the cases can show."""

from collections import Counter
from collections.abc import Iterator, Sequence

from agentv_py.formats.text import format_count
from agentv_py.report.diff.columns import CaseKey, ResultColumns
from agentv_py.report.diff.model import Diff
from agentv_py.report.diff.shifts import TargetShift
from agentv_py.report.diff.significance import Shift, ShiftVerdict
from agentv_py.results.label import join_labels
from agentv_py.results.row import RowSelection

_MOST_NAMES = 10


def write_sentence(diff: Diff) -> str:
    """Write one sentence about the diff. Where there are several targets, it names those of each verdict."""
    if not diff.has_several_targets:
        return write_shift_sentence(diff.shifts[0])
    names: dict[str, list[str]] = {}
    for shift in diff.shifts:
        names.setdefault(shift.verdict, []).append(shift.name)
    parts = [
        f"{format_count(len(names[verdict]), 'target')} {verdict} ({_list_names(names[verdict])})"
        for verdict in _VERDICTS
        if verdict in names
    ]
    return f"{diff.verdict}: {', '.join(parts)}"


def count_compared(diff: Diff) -> str:
    """Say how many cases are compared; of several targets, how many of their answers."""
    if not diff.has_several_targets:
        return format_count(diff.cases, "case")
    return f"{format_count(diff.cases, 'answer')} of {len(diff.shifts):,} targets"


def describe_labels(diff: Diff) -> str:
    """Say what the user calls both runs; a run without a label is named by its file. Empty if neither has one."""
    if not (diff.baseline.labels or diff.candidate.labels):
        return ""
    return " → ".join(join_labels(side.labels) or side.source.shown for side in (diff.baseline, diff.candidate))


def write_target_sentences(diff: Diff) -> list[tuple[TargetShift, str]]:
    """Write a sentence about each target, after its name; about all cases where no suite has several targets."""
    return [
        (shift, (f"{shift.name}: " if diff.has_several_targets else "") + write_shift_sentence(shift))
        for shift in diff.shifts
    ]


def write_shift_sentence(shift: TargetShift) -> str:
    mean, rate = shift.mean_score.shift, shift.pass_rate.shift
    if not shift.cases:
        return "tied: no case could be compared"
    if not (shift.higher or shift.lower or mean.delta or shift.broken or shift.fixed):
        return (
            f"tied: no score changed in {_count_cases(shift)}; they cannot rule out a change within the 95 % interval"
        )
    verdicts = {"mean score": mean.verdict, "pass rate": rate.verdict}
    figures = sorted(verdicts, key=lambda figure: _VERDICTS.index(verdicts[figure]))
    several = ", ".join(f"{figure} {verdicts[figure]}" for figure in figures)
    head = shift.verdict if mean.verdict == rate.verdict else several
    return f"{head}: {_describe_moves(mean, rate, _count_cases(shift))}{_describe_power(shift)}"


_VERDICTS: tuple[ShiftVerdict, ...] = ("worse", "better", "tied")
_CHANCE = dict.fromkeys(("worse", "better"), "more than chance explains") | {"tied": "no more than chance explains"}


def _describe_moves(mean: Shift, rate: Shift, cases: str) -> str:
    """Say how far both figures moved in so many cases; chance is no matter of a figure that did not move."""
    if not (mean.delta or rate.delta):
        return f"the mean score and the pass rate did not change in {cases}"
    moves = _describe_move("mean score", mean, 1, ".4f"), _describe_move("pass rate", rate, 100, ".1f", " points")
    if mean.delta and rate.delta and mean.verdict == rate.verdict:
        return f"{' and '.join(moves)}, {_CHANCE[mean.verdict]} in {cases}"
    found = sorted(zip((mean, rate), moves, strict=True), key=lambda each: _VERDICTS.index(each[0].verdict))
    parts = [f"{move}, {_CHANCE[shift.verdict]}" for shift, move in found if shift.delta]
    still = "".join(f"; {move}" for shift, move in found if not shift.delta)
    return f"{'; '.join(parts)} in {cases}{still}"


def _describe_move(figure: str, shift: Shift, factor: int, form: str, unit: str = "") -> str:
    if not shift.delta:
        return f"the {figure} did not change"
    return f"the {figure} {'rose' if shift.delta > 0 else 'fell'} by {format(abs(factor * shift.delta), form)}{unit}"


def _list_names(names: Sequence[str]) -> str:
    rest = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {rest:,} more" if rest > 0 else "")


def _count_cases(shift: TargetShift) -> str:
    cases = format_count(shift.cases, "case")
    return cases if shift.clusters is None else f"{cases} in {shift.clusters:,} clusters"


def _describe_power(shift: TargetShift) -> str:
    smallest = shift.mean_score.shift.smallest
    if smallest is not None:
        return f"; with this many cases, a change of the mean score below about {smallest:.3f} often goes unnoticed"
    return "; so few cases can hardly show any change" if shift.verdict == "tied" else ""


def describe_other_options(diff: Diff) -> Iterator[str]:
    """Say how many cases were scored by other options on each side."""
    if diff.scored_differently:
        cases = f"{diff.scored_differently:,} of {format_count(len(diff.matched), 'case')}"
        yield f"scored by other options or evaluators on each side: {cases}; a change may come from these alone"


def describe_other_selections(diff: Diff) -> Iterator[str]:
    """Say which cases each side ran, if the two sides selected them by other flags."""
    sides = [_list_selections(side) for side in (diff.baseline, diff.candidate)]
    if {selection.flags for selection in sides[0]} != {selection.flags for selection in sides[1]}:
        before, after = ("; ".join(map(str, side)) or "all cases" for side in sides)
        yield f"the runs are of other selections: the baseline of {before}, the candidate of {after}"


def _list_selections(side: ResultColumns) -> list[RowSelection]:
    """Return the selections of a side; none if any of its runs was of all cases."""
    return [] if None in side.selections else [selection for selection in side.selections if selection is not None]


def list_uncompared(diff: Diff) -> Iterator[str]:
    """List which cases and rows are outside the figures, or compare badly, and why."""
    yield from diff.joined
    yield from describe_other_options(diff)
    yield from describe_other_selections(diff)
    for keys, side in ((diff.only_baseline, "baseline"), (diff.only_candidate, "candidate")):
        yield from _describe_one_side(diff, keys, side)
    if diff.errored:
        newly = len(diff.newly_errored)
        passed = f"{newly:,} of which passed before"
        yield f"outside the means: {format_count(len(diff.errored), 'case')} erred, {passed}; a run counts them as 0"
    for what, noun, counts in (
        ("counted in its case's mean", "duplicate row", diff.duplicates),
        ("left out of its case's mean", "errored row", diff.errored_rows),
    ):
        for side, count in zip(("baseline", "candidate"), counts, strict=True):
            if count:
                yield f"{what}: {format_count(count, noun)} in the {side}"


def _describe_one_side(diff: Diff, keys: Sequence[CaseKey], side: str) -> Iterator[str]:
    """Say how many cases only one side has; where there are several targets, say it of each target."""
    if diff.has_several_targets:
        for target, count in Counter(key.target for key in keys).items():
            what = f"of target {target!r}" if target else "without a target"
            yield f"not compared: {format_count(count, 'case')} {what} only in the {side}"
    elif keys:
        yield f"not compared: {format_count(len(keys), 'case')} only in the {side}"
