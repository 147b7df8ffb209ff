"""Chunks of cases → the same chunks, each with the models' replies to every question of its evaluators."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from agentv_py.models.policy import CallPolicy
from agentv_py.models.question import Question, Replies
from agentv_py.models.replies import QuestionRecorder, ReplySource, using
from agentv_py.run.chunk import ScoredChunk, split_into_chunks
from agentv_py.run.scorer import Scorer
from agentv_py.suite.raw_case import RawCase

# Cases whose questions are fetched together.
_FETCH_SIZE = 48

Questions = dict[str, Question]
"""By key."""


class PreparedChunk(NamedTuple):
    """Cases that one process scores together."""

    cases: Sequence[RawCase]
    replies: Replies


class Prefetch:
    """Runs evaluators twice: the first pass records their questions, the second has the replies and scores."""

    def __init__(self, scorer: Scorer, policy: CallPolicy, size: int) -> None:
        self.scorer = scorer
        self.policy = policy
        self.size = size
        self.stopped = ""
        """The limit of the budget that stopped the run, and the amount spent."""

    def prepare(self, cases: Iterable[RawCase]) -> Iterator[PreparedChunk]:
        """Prepare chunks up to the first case that lacks a reply because the budget is spent."""
        from agentv_py.models.fetch import fetch

        for chunk in split_into_chunks(cases, _FETCH_SIZE):
            questions = [self._record(raw) for raw in chunk]
            replies = fetch([question for case in questions for question in case.values()], self.policy)
            ready = next((n for n, case in enumerate(questions) if not case.keys() <= replies.keys()), len(chunk))
            yield from self._split(chunk[:ready], questions, replies, self.size)
            if ready < len(chunk):
                self.stopped = self.policy.spending.limit_reached_message()
                return

    def score(self, chunk: PreparedChunk) -> ScoredChunk:
        with using(ReplySource(self.policy, dict(chunk.replies))) as source:
            self.scorer.usage = source.take_usage
            return self.scorer(chunk.cases)

    def split(self, chunk: PreparedChunk) -> list[PreparedChunk]:
        """Return a chunk for each case."""
        questions = [self._record(raw) for raw in chunk.cases]
        return list(self._split(chunk.cases, questions, dict(chunk.replies), 1))

    def _split(
        self, cases: Sequence[RawCase], questions: Sequence[Questions], replies: Replies, size: int
    ) -> Iterator[PreparedChunk]:
        """Split into chunks for one process each. The first chunk that needs a reply pays for it."""
        for start in range(0, len(cases), size):
            keys = {key for case in questions[start : min(start + size, len(cases))] for key in case}
            yield PreparedChunk(cases[start : start + size], {key: replies[key] for key in keys})
            replies |= {key: replies[key].as_cached() for key in keys}

    def _record(self, raw: RawCase) -> Questions:
        """Return the questions that the evaluators ask about this case."""
        case, own = self.scorer.build_case(raw)
        with using(QuestionRecorder()) as recorder:
            for evaluator in own or self.scorer.evaluators:
                if evaluator.uses_model:
                    self.scorer.score(case, [evaluator], "")
        return recorder.questions
