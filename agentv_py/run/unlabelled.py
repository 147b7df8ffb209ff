"""Scores → configured paths that no case ever labelled: each is nearly always a typo."""

from agentv_py.comparison.paths import attribute_of
from agentv_py.report.summary import Summary
from agentv_py.score import Score


class Labels:
    __slots__ = ("optional", "unlabelled")

    def __init__(self) -> None:
        self.unlabelled: dict[tuple[str, str], str] = {}
        """By evaluator and attribute: the path that was not labelled, or the attribute where it stands for several."""
        self.optional: set[tuple[str, str]] = set()

    def see(self, evaluator: str, score: Score) -> None:
        for path in score.unlabelled:
            self._note((evaluator, attribute_of(path)), path)
        self.optional.update((evaluator, attribute_of(path)) for path in score.optional)

    def merge(self, other: "Labels") -> None:
        for key, path in other.unlabelled.items():
            self._note(key, path)
        self.optional |= other.optional

    def never(self, summary: Summary) -> list[tuple[str, str]]:
        """Evaluators and their paths that were neither counted nor excused in any case."""
        counted = {(one.name, attribute) for one in summary.evaluators.values() for attribute in one.attributes}
        return sorted((key[0], path) for key, path in self.unlabelled.items() if key not in self.optional | counted)

    def _note(self, key: tuple[str, str], path: str) -> None:
        if self.unlabelled.setdefault(key, path) != path:
            self.unlabelled[key] = key[1]
