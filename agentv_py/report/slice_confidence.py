"""A summary with slices → the confidences of each slice, under the evaluator that saw them."""

from typing import NamedTuple

from agentv_py.report.confidence import ConfidenceSummary
from agentv_py.report.summary import Summary


class SliceConfidence(NamedTuple):
    by: str
    value: str
    confidence: ConfidenceSummary


def list_slice_confidences(report: Summary) -> dict[str, list[SliceConfidence]]:
    """List the slices that have enough cases by the name of the evaluator; the weakest slice comes first."""
    lines: dict[str, list[SliceConfidence]] = {}
    for table in report.slices.tables.values():
        for member in table.list_judged():
            for evaluator in member.evaluators.values():
                if evaluator.confidence is not None:
                    name = report.name_result(table.suite, table.target, evaluator.name)
                    line = SliceConfidence(table.key.text, member.value, evaluator.confidence)
                    lines.setdefault(name, []).append(line)
    return lines
