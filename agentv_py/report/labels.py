"""Scores → configured paths that no case ever labelled: each is nearly always a typo."""

from agentv_py.compare.paths import attribute_of
from agentv_py.report.summary import Summary
from agentv_py.score import Score


class Labels:
    __slots__ = ("optional", "unlabelled")

    def __init__(self) -> None:
        self.unlabelled: set[tuple[str, str]] = set()
        self.optional: set[tuple[str, str]] = set()

    def see(self, evaluator: str, score: Score) -> None:
        self.unlabelled.update((evaluator, attribute_of(path)) for path in score.unlabelled)
        self.optional.update((evaluator, attribute_of(path)) for path in score.optional)

    def merge(self, other: "Labels") -> None:
        self.unlabelled |= other.unlabelled
        self.optional |= other.optional

    def never(self, summary: Summary) -> list[tuple[str, str]]:
        """Evaluators and their paths that were neither counted nor excused in any case."""
        counted = {(one.name, attribute) for one in summary.evaluators.values() for attribute in one.attributes}
        return sorted(self.unlabelled - self.optional - counted)
