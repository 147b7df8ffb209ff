"""The names of two sides → the names by which their cases are joined, and why nothing can be compared."""

from operator import itemgetter

from agentv_py.errors import Problem, UserError, did_you_mean
from agentv_py.report.diff.columns import ResultColumns
from agentv_py.report.diff.model import Diff

_MOST_SHOWN = 10


def check_target(side: ResultColumns) -> None:
    """Raise a UserError if the file has no row of the target that was asked for."""
    if side.only_target is None or side.only_target in side.targets:
        return
    known = [target for target in side.targets if target]
    named = did_you_mean(side.only_target, known) or _list_names(known)
    raise UserError(Problem(f"no row has the target {side.only_target!r}{named}", "", side.source.shown))


def unify_names(old: ResultColumns, new: ResultColumns) -> list[str]:
    """Join two sides that hold one suite each, or one target each, under different names; say so."""
    suites, targets = _pair_names(old.suites, new.suites), _pair_targets(old, new)
    if (suites is None and targets is None) or not _share_ids(old, new):
        return []
    if suites is not None:
        old.rename_suite(suites[1])
    if targets is not None:
        old.leave_out_targets()
        new.leave_out_targets()
    return [
        f"joined on the case id: the {kind} is {_quote(names[0])} before and {_quote(names[1])} after"
        for kind, names in (("suite", suites), ("target", targets))
        if names is not None
    ]


def share_several_targets(old: ResultColumns, new: ResultColumns) -> bool:
    """Return whether both sides hold several targets of one suite: their figures are never averaged."""
    if len(old.targets) <= 1:
        return False
    answered = {(suite, target) for suite, case_id, target in old.cases if (suite, case_id, target) in new.cases}
    return len(answered) > len({suite for suite, _ in answered})


def explain_nothing(diff: Diff) -> str:
    """Say why no case could be compared."""
    if diff.matched:
        return f"nothing to compare: all {len(diff.matched):,} cases that both sides have erred on one side"
    sides = zip(("baseline", "candidate"), (diff.baseline, diff.candidate), strict=True)
    return f"nothing to compare: no case is on both sides; {'; '.join(_describe_side(*side) for side in sides)}"


def _describe_side(name: str, side: ResultColumns) -> str:
    if not side.cases:
        return f"the {name} has no row"
    parts = [f"suite {', '.join(map(repr, side.suites[:_MOST_SHOWN]))}"]
    if targets := _list_targets(side):
        parts.append(f"target {', '.join(map(repr, targets[:_MOST_SHOWN]))}")
    first = next(iter(side.cases))[1]
    return f"the {name} has {' and '.join(parts)}, with cases such as {first!r}"


def _pair_names(old: list[str], new: list[str]) -> tuple[str, str] | None:
    """Return the two names if each side has exactly one, and they differ."""
    return (old[0], new[0]) if len(old) == len(new) == 1 and old != new else None


def _pair_targets(old: ResultColumns, new: ResultColumns) -> tuple[str, str] | None:
    """Return the targets if each side names one at most, and they differ."""
    before, after = _list_targets(old), _list_targets(new)
    if before == after or len(before) > 1 or len(after) > 1 or not (old.has_one_target and new.has_one_target):
        return None
    return "".join(before), "".join(after)


def _share_ids(old: ResultColumns, new: ResultColumns) -> bool:
    return not {case_id for _, case_id, _ in old.cases}.isdisjoint(case_id for _, case_id, _ in new.cases)


def _list_targets(side: ResultColumns) -> list[str]:
    """List the targets that the cases name."""
    return [target for target in dict.fromkeys(map(itemgetter(2), side.cases)) if target]


def _quote(name: str) -> str:
    return repr(name) if name else "not named"


def _list_names(names: list[str]) -> str:
    return f"; the targets are {', '.join(names[:_MOST_SHOWN])}" if names else ""
