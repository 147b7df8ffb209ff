"""A summary → a table of precision, recall and F1 for each evaluator that counts."""

from collections.abc import Iterator
from dataclasses import dataclass

from agentv_py.comparison.counts import Quality, macro, micro, quality
from agentv_py.report.summary import Summary

HEAD = ("attribute", "tp", "tn", "fp", "fn", "precision", "recall", "f1", "support")


@dataclass(frozen=True, slots=True)
class Line:
    name: str
    counts: dict[str, int] | None
    """None for a mean over attributes, which has no counts of its own."""
    quality: Quality

    @property
    def support(self) -> int | None:
        return None if self.counts is None else self.counts["tp"] + self.counts["fn"]

    def values(self) -> tuple[int | float | None, ...]:
        counts = (None,) * 4 if self.counts is None else tuple(self.counts.values())
        return (*counts, self.quality.precision, self.quality.recall, self.quality.f1, self.support)


def tables(summary: Summary) -> Iterator[tuple[str, list[Line]]]:
    """Each evaluator with its attributes, then micro and macro."""
    for evaluator in summary.evaluators.values():
        found = evaluator.attributes
        if found:
            total = micro(found.values())
            lines = [Line(name, counts, quality(counts)) for name, counts in found.items()]
            means = [Line("micro", total, quality(total)), Line("macro", None, macro(found.values()))]
            yield evaluator.name, lines + means
