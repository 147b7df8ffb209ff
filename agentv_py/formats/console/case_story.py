"""The stories of cases → the parts of a terminal page: the values, the findings, the pairs, and the way to pass."""

from collections.abc import Iterator

from rich.cells import cell_len, set_cell_size
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from agentv_py.errors import make_printable
from agentv_py.formats.console.layout import SIGNS, STYLES, build_table, cut_text
from agentv_py.formats.story_words import (
    VALUE_WORDS,
    count_findings,
    count_pairs,
    describe_evaluator,
    describe_gain,
    describe_note,
    describe_verdict,
    describe_way,
    list_gaps,
    list_judgements,
    list_pairs,
    list_remarks,
    list_values,
    write_value,
)
from agentv_py.report.explanation.case_model import CaseExplanation, CaseStory, Finding

_MOST_VALUE_LINES = 6
_MOST_FINDING_LINES = 2
_VALUE_STYLES = {"expected": "green", "answer": "red"}
_MOST_FINDINGS = 50
_MOST_PAIRS = 30


def draw_stories(explanation: CaseExplanation, width: int) -> Iterator[RenderableType]:
    for number, story in enumerate(explanation.stories):
        if number:
            yield Text()
        yield from _draw_story(story, width)


def _draw_story(story: CaseStory, width: int) -> Iterator[RenderableType]:
    word = "error" if story.status == "error" else story.verdict
    names = [name for name in (story.suite, story.case_id, story.target) if name]
    yield Text(make_printable(" · ".join(names)), style="bold")
    yield Text.assemble(
        (f"{SIGNS[word]} {describe_verdict(story)}", STYLES[word]), (f"  {make_printable(story.where)}", "dim")
    )
    yield from (Text(make_printable(remark), style="yellow") for remark in list_remarks(story))
    if story.values:
        yield Text()
        yield _draw_values(story, width)
    yield Text()
    yield from _draw_evaluators(story)
    if story.findings:
        yield Text()
        yield Text(count_findings(story), style="dim")
        for finding in story.findings[:_MOST_FINDINGS]:
            yield from _draw_finding(finding, story, width)
        if len(story.findings) > _MOST_FINDINGS:
            yield Text(f"and {len(story.findings) - _MOST_FINDINGS:,} more in the results", style="dim")
    yield from _draw_pairs(story)
    if story.unscored:
        yield Text()
        yield Text(f"only in the answer, and not scored: {make_printable(', '.join(story.unscored))}", style="dim")
    if way := describe_way(story):
        yield Text()
        yield Text.assemble(("to pass  ", "dim"), make_printable(way))


def _draw_values(story: CaseStory, width: int) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True, style="dim")
    grid.add_column()
    for key, value in story.values.items():
        grid.add_row(VALUE_WORDS[key], _cut_lines(write_value(value), width - 10, _MOST_VALUE_LINES))
    return grid


def _draw_evaluators(story: CaseStory) -> Iterator[RenderableType]:
    for evaluator in story.evaluators:
        word = "error" if evaluator.error else evaluator.verdict
        yield Text.assemble(
            (f"{SIGNS[word]} ", STYLES[word]),
            (make_printable(evaluator.name), "bold"),
            f"  {make_printable(describe_evaluator(evaluator))}",
        )
    for name in story.skipped:
        yield Text.assemble("· ", (make_printable(name), "bold"), "  skipped")


def _draw_finding(finding: Finding, story: CaseStory, width: int) -> Iterator[RenderableType]:
    note = describe_note(finding, story)
    path = make_printable(finding.path)
    yield Text.assemble(
        ("  ✗ ", STYLES["fail"]), (path, "bold"), (f"  {make_printable(note)}" if note else "", "yellow")
    )
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True, style="dim")
    grid.add_column()
    for word, value in list_values(finding):
        grid.add_row(word, Text(_cut_lines(value, width - 16, _MOST_FINDING_LINES), style=_VALUE_STYLES[word]))
    for rule, reason in list_judgements(finding):
        grid.add_row("rule", Text.assemble(make_printable(rule), (f"  {make_printable(reason)}", "dim")))
    for gap in list_gaps(finding):
        grid.add_row("gap", make_printable(gap))
    if gain := describe_gain(finding, story):
        grid.add_row("", Text(gain, style="dim"))
    if grid.row_count:
        yield Padding(grid, (0, 0, 0, 4))


def _draw_pairs(story: CaseStory) -> Iterator[RenderableType]:
    for evaluators, partners in story.partners:
        rows = list(list_pairs(partners))
        if not rows:
            continue
        names = f" by {' and '.join(evaluators)}" if len(story.evaluators) > 1 else ""
        yield Text()
        yield Text.assemble(
            (f"rows of {make_printable(partners.path)}{make_printable(names)}", "bold"),
            (f"  {count_pairs(partners)}", "dim"),
        )
        table = build_table("row", "partner", "next best")
        for row in rows[:_MOST_PAIRS]:
            table.add_row(*row)
        yield Padding(table, (0, 0, 0, 2))
        if len(rows) > _MOST_PAIRS:
            yield Text(f"  and {len(rows) - _MOST_PAIRS:,} more", style="dim")


def _cut_lines(text: str, room: int, most: int) -> str:
    """Break a long text into lines, behind a comma or a space where there is one, and cut it after some lines."""
    rest, lines = make_printable(text[: room * (most + 1)]), list[str]()
    while cell_len(rest) > room and len(lines) < most:
        fitting = set_cell_size(rest, room)
        end = max(fitting.rfind(","), fitting.rfind(" ")) + 1
        line = fitting[:end] if 2 * end > room else fitting.rstrip() if len(fitting) > len(rest) else fitting
        lines.append(line)
        rest = rest[len(line) :]
    if len(lines) < most:
        return "\n".join([*lines, rest])
    lines[-1] = cut_text(lines[-1] + " " * room, room) if rest else lines[-1]
    return "\n".join(lines)
