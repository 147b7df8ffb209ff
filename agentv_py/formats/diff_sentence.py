"""A diff → a plain sentence: better, worse or tied, and the smallest change that the cases can show."""

from collections.abc import Iterator

from agentv_py.formats.text import format_count
from agentv_py.report.diff.model import Diff
from agentv_py.report.diff.significance import Shift


def write_sentence(diff: Diff) -> str:
    mean, rate = diff.mean_score.shift, diff.pass_rate.shift
    if not diff.cases:
        return "tied: no case could be compared"
    if not (diff.higher or diff.lower or mean.delta or diff.broken or diff.fixed):
        return f"tied: no score changed in {_count_cases(diff)}"
    moves = {"mean score": _describe_move(mean, 1, ".4f", ""), "pass rate": _describe_move(rate, 100, ".1f", " points")}
    where = f"in {_count_cases(diff)}{_describe_power(diff)}"
    if mean.verdict == rate.verdict:
        mean_move, rate_move = moves.values()
        both = f"the mean score {mean_move} and the pass rate {rate_move}"
        return f"{diff.verdict}: {both}, {_CHANCE[diff.verdict]} {where}"
    verdicts = {"mean score": mean.verdict, "pass rate": rate.verdict}
    figures = sorted(verdicts, key=lambda figure: ("worse", "better", "tied").index(verdicts[figure]))
    head = ", ".join(f"{figure} {verdicts[figure]}" for figure in figures)
    parts = (f"the {figure} {moves[figure]}, {_CHANCE[verdicts[figure]]}" for figure in figures)
    return f"{head}: {'; '.join(parts)} {where}"


_CHANCE = dict.fromkeys(("worse", "better"), "more than chance explains") | {"tied": "no more than chance explains"}


def _describe_move(shift: Shift, factor: int, form: str, unit: str) -> str:
    if not shift.delta:
        return "is the same"
    return f"{'rose' if shift.delta > 0 else 'fell'} by {format(abs(factor * shift.delta), form)}{unit}"


def _count_cases(diff: Diff) -> str:
    cases = format_count(diff.cases, "case")
    return cases if diff.clusters is None else f"{cases} in {diff.clusters:,} clusters"


def _describe_power(diff: Diff) -> str:
    smallest = diff.mean_score.shift.smallest
    if smallest is not None:
        return f"; the smallest change that this many cases usually show is about {smallest:.3f}"
    return "; so few cases can hardly show any change" if diff.verdict == "tied" else ""


def describe_other_options(diff: Diff) -> Iterator[str]:
    """Say how many cases were scored by other options on each side."""
    if diff.scored_differently:
        cases = f"{diff.scored_differently:,} of {format_count(len(diff.matched), 'case')}"
        yield f"scored by other options or evaluators on each side: {cases}; a change may come from these alone"


def list_uncompared(diff: Diff) -> Iterator[str]:
    """List which cases and rows are outside the figures, or compare badly, and why."""
    yield from diff.joined
    yield from describe_other_options(diff)
    if diff.only_baseline:
        yield f"not compared: {format_count(len(diff.only_baseline), 'case')} only in the baseline"
    if diff.only_candidate:
        yield f"not compared: {format_count(len(diff.only_candidate), 'case')} only in the candidate"
    if diff.errored:
        newly = len(diff.newly_errored)
        yield f"not compared: {format_count(len(diff.errored), 'case')} erred, {newly:,} of which passed before"
    for what, noun, counts in (
        ("counted in its case's mean", "duplicate row", diff.duplicates),
        ("left out of its case's mean", "errored row", diff.errored_rows),
    ):
        for side, count in zip(("baseline", "candidate"), counts, strict=True):
            if count:
                yield f"{what}: {format_count(count, noun)} in the {side}"
