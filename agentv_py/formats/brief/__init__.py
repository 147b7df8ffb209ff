"""Report → at most 40 plain lines for a coding agent or a log: the worst first, the next command last."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from agentv_py.formats.brief.lines import join_lines
from agentv_py.formats.brief.summary import write_summary
from agentv_py.report.summary import Summary

if TYPE_CHECKING:
    from agentv_py.report import Explanation, Report


def render(report: "Report | Explanation") -> Iterator[str]:
    if isinstance(report, Summary):
        yield join_lines(*write_summary(report))
        return
    from agentv_py.formats.brief.change import write_diff, write_trend
    from agentv_py.formats.brief.explanation import write_rules, write_stories
    from agentv_py.report.diff.model import Diff
    from agentv_py.report.explanation.case_model import CaseExplanation
    from agentv_py.report.explanation.model import SuiteExplanation

    if isinstance(report, Diff):
        yield join_lines(*write_diff(report))
    elif isinstance(report, SuiteExplanation):
        yield join_lines(*write_rules(report))
    elif isinstance(report, CaseExplanation):
        yield join_lines(*write_stories(report))
    else:
        yield join_lines(*write_trend(report))
