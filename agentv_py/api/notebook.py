"""A summary, or the story of a pair → a fragment of HTML for notebooks. It needs no script."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from agentv_py.errors import make_printable
from agentv_py.formats.text import format_count, format_figure, format_interval
from agentv_py.report.attributes import build_attribute_tables
from agentv_py.report.differences import MOST_DIFFERENCES, list_differences, name_case
from agentv_py.report.summary import Summary

_MOST_CASES = 10
_COLOURS = {"pass": "#2e7d32", "partial": "#b26a00", "fail": "#c62828", "error": "#7b1fa2"}


def write_summary(summary: Summary) -> str:
    return "".join(("<div>", *_write_parts(summary), "</div>"))


def write_page(text: str) -> str:
    """Write a page of a terminal as it is."""
    return f'<pre style="white-space:pre-wrap;font-family:monospace">{escape(text)}</pre>'


def _write_parts(summary: Summary) -> Iterator[str]:
    whole = summary.totals
    counts = {"pass": whole.passed, "partial": whole.partial, "fail": whole.failed, "error": whole.errors}
    words = [f'<span style="color:{_COLOURS[word]}">{count:,} {word}</span>' for word, count in counts.items() if count]
    yield f"<p><b>{_show(', '.join(summary.suites))}</b> · {format_count(whole.cases, 'case')} · {', '.join(words)}</p>"
    estimates = (("mean score", whole.mean_score, ".3f"), ("pass rate", whole.pass_rate, ".1%"))
    yield _write_table(
        ("", "value", "95 % interval"),
        [
            (name, format_figure(figure.value, form), format_interval(figure.low, figure.high, form))
            for name, figure, form in estimates
        ],
    )
    for evaluator, lines in build_attribute_tables(summary):
        heads = (evaluator, "precision", "recall", "F1", "TP", "TN", "FP", "FN")
        cells = [
            (
                line.name,
                *map(format_figure, line.quality),
                *("" if one is None else str(one) for one in line.values()[:4]),
            )
            for line in lines
        ]
        yield _write_table(heads, cells)
    yield from _write_failing(summary)


def _write_failing(summary: Summary) -> Iterator[str]:
    wrong = [row for row in summary.rows() if row["verdict"] != "pass"]
    if wrong:
        yield "<p>cases that did not pass</p><ul>"
    for row in wrong[:_MOST_CASES]:
        word = "error" if row["status"] == "error" else row["verdict"]
        score = f'<span style="color:{_COLOURS[word]}">{word} {row["score"]:.3f}</span>'
        head = f"<b>{_show(name_case(summary, row))}</b> {score}"
        items = [str(item) for item in list_differences(row)]
        more = [f"and {len(items) - MOST_DIFFERENCES} more"] if len(items) > MOST_DIFFERENCES else []
        yield f"<li>{'<br>'.join((head, *map(_show, items[:MOST_DIFFERENCES]), *more))}</li>"
    if wrong:
        yield "</ul>"
    if len(wrong) > _MOST_CASES:
        yield f"<p>and {len(wrong) - _MOST_CASES:,} more</p>"


def _write_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{_show(text)}</th>" for text in heads)
    lines = ("".join(f"<td>{_show(cell)}</td>" for cell in row) for row in rows)
    return f"<table><tr>{head}</tr>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def _show(text: str) -> str:
    return escape(make_printable(text))
