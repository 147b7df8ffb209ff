"""The counts of documents → 95 % intervals of precision, recall and F1.

Documents are the units: the values of one document are right or wrong together. So the spread is the one that a
bootstrap over documents has, but it is computed, not drawn: the bounds do not depend on the order of the documents, and
with few documents they hold the true figure more nearly 95 times in 100 (`benchmarks/intervals.py`).
"""

from typing import NamedTuple

from agentv_py.report.attribute_counts import AttributeCounts
from agentv_py.report.statistics import Estimate, estimate_ratio


class QualityEstimates(NamedTuple):
    """Each is None where its figure is undefined."""

    precision: Estimate | None
    recall: Estimate | None
    f1: Estimate | None


NO_ESTIMATES = QualityEstimates(None, None, None)


def estimate_quality(counts: AttributeCounts) -> QualityEstimates:
    """Estimate precision, recall and F1 from the documents that have a value, or an error, of the attribute."""
    sums = counts.sum_ratios()
    return QualityEstimates(estimate_ratio(sums.precision), estimate_ratio(sums.recall), estimate_ratio(sums.f1))
