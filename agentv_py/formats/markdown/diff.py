"""A diff → the blocks of a comment."""

from collections.abc import Iterator, Sequence

from agentv_py.formats.markdown.blocks import Folded, chance, dash, limited, plain, sides, table
from agentv_py.report.diff.changes import changes
from agentv_py.report.diff.model import Diff, Move
from agentv_py.report.diff.sentence import sentence, uncompared
from agentv_py.report.differences import MOST_DIFFERENCES

_LONGEST_ID = 80


def blocks(diff: Diff) -> Iterator[str | Folded]:
    yield f"### {plain(', '.join(diff.suites))}: {diff.verdict}"
    yield plain(sentence(diff), 500) + "".join(f"\n· {line}" for line in uncompared(diff))
    yield from _moves(diff, diff.broken, "Newly broken")
    if found := diff.newly_errored:
        lines = [f"- **{plain(one.key.case_id, _LONGEST_ID)}**" for one in found]
        yield Folded(f"Passed before, err now ({len(found):,})", len(found), lines)
    yield from _moves(diff, diff.fixed, "Newly fixed")
    yield table(
        f"Evaluators ({len(diff.evaluators)})",
        ("evaluator", "before", "after", "delta", "95 % interval", "p (Holm)"),
        [(plain(e.name), f"{e.mean_score.baseline:.3f}", f"{e.mean_score.candidate:.3f}",
          f"{e.mean_score.shift.delta:+.3f}", f"{e.mean_score.shift.low:+.3f} to {e.mean_score.shift.high:+.3f}",
          plain(chance(e.p_adjusted))) for e in diff.evaluators],
    )  # fmt: skip
    yield from _attributes(diff)
    yield _whole(diff)


def _moves(diff: Diff, moves: Sequence[Move], title: str) -> Iterator[Folded]:
    if moves:
        yield Folded(f"{title} ({len(moves):,})", len(moves), (_move(diff, move) for move in moves))


def _move(diff: Diff, move: Move) -> str:
    found = [f"  - {plain(one.path)}{sides(one.texts(), one.note)}" for one in changes(*diff.rows_of(move))]
    head = f"- **{plain(move.key.case_id, _LONGEST_ID)}**: {move.baseline:.3f} → {move.candidate:.3f}"
    return "\n".join([head, *limited(found, MOST_DIFFERENCES)])


def _attributes(diff: Diff) -> Iterator[str | Folded]:
    if changed := diff.changed_attributes:
        yield table(
            f"Attributes that changed ({len(changed)})",
            ("attribute", "evaluator", "F1 before", "F1 after", "delta"),
            [(plain(a.name), plain(a.evaluator), *map(dash, a.f1), dash(a.delta, "+.3f")) for a in changed],
        )


def _whole(diff: Diff) -> str | Folded:
    mean, rate = diff.mean_score, diff.pass_rate
    points = [f"{100 * one:+.1f}" for one in (rate.shift.delta, rate.shift.low, rate.shift.high)]
    return table(
        "The whole",
        ("", "before", "after", "delta", "95 % interval", "p"),
        [
            ("mean score", f"{mean.baseline:.3f}", f"{mean.candidate:.3f}", f"{mean.shift.delta:+.3f}",
             f"{mean.shift.low:+.3f} to {mean.shift.high:+.3f}", plain(chance(mean.shift.p_value))),
            ("pass rate", f"{rate.baseline.value:.1%}", f"{rate.candidate.value:.1%}", f"{points[0]} pp",
             f"{points[1]} to {points[2]} pp", plain(chance(rate.shift.p_value))),
        ],
    )  # fmt: skip
