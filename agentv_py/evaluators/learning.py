"""An evaluator that learns from the expected values of all cases what its options leave open."""

from typing import ClassVar, Self

from pydantic import PrivateAttr

from agentv_py.evaluators.base import Evaluator
from agentv_py.inference.suggestion import Suggestion


class LearningEvaluator(Evaluator):
    """Has an option `default`, and learns if that is `auto`."""

    compiled: ClassVar[tuple[str, ...]] = ()
    """The names of what is computed once, from the options and from what was learned."""

    _learned: Suggestion | None = PrivateAttr(None)
    """What the rules suggest for the expected values of all cases; None before it has learned."""

    def learn(self, suggestion: Suggestion) -> Self:
        """Return a copy that has learned; the evaluator itself if it does not learn."""
        if not self.learns_from_cases:
            return self
        copy = self.model_copy()
        copy._learned = suggestion  # noqa: SLF001  it is this class's own
        for name in self.compiled:
            vars(copy).pop(name, None)
        return copy
