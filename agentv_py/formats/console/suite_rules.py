"""The rules of suites → the parts of a terminal page: each evaluator, and a line or a block for each field."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from agentv_py.errors import make_printable
from agentv_py.formats.console.layout import build_table, draw_file, wrap_items
from agentv_py.formats.rule_words import describe_evaluator, describe_reason, describe_suite, list_settings
from agentv_py.formats.text import format_count
from agentv_py.report.explanation.model import EvaluatorRules, PlacedRule, SuiteExplanation, SuiteRules

_WIDE = 110
"""From this width on, the comparator has a column of its own."""
_SHORT_REASON = 16


def draw_suites(explanation: SuiteExplanation, width: int) -> Iterator[RenderableType]:
    for number, suite in enumerate(explanation.suites):
        if number:
            yield Text()
        yield from _draw_suite(suite, width)


def _draw_suite(suite: SuiteRules, width: int) -> Iterator[RenderableType]:
    yield Text.assemble((make_printable(suite.suite), "bold"), f" · {describe_suite(suite)}")
    yield draw_file(suite.file, width)
    for evaluator in suite.evaluators:
        yield Text()
        yield from _draw_evaluator(evaluator, suite.file, width)
    if suite.omitted:
        yield Text(f"and {format_count(suite.omitted, 'more list')} of evaluators of single cases", style="dim")


def _draw_evaluator(evaluator: EvaluatorRules, file: str, width: int) -> Iterator[RenderableType]:
    yield Text.assemble(
        (make_printable(evaluator.name), "bold"), (f"  {make_printable(describe_evaluator(evaluator))}", "dim")
    )
    parts: list[RenderableType] = []
    if evaluator.settings:
        lines = wrap_items(map(make_printable, list_settings(evaluator.settings)), width - 2)
        parts.append(Text("\n".join(lines), style="dim"))
    if evaluator.rules:
        reasons = [_write_reason(placed, file) for placed in evaluator.rules]
        is_wide = width >= _WIDE
        if is_wide or max(map(len, reasons)) <= _SHORT_REASON:
            parts.append(_draw_table(evaluator, reasons, is_wide=is_wide))
        else:
            parts += _draw_blocks(evaluator, reasons)
    yield from (Padding(part, (0, 0, 0, 2)) for part in parts)


def _draw_table(evaluator: EvaluatorRules, reasons: list[str], *, is_wide: bool) -> Table:
    has_weights = any(placed.rule.weight != 1.0 for placed in evaluator.rules)
    has_shares = any(placed.rule.share is not None for placed in evaluator.rules)
    figures = [*([">weight"] if has_weights else []), *([">share"] if has_shares else [])]
    table = build_table("field", *(["comparator"] if is_wide else []), "passes if", *figures, "why")
    for placed, reason in zip(evaluator.rules, reasons, strict=True):
        rule = placed.rule
        name, passes = _draw_rule(placed)
        cells = [f"{rule.weight:.10g}"] if has_weights else []
        cells += [_format_share(rule.share)] if has_shares else []
        how = (name, passes) if is_wide else (Text.assemble(name, ": ", passes),)
        table.add_row(make_printable(rule.path), *how, *cells, Text(reason, style="dim"))
    return table


def _draw_blocks(evaluator: EvaluatorRules, reasons: list[str]) -> Iterator[RenderableType]:
    """Draw each field in three lines: its path, what passes, and why. A table would have no room for the reasons."""
    for placed, reason in zip(evaluator.rules, reasons, strict=True):
        rule = placed.rule
        weight = "" if rule.weight == 1.0 else f"weight {rule.weight:.10g}"
        figures = ", ".join(filter(None, (weight, _format_share(rule.share))))
        yield Text.assemble(make_printable(rule.path), (f"  {figures}", "dim"))
        name, passes = _draw_rule(placed)
        yield Padding(Text.assemble(name, ": ", passes), (0, 0, 0, 4))
        yield Padding(Text(reason, style="dim"), (0, 0, 0, 4))


def _draw_rule(placed: PlacedRule) -> tuple[Text, Text]:
    rule = placed.rule
    return Text(make_printable(rule.comparator), style="cyan"), Text(make_printable(rule.passes))


def _format_share(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"


def _write_reason(placed: PlacedRule, file: str) -> str:
    """Write the reason; the line of the suite file alone, because the name of the file is above."""
    reason = describe_reason(placed)
    if reason.startswith(f"{file}:"):
        reason = f"line {reason.removeprefix(f'{file}:')}"
    return make_printable(reason)
