"""What a format gets: a summary, a diff or a trend.

A format is `formats/<name>.py` with `render(report) -> Iterator[str]`: pieces of text, so that a format that shows
every case holds one of them at a time. It asks the report for rows only as it needs them: `summary.rows()` reads the
results again, row by row; `diff.pairs()` gives both rows of each matched case, `diff.rows_of(move)` those of one.
"""

from agentv_py.report.diff.model import Diff
from agentv_py.report.summary import Summary
from agentv_py.report.trend import Trend

Report = Summary | Diff | Trend
