"""Scores → the configured paths that no case's expected value has: such a path is nearly always a typo."""

from agentv_py.comparison.paths import attribute_of
from agentv_py.report.summary import Summary
from agentv_py.score import Score


class Labels:
    """Which configured paths the expected values lacked, and which of these are excused."""

    __slots__ = ("optional", "unlabelled")

    def __init__(self) -> None:
        self.unlabelled: dict[tuple[str, str], str] = {}
        """By evaluator and attribute: the path without a label; the attribute itself if it has several such paths."""
        self.optional: set[tuple[str, str]] = set()

    def record(self, evaluator: str, score: Score) -> None:
        for path in score.unlabelled:
            self._add((evaluator, attribute_of(path)), path)
        self.optional.update((evaluator, attribute_of(path)) for path in score.optional)

    def merge(self, other: "Labels") -> None:
        for key, path in other.unlabelled.items():
            self._add(key, path)
        self.optional |= other.optional

    def never_labelled(self, summary: Summary) -> list[tuple[str, str]]:
        """Return the evaluator and path of each label that no case counted or excused."""
        counted = {
            (evaluator.name, attribute) for evaluator in summary.evaluators for attribute in evaluator.attributes
        }
        return sorted((key[0], path) for key, path in self.unlabelled.items() if key not in self.optional | counted)

    def _add(self, key: tuple[str, str], path: str) -> None:
        if self.unlabelled.setdefault(key, path) != path:
            self.unlabelled[key] = key[1]
