"""The rules of suites → the blocks of a comment."""

from collections.abc import Iterator

from agentv_py.formats.markdown.blocks import FoldedList, escape, write_table
from agentv_py.formats.rule_words import describe_evaluator, describe_reason, describe_suite, list_settings
from agentv_py.report.explanation.model import PlacedRule, SuiteExplanation


def write_suites(explanation: SuiteExplanation) -> Iterator[str | FoldedList]:
    for suite in explanation.suites:
        yield f"### {escape(suite.suite)}"
        yield f"{escape(suite.file)} · {describe_suite(suite)}"
        for evaluator in suite.evaluators:
            yield f"#### {escape(evaluator.name)}"
            words = [describe_evaluator(evaluator), *list_settings(evaluator.settings)]
            yield " · ".join(map(escape, words))
            if evaluator.rules:
                rows = [_write_rule(placed) for placed in evaluator.rules]
                title = f"{len(rows)} fields"
                yield write_table(title, ("field", "comparator", "passes if", "weight", "share", "why"), rows)


def _write_rule(placed: PlacedRule) -> tuple[str, ...]:
    rule = placed.rule
    share = "" if rule.share is None else f"{rule.share:.1%}"
    words = (rule.path, rule.comparator, rule.passes)
    return *map(escape, words), f"{rule.weight:.10g}", share, escape(describe_reason(placed))
