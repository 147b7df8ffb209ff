"""A diff → a few lines: the cases whose score or verdict changed, and how."""

from collections.abc import Iterator

from agentv_py import jsontext
from agentv_py.case import ABSENT
from agentv_py.comparison.mismatch import cut_value
from agentv_py.formats.text import format_count
from agentv_py.report.diff.changes import list_changes
from agentv_py.report.diff.model import CasePair, Diff
from agentv_py.score import SLACK

_MOST_CASES = 20
_MOST_FIELDS = 3
_LONGEST = 60


def list_changed_cases(diff: Diff) -> Iterator[str]:
    """List the cases that changed, those that got worse first; then how many changed, and how many pass."""
    changed = [(pair, *_read_scores(diff, pair)) for pair in diff.matched]
    changed = [case for case in changed if _has_changed(*case[1:])]
    changed.sort(key=lambda case: (case[2][1] - case[1][1], case[0]))
    for pair, before, after in changed[:_MOST_CASES]:
        sign = "✓" if after[0] == "pass" else "!" if after[0] == "error" else "✗"
        name = list(diff.baseline.cases)[pair[0]]
        target = f" of {name[2]}" if name[2] else ""
        yield f"{sign} {name[1]}{target}  {before[0]} {before[1]:.3f} → {after[0]} {after[1]:.3f}"
        yield from _list_fields(diff, pair)
    if len(changed) > _MOST_CASES:
        yield f"and {len(changed) - _MOST_CASES:,} more"
    for keys, what in ((diff.only_candidate, "new"), (diff.only_baseline, "gone")):
        if keys:
            shown = ", ".join(key.case_id for key in keys[:_MOST_FIELDS]) + (
                ", ..." if len(keys) > _MOST_FIELDS else ""
            )
            yield f"{what}: {format_count(len(keys), 'case')} ({shown})"
    passing = sum(diff.scores[1].verdict(number) == "pass" for number in range(len(diff.candidate.cases)))
    whole = f"{passing:,} of {format_count(len(diff.candidate.cases), 'case')} pass"
    yield f"{format_count(len(changed), 'case') if changed else 'no case'} changed; {whole}"


def _read_scores(diff: Diff, pair: CasePair) -> tuple[tuple[str, float], tuple[str, float]]:
    old, new = diff.scores
    return (old.verdict(pair[0]), old.score(pair[0]) or 0.0), (new.verdict(pair[1]), new.score(pair[1]) or 0.0)


def _has_changed(before: tuple[str, float], after: tuple[str, float]) -> bool:
    return before[0] != after[0] or abs(before[1] - after[1]) > SLACK


def _list_fields(diff: Diff, pair: CasePair) -> Iterator[str]:
    for before, after in diff.read_pairs([pair]):
        changes = list({change.path: change for change in list_changes(before, after)}.values())
        for change in changes[:_MOST_FIELDS]:
            values = f"{_write(change.baseline)} → {_write(change.candidate)}, expected {_write(change.expected)}"
            yield f"    {change.path}  {values}"
        if len(changes) > _MOST_FIELDS:
            yield f"    and {format_count(len(changes) - _MOST_FIELDS, 'more field')}"


def _write(value: object) -> str:
    text = "nothing" if value is ABSENT else jsontext.dumps(cut_value(value)).decode()
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
