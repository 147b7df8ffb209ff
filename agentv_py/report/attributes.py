"""A summary → a table of precision, recall and F1, with intervals, for each evaluator that counts attributes."""

from collections.abc import Iterator
from typing import NamedTuple

from agentv_py.comparison.counts import Quality, macro_average, quality, sum_counts
from agentv_py.report.quality_intervals import NO_ESTIMATES, QualityEstimates, estimate_quality
from agentv_py.report.summary import Summary


class AttributeFigures(NamedTuple):
    name: str
    counts: dict[str, int] | None
    """None for the macro mean, which has no counts of its own."""
    quality: Quality
    estimates: QualityEstimates = NO_ESTIMATES
    """Precision, recall and F1 with their intervals; means have none."""

    @property
    def support(self) -> int | None:
        return None if self.counts is None else self.counts["tp"] + self.counts["fn"]

    def values(self) -> tuple[int | float | None, ...]:
        counts = (None,) * 4 if self.counts is None else tuple(self.counts.values())
        return (*counts, self.quality.precision, self.quality.recall, self.quality.f1, self.support)


def build_attribute_tables(summary: Summary) -> Iterator[tuple[str, list[AttributeFigures]]]:
    """Build a table per evaluator: its attributes, then the micro and the macro mean."""
    for evaluator in summary.evaluators:
        attributes = evaluator.attributes
        if attributes:
            total = sum_counts(attributes.values())
            figures = [
                AttributeFigures(name, counts, quality(counts), estimate_quality(evaluator.counts[name]))
                for name, counts in attributes.items()
            ]
            means = [
                AttributeFigures("micro", total, quality(total)),
                AttributeFigures("macro", None, macro_average(attributes.values())),
            ]
            yield summary.name_evaluator(evaluator), figures + means
