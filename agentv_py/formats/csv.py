"""Report → CSV: one line per attribute."""

import csv
import io
from collections.abc import Iterator

from agentv_py.report.attributes import HEAD, tables
from agentv_py.report.summary import Summary


def render(report: Summary) -> Iterator[str]:
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(("evaluator", *HEAD))
    for evaluator, rows in tables(report):
        lines.writerows((evaluator, row.name, *row.values()) for row in rows)
    yield text.getvalue()
