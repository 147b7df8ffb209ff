"""Results → a report: a summary, a diff or a trend."""

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:  # a run imports the summary only
    from agentv_py.report.diff.model import Diff
    from agentv_py.report.summary import Summary
    from agentv_py.report.trend import Trend

    Report: TypeAlias = Summary | Diff | Trend
