"""Report → Markdown for a pull request or a job summary."""

from collections.abc import Iterable, Iterator, Sequence

from agentv_py.asking.usage import Usage
from agentv_py.errors import printable
from agentv_py.report.attributes import tables
from agentv_py.report.findings import MOST_DIFFERENCES, Difference, differences, weakest
from agentv_py.report.spread import Spread
from agentv_py.report.statistics import Estimate
from agentv_py.report.summary import Summary

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;"}
_ESCAPES = str.maketrans({mark: "\\" + mark for mark in "\\`*_[]|"} | _ENTITIES)
_LONGEST_ID = 80


def render(report: Summary) -> str:
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Summary) -> Iterator[str]:
    yield f"### {_plain(', '.join(report.suites))}: {report.passed} of {report.cases} passed"
    yield ""
    yield f"{report.partial} partial, {report.failed} failed, {report.errors} errors"
    yield f"· pass rate {_estimate(report.pass_rate, percent=True)} · mean score {_estimate(report.mean_score)}"
    if report.usage:
        yield f"· models: {usage_line(report.usage)}"
    yield ""
    yield from _table(
        ("evaluator", "type", "mean score", "pass rate", "errors"),
        ((_plain(e.name), _plain(e.type), f"{e.mean_score:.3f}", f"{e.pass_rate:.1%}", e.errors)
         for e in report.evaluators.values()),
    )  # fmt: skip
    if report.repeats.cases:
        yield from _repeats(report.repeats)
    if report.full:
        yield from _attributes(report)
    else:
        yield from _weakest(report)
        yield from _failing(report)


def _repeats(repeats: Spread) -> Iterator[str]:
    yield ""
    yield from _table(
        ("repeats", "best", "mean", "variance", "standard deviation", "consistency", "ranking"),
        ((_plain(line.name[:_LONGEST_ID]), dash(line.best), dash(line.mean), dash(line.variance),
          dash(line.standard_deviation), dash(line.consistency), " ".join(map(str, line.ranking)))
         for line in repeats.lines()),
    )  # fmt: skip
    if repeats.left_out:
        yield ""
        yield f"Not in the consistency: {_plain(', '.join(repeats.left_out))}"


def _attributes(report: Summary) -> Iterator[str]:
    for evaluator, lines in tables(report):
        yield ""
        rows = [(_plain(line.name), *map(_shown, line.values())) for line in lines]
        yield from _table((_plain(evaluator), "TP", "TN", "FP", "FN", "precision", "recall", "F1", "support"), rows)


def _shown(value: float | None) -> str:
    return str(value) if isinstance(value, int) else dash(value)


def _weakest(report: Summary) -> Iterator[str]:
    wrong = weakest(report, 10)
    if not wrong:
        return
    yield ""
    yield from _table(
        ("weakest attributes", "evaluator", "precision", "recall", "F1", "TP", "TN", "FP", "FN"),
        ((_plain(a.name), _plain(a.evaluator), dash(a.quality.precision), dash(a.quality.recall), dash(a.quality.f1),
          *a.counts.values()) for a in wrong),
    )  # fmt: skip


def _failing(report: Summary) -> Iterator[str]:
    if not report.shown:
        return
    yield ""
    yield f"<details><summary>First cases that did not pass ({len(report.shown)})</summary>"
    yield ""
    for row in report.shown:
        word = "error" if row["status"] == "error" else row["verdict"]
        yield f"- **{_plain(row['case_id'][:_LONGEST_ID])}**: {word}, {row['score']:.3f}"
        found = list(differences(row))
        yield from (f"  - {_difference(one)}" for one in found[:MOST_DIFFERENCES])
        if len(found) > MOST_DIFFERENCES:
            yield f"  - and {len(found) - MOST_DIFFERENCES} more"
    yield ""
    yield "</details>"


def usage_line(usage: Usage) -> str:
    calls = f"{usage.calls:,} call{'' if usage.calls == 1 else 's'}, {usage.cached:,} cached"
    tokens = f"{usage.prompt_tokens:,} + {usage.completion_tokens:,} tokens"
    return f"{calls} · {tokens}" + ("" if usage.cost is None else f" · cost {usage.cost:.4f}")


def dash(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _difference(one: Difference) -> str:
    sides = [f"{name} {_plain(value)}" for name, value in (("expected", one.expected), ("got", one.actual)) if value]
    note = f" ({_plain(one.note)})" if one.note else ""
    return _plain(one.where) + (": " if sides else "") + ", ".join(sides) + note


def _estimate(estimate: Estimate, *, percent: bool = False) -> str:
    if percent:
        return f"{estimate.value:.1%} ({estimate.low:.1%} to {estimate.high:.1%})"
    return f"{estimate.value:.3f} ({estimate.low:.3f} to {estimate.high:.3f})"


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"| {' | '.join('---' for _ in head)} |"
    for row in rows:
        yield f"| {' | '.join(map(str, row))} |"


def _plain(text: str) -> str:
    """A user's text as text, whatever Markdown would make of it."""
    return printable(text).translate(_ESCAPES)
