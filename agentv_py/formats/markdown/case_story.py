"""The stories of cases → the blocks of a comment."""

from collections.abc import Iterator

from agentv_py.formats.markdown.blocks import FoldedList, escape, write_table, write_values
from agentv_py.formats.story_words import (
    VALUE_WORDS,
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

_LONGEST_VALUE = 2_000


def write_stories(explanation: CaseExplanation) -> Iterator[str | FoldedList]:
    for story in explanation.stories:
        yield from _write_story(story)


def _write_story(story: CaseStory) -> Iterator[str | FoldedList]:
    names = [name for name in (story.suite, story.case_id, story.target) if name]
    yield f"### {escape(' · '.join(names))}"
    yield " · ".join(filter(None, (f"**{describe_verdict(story)}**", escape(story.where))))
    yield from (escape(remark) for remark in list_remarks(story))
    if story.values:
        yield "\n".join(
            f"- {VALUE_WORDS[key]}: {escape(write_value(value), _LONGEST_VALUE)}" for key, value in story.values.items()
        )
    said = [(evaluator.name, describe_evaluator(evaluator)) for evaluator in story.evaluators]
    said += [(name, "skipped") for name in story.skipped]
    yield "\n".join(f"- {escape(name)}: {escape(words)}" for name, words in said)
    items = [_write_finding(finding, story) for finding in story.findings]
    if items:
        yield "#### Findings"
        yield "\n".join(items)
    for evaluators, partners in story.partners:
        rows = list(list_pairs(partners))
        if rows:
            names_of = f" by {' and '.join(evaluators)}" if len(story.evaluators) > 1 else ""
            yield f"#### Rows of {escape(partners.path)}{escape(names_of)}"
            yield count_pairs(partners)
            cells = [tuple(map(escape, row)) for row in rows]
            yield write_table(f"{len(rows)} rows", ("row", "partner", "next best"), cells)
    if story.unscored:
        yield f"Only in the answer, and not scored: {escape(', '.join(story.unscored))}"
    if way := describe_way(story):
        yield f"To pass: {escape(way, _LONGEST_VALUE)}"


def _write_finding(finding: Finding, story: CaseStory) -> str:
    lines = [f"- **{escape(finding.path)}**{write_values(list_values(finding), describe_note(finding, story))}"]
    for rule, reason in list_judgements(finding):
        lines.append(f"  - rule {escape(' · '.join(filter(None, (rule, reason))))}")
    lines += [f"  - {escape(gap)}" for gap in list_gaps(finding)]
    lines += [f"  - {gain}" for gain in [describe_gain(finding, story)] if gain]
    return "\n".join(lines)
