"""Questions of an evaluator → replies: placeholders while questions are recorded, then the replies fetched for them.

An evaluator that asks a model runs **twice** over each case, so that the questions of many cases are fetched at once:

1. The recording pass: `ask` records its questions and returns a placeholder for each, a value of the same shape as a
   reply (`Model.placeholder`). The score of this pass is thrown away.
2. The scoring pass: `ask` returns the replies. A question that was not recorded is fetched on the spot, one case at a
   time, which is slow.

The evaluator does not know which pass it is in. A test checks that every evaluator follows three rules: it asks the
same questions in both passes (no clock, no random numbers); no reply decides whether it asks another question; and it
has no effect but its score.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from agentv_py.errors import EvaluationError
from agentv_py.models.policy import CallPolicy
from agentv_py.models.question import Question, Replies
from agentv_py.models.usage import Usage


class ReplySource:
    """Returns the replies that are known, and fetches the others."""

    def __init__(self, policy: CallPolicy | None = None, replies: Replies | None = None) -> None:
        self.policy = policy or CallPolicy()
        self.replies = replies if replies is not None else {}
        self._usage: dict[str, Usage] = {}

    def ask(self, questions: Sequence[Question]) -> list[Any]:
        missing = [question for question in questions if question.key not in self.replies]
        if missing:
            from agentv_py.models.fetch import fetch  # it imports asyncio and sqlite, which few suites need

            self.replies |= fetch(missing, self.policy)
        return [self._read_value(question.key) for question in questions]

    def take_usage(self) -> Usage:
        """Return the usage of the replies that were read since the last call; each reply counts once."""
        total = Usage()
        for usage in self._usage.values():
            total.add(usage)
        self._usage = {}
        return total

    def _read_value(self, key: str) -> Any:
        reply = self.replies.get(key)
        if reply is None:
            raise EvaluationError("budget", "the budget is spent")
        if key not in self._usage:
            self._usage[key] = reply.usage
            self.replies[key] = reply.as_cached()
        if reply.failure is not None:
            raise EvaluationError(*reply.failure)
        return reply.value


class QuestionRecorder(ReplySource):
    """Records every question, and returns placeholders."""

    def __init__(self) -> None:
        super().__init__()
        self.questions: dict[str, Question] = {}

    def ask(self, questions: Sequence[Question]) -> list[Any]:
        self.questions |= {question.key: question for question in questions}
        return [question.model.placeholder(question.payload) for question in questions]


_AnySource = TypeVar("_AnySource", bound=ReplySource)

_current: ContextVar[ReplySource | None] = ContextVar("reply_source", default=None)


def ask(questions: Sequence[Question]) -> list[Any]:
    """Return the value of each reply; in the recording pass, of its placeholder. Raises EvaluationError."""
    return (_current.get() or ReplySource()).ask(questions) if questions else []


@contextmanager
def using(source: _AnySource) -> Iterator[_AnySource]:
    """Within this context, `ask` uses this source of replies."""
    token = _current.set(source)
    try:
        yield source
    finally:
        _current.reset(token)
