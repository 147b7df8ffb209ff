"""A summary → the blocks of a comment."""

from collections.abc import Iterator, Mapping
from typing import Any

from agentv_py.formats.markdown.blocks import Folded, dash, limited, plain, sides, table
from agentv_py.report.attributes import tables
from agentv_py.report.detection import PRECISIONS, RECALLS, detection
from agentv_py.report.diff.sentence import counted
from agentv_py.report.differences import MOST_DIFFERENCES, differences, weakest
from agentv_py.report.repeats import Spread
from agentv_py.report.statistics import Estimate
from agentv_py.report.summary import Summary

_LONGEST_ID = 80


def blocks(report: Summary) -> Iterator[str | Folded]:
    yield f"### {plain(', '.join(report.suites))}: {report.passed:,} of {report.cases:,} passed"
    yield (
        f"{report.partial:,} partial, {report.failed:,} failed, {counted(report.errors, 'error')}\n"
        f"· pass rate {_estimate(report.pass_rate, percent=True)} · mean score {_estimate(report.mean_score)}"
        + (f"\n· models: {report.usage}" if report.usage else "")
    )
    yield table(
        "Evaluators",
        ("evaluator", "type", "mean score", "pass rate", "errors"),
        [(plain(e.name), plain(e.type), f"{e.mean_score:.3f}", f"{e.pass_rate:.1%}", e.errors)
         for e in report.evaluators.values()],
    )  # fmt: skip
    if report.repeats.cases:
        yield from _repeats(report.repeats)
    yield from _detection(report)
    if report.full:
        yield from _attributes(report)
    else:
        yield from _weakest(report)
        yield from _failing(report)


def _repeats(repeats: Spread) -> Iterator[str | Folded]:
    yield table(
        f"Repeats ({repeats.cases})",
        ("repeats", "best", "mean", "variance", "standard deviation", "consistency", "ranking"),
        [(plain(line.name, _LONGEST_ID), dash(line.best), dash(line.mean), dash(line.variance),
          dash(line.standard_deviation), dash(line.consistency), " ".join(map(str, line.ranking)))
         for line in repeats.lines()],
    )  # fmt: skip
    if repeats.left_out:
        yield f"Not in the consistency: {plain(', '.join(repeats.left_out))}"


def _detection(report: Summary) -> Iterator[str | Folded]:
    for evaluator, figures in detection(report).items():
        for word, names in (("Average precision", PRECISIONS), ("Average recall", RECALLS)):
            row = (word.lower(), *(dash(figures[name]) for name in names))
            yield table(f"{word} of {plain(evaluator)}", (plain(evaluator), *map(plain, names)), [row])


def _attributes(report: Summary) -> Iterator[str | Folded]:
    for evaluator, lines in tables(report):
        rows = [(plain(line.name), *map(_shown, line.values())) for line in lines]
        head = (plain(evaluator), "TP", "TN", "FP", "FN", "precision", "recall", "F1", "support")
        yield table(f"Attributes of {plain(evaluator)} ({len(rows)})", head, rows)


def _shown(value: float | None) -> str:
    return str(value) if isinstance(value, int) else dash(value)


def _weakest(report: Summary) -> Iterator[str | Folded]:
    wrong = weakest(report, 10)
    if wrong:
        yield table(
            "Weakest attributes",
            ("weakest attributes", "evaluator", "precision", "recall", "F1", "TP", "TN", "FP", "FN"),
            [(plain(a.name), plain(a.evaluator), dash(a.quality.precision), dash(a.quality.recall),
              dash(a.quality.f1), *a.counts.values()) for a in wrong],
        )  # fmt: skip


def _failing(report: Summary) -> Iterator[Folded]:
    if report.shown:
        count = len(report.shown)
        yield Folded(f"First cases that did not pass ({count})", count, map(_case, report.shown))


def _case(row: Mapping[str, Any]) -> str:
    word = "error" if row["status"] == "error" else row["verdict"]
    found = [
        f"  - {plain(one.where)}{sides((('expected', one.expected), ('got', one.actual)), one.note)}"
        for one in differences(row)
    ]
    head = f"- **{plain(row['case_id'], _LONGEST_ID)}**: {word}, {row['score']:.3f}"
    return "\n".join([head, *limited(found, MOST_DIFFERENCES)])


def _estimate(estimate: Estimate, *, percent: bool = False) -> str:
    if percent:
        return f"{estimate.value:.1%} ({estimate.low:.1%} to {estimate.high:.1%})"
    return f"{estimate.value:.3f} ({estimate.low:.3f} to {estimate.high:.3f})"
