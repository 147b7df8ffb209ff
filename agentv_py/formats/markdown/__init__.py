"""Report → Markdown for a pull request or a job summary."""

from collections.abc import Iterator

from agentv_py.formats.markdown import diff, summary, trend
from agentv_py.formats.markdown.blocks import fitted
from agentv_py.report.diff.model import Diff
from agentv_py.report.kinds import Report
from agentv_py.report.summary import Summary


def render(report: Report) -> Iterator[str]:
    if isinstance(report, Summary):
        yield fitted(summary.blocks(report))
    else:
        yield fitted(diff.blocks(report) if isinstance(report, Diff) else trend.blocks(report))
