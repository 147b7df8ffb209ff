"""Report → Markdown for a pull request or a job summary."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from agentv_py.formats.markdown.blocks import join_blocks
from agentv_py.formats.markdown.case_story import write_stories
from agentv_py.formats.markdown.diff import write_diff
from agentv_py.formats.markdown.suite_rules import write_suites
from agentv_py.formats.markdown.summary import write_summary
from agentv_py.formats.markdown.trend import write_trend
from agentv_py.report.diff.model import Diff
from agentv_py.report.explanation.case_model import CaseExplanation
from agentv_py.report.explanation.model import SuiteExplanation
from agentv_py.report.summary import Summary

if TYPE_CHECKING:
    from agentv_py.report import Explanation, Report


def render(report: "Report | Explanation") -> Iterator[str]:
    if isinstance(report, Summary):
        yield join_blocks(write_summary(report))
    elif isinstance(report, SuiteExplanation):
        yield join_blocks(write_suites(report))
    elif isinstance(report, CaseExplanation):
        yield join_blocks(write_stories(report))
    else:
        yield join_blocks(write_diff(report) if isinstance(report, Diff) else write_trend(report))
