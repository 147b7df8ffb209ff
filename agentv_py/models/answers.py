"""Where evaluators put their questions: noted for later, answered from what is ready, or asked on the spot."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from agentv_py.models.backends.base import BackendFailed
from agentv_py.models.policy import Terms
from agentv_py.models.question import Answers, Question
from agentv_py.models.usage import Usage


class Desk:
    def __init__(self, terms: Terms | None = None, answers: Answers | None = None) -> None:
        self.terms = terms or Terms()
        self.answers = answers if answers is not None else {}
        self._used: dict[str, Usage] = {}

    def ask(self, questions: Sequence[Question]) -> list[Any]:
        missing = [question for question in questions if question.key not in self.answers]
        if missing:
            from agentv_py.models.fetch import fetch  # with asyncio and sqlite, which few suites need

            self.answers |= fetch(missing, self.terms)
        return [self._told(question.key) for question in questions]

    def used(self) -> Usage:
        """What the answers given since the last look took; each of them counts once."""
        used = Usage()
        for one in self._used.values():
            used.add(one)
        self._used = {}
        return used

    def _told(self, key: str) -> Any:
        answer = self.answers.get(key)
        if answer is None:
            raise BackendFailed("budget", "the budget is spent")
        if key not in self._used:
            self._used[key] = answer.usage
            self.answers[key] = answer.again()
        if answer.failure is not None:
            raise BackendFailed(*answer.failure)
        return answer.value


class Notebook(Desk):
    """Notes every question and answers none."""

    def __init__(self) -> None:
        super().__init__()
        self.noted: dict[str, Question] = {}

    def ask(self, questions: Sequence[Question]) -> list[Any]:
        self.noted |= {question.key: question for question in questions}
        return [None] * len(questions)


AnyDesk = TypeVar("AnyDesk", bound=Desk)

_OPEN: ContextVar[Desk | None] = ContextVar("desk", default=None)


def ask(questions: Sequence[Question]) -> list[Any]:
    """The value of each answer, or None where the questions are only noted for now. Raises BackendFailed."""
    return (_OPEN.get() or Desk()).ask(questions) if questions else []


@contextmanager
def at(desk: AnyDesk) -> Iterator[AnyDesk]:
    """For a while, whoever asks comes to this desk."""
    token = _OPEN.set(desk)
    try:
        yield desk
    finally:
        _OPEN.reset(token)
