"""Results → a report: a summary, a diff or a trend; or an explanation of a suite or of a case."""

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:  # a run imports the summary only
    from agentv_py.report.diff.model import Diff
    from agentv_py.report.explanation.case_model import CaseExplanation
    from agentv_py.report.explanation.model import SuiteExplanation
    from agentv_py.report.summary import Summary
    from agentv_py.report.trend import Trend

    Report: TypeAlias = Summary | Diff | Trend
    Explanation: TypeAlias = SuiteExplanation | CaseExplanation
