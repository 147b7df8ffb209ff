"""The rules of suites, or the stories of cases → the lines of a brief report."""

from collections.abc import Iterator

from agentv_py.formats import rule_words
from agentv_py.formats.brief.lines import quote
from agentv_py.formats.story_words import (
    VALUE_WORDS,
    describe_evaluator,
    describe_note,
    describe_verdict,
    describe_way,
    list_remarks,
    list_values,
    write_value,
)
from agentv_py.report.explanation.case_model import CaseExplanation, CaseStory, Finding
from agentv_py.report.explanation.model import SuiteExplanation

_MOST_FINDINGS = 12


def write_stories(explanation: CaseExplanation) -> tuple[list[str], str]:
    """Return the lines, and the command that runs the first case again."""
    lines = [line for story in explanation.stories for line in _write_story(story)]
    first = explanation.stories[0] if explanation.stories else None
    if first is None or not first.rules_from.endswith((".yaml", ".yml")):
        return lines, ""
    return lines, quote("evalctl", "run", first.rules_from, "--case", first.case_id)


def write_rules(explanation: SuiteExplanation) -> tuple[list[str], str]:
    """Return the lines, and the command that runs the first suite."""
    lines: list[str] = []
    for suite in explanation.suites:
        lines.append(f"{suite.suite} ({suite.file}): {rule_words.describe_suite(suite)}")
        for evaluator in suite.evaluators:
            lines.append(f"evaluator {evaluator.name}: {rule_words.describe_evaluator(evaluator)}")
            lines += [
                f"  {placed.rule.path}: {placed.rule.comparator} {placed.rule.passes}, weight {placed.rule.weight:.10g}"
                for placed in evaluator.rules
            ]
    return lines, quote("evalctl", "run", explanation.suites[0].file) if explanation.suites else ""


def _write_story(story: CaseStory) -> Iterator[str]:
    names = [name for name in (story.suite, story.case_id, story.target) if name]
    yield f"{' · '.join(names)}: {describe_verdict(story)}"
    yield from list_remarks(story)
    if way := describe_way(story):
        yield f"to pass: {way}"
    for finding in story.findings[:_MOST_FINDINGS]:
        yield _write_finding(finding, story)
    if len(story.findings) > _MOST_FINDINGS:
        yield f"({len(story.findings) - _MOST_FINDINGS} more findings)"
    yield from (f"evaluator {each.name}: {describe_evaluator(each)}" for each in story.evaluators)
    yield from (f"evaluator {name}: skipped" for name in story.skipped)
    yield from (f"{VALUE_WORDS[key]}: {write_value(value)}" for key, value in story.values.items())


def _write_finding(finding: Finding, story: CaseStory) -> str:
    values = ", ".join(f"{word} {value}" for word, value in list_values(finding))
    note = describe_note(finding, story)
    return f"  {finding.path}" + (f": {values}" if values else "") + (f" ({note})" if note else "")
