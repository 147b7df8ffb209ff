"""A diff → what a terminal shows of it: what broke, what was fixed, then the figures, then the verdict."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from agentv_py.errors import printable
from agentv_py.formats.console.layout import SIGNS, STYLES, Side, cut, file, listed, signed, table
from agentv_py.formats.markdown.blocks import chance, dash
from agentv_py.report.diff.changes import Change, changes
from agentv_py.report.diff.model import Diff, Move
from agentv_py.report.diff.sentence import counted, sentence, uncompared
from agentv_py.report.differences import MOST_DIFFERENCES, error_of

_MOST_CASES = 10
_MOST_ATTRIBUTES = 15
_VERDICTS = {"better": "green", "worse": "red", "tied": "yellow"}


def parts(diff: Diff, width: int) -> Iterator[RenderableType]:
    yield Text.assemble((", ".join(map(printable, diff.suites)), "bold"), f" · {counted(diff.cases, 'case')} compared")
    half = (width - 4) // 2
    yield Text.assemble(file(diff.baseline.source.shown, half), (" → ", "dim"), file(diff.candidate.source.shown, half))
    yield from _moves(diff, diff.broken, "newly broken", "fail", width)
    yield from _errored(diff, width)
    yield from _moves(diff, diff.fixed, "newly fixed", "pass", width)
    if diff.evaluators:
        yield Text()
        yield _evaluators(diff)
    yield from _attributes(diff)
    yield Text()
    yield _whole(diff)
    yield _rates(diff)
    yield from (Text(line, style="yellow") for line in uncompared(diff))
    yield Text()
    yield Text(sentence(diff), style=_VERDICTS[diff.verdict])


def _moves(diff: Diff, moves: Sequence[Move], title: str, word: str, width: int) -> Iterator[RenderableType]:
    if not moves:
        return
    yield Text()
    yield Text(f"{title} ({len(moves):,})", style="dim")
    for move in moves[:_MOST_CASES]:
        yield Text.assemble(
            (f"{SIGNS[word]} ", STYLES[word]),
            (cut(printable(move.key.case_id), width - 24), "bold"),
            (f"  {move.baseline:.3f} → {move.candidate:.3f}", STYLES[word]),
        )
        found = list(changes(*diff.rows_of(move)))
        shown = [(one.path, _sides(one), one.note) for one in found[:MOST_DIFFERENCES]]
        yield from listed(shown, len(found), width)
    if len(moves) > _MOST_CASES:
        yield Text(f"and {len(moves) - _MOST_CASES:,} more", style="dim")


def _sides(one: Change) -> list[Side]:
    styles = {"expected": "", "was": "green" if one.was_right else "red", "now": "green" if one.is_right else "red"}
    sides = [Side(word, value, styles[word]) for word, value in one.texts()]
    if len(sides) == 3 and sides[0].value == sides[1].value:
        return [Side("expected and was", *sides[1][1:]), sides[2]]
    return sides


def _errored(diff: Diff, width: int) -> Iterator[RenderableType]:
    found = diff.newly_errored
    if not found:
        return
    yield Text()
    yield Text(f"passed before, err now ({len(found):,})", style="dim")
    for one in found[:_MOST_CASES]:
        _, row = diff.rows_of(one)
        name = cut(printable(one.key.case_id), width // 3)
        message = printable(error_of(row).message)
        yield Text.assemble(
            (f"{SIGNS['error']} ", STYLES["error"]), (name, "bold"), f"  {cut(message, width - cell_len(name) - 6)}"
        )
    if len(found) > _MOST_CASES:
        yield Text(f"and {len(found) - _MOST_CASES:,} more", style="dim")


def _evaluators(diff: Diff) -> Table:
    rows = table("evaluator", ">before", ">after", ">delta", ">95 % interval", ">p (Holm)")
    for one in diff.evaluators:
        change = one.mean_score.shift
        sides = f"{one.mean_score.baseline:.3f}", f"{one.mean_score.candidate:.3f}"
        interval = f"{change.low:+.3f} to {change.high:+.3f}"
        rows.add_row(printable(one.name), *sides, signed(change.delta), interval, chance(one.p_adjusted))
    return rows


def _attributes(diff: Diff) -> Iterator[RenderableType]:
    changed = diff.changed_attributes
    if not changed:
        return
    yield Text()
    rows = table("attribute", "evaluator", ">F1 before", ">F1 after", ">delta")
    for one in changed[:_MOST_ATTRIBUTES]:
        rows.add_row(printable(one.name), printable(one.evaluator), *map(dash, one.f1), signed(one.delta))
    yield rows
    if len(changed) > _MOST_ATTRIBUTES:
        yield Text(f"and {len(changed) - _MOST_ATTRIBUTES:,} more", style="dim")


def _whole(diff: Diff) -> Table:
    rows = table("", ">before", ">after", ">delta", ">95 % interval", ">p")
    mean, rate = diff.mean_score, diff.pass_rate
    change = mean.shift
    rows.add_row(
        "mean score", f"{mean.baseline:.3f}", f"{mean.candidate:.3f}", signed(change.delta),
        f"{change.low:+.3f} to {change.high:+.3f}", chance(change.p_value), style="bold",
    )  # fmt: skip
    change = rate.shift
    rows.add_row(
        "pass rate", f"{rate.baseline.value:.1%}", f"{rate.candidate.value:.1%}",
        signed(100 * change.delta, "+.1f", " pp"),
        f"{100 * change.low:+.1f} to {100 * change.high:+.1f} pp", chance(change.p_value), style="bold",
    )  # fmt: skip
    return rows


def _rates(diff: Diff) -> Text:
    before, after = diff.pass_rate.baseline, diff.pass_rate.candidate
    intervals = f"{before.low:.1%} to {before.high:.1%} before, {after.low:.1%} to {after.high:.1%} after"
    return Text(f"pass rates' 95 % intervals: {intervals}", style="dim")
