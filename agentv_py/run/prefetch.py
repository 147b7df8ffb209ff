"""Chunks of cases → the same, with every answer that their evaluators will ask models for."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from agentv_py.models.answers import Desk, Notebook, at
from agentv_py.models.policy import Terms
from agentv_py.models.question import Answers, Question
from agentv_py.run.scorer import Scored, Scorer, chunks
from agentv_py.run.unlabelled import Labels
from agentv_py.suite.plan import RawCase

CHUNK = 48

Questions = dict[str, Question]


class Piece(NamedTuple):
    """Cases that are scored together, by whatever process."""

    cases: Sequence[RawCase]
    answers: Answers


class Prefetch:
    """Evaluators are run twice: once to note what they ask, then, with the answers at hand, to score."""

    def __init__(self, scorer: Scorer, terms: Terms, size: int) -> None:
        self.scorer = scorer
        self.terms = terms
        self.size = size
        self.stopped = ""
        """What was spent of which budget, where it stopped the run."""

    def pieces(self, cases: Iterable[RawCase]) -> Iterator[Piece]:
        """Up to the first case that has to do without an answer because the budget is spent."""
        from agentv_py.models.fetch import fetch

        for chunk in chunks(cases, CHUNK):
            asked = [self._questions(raw) for raw in chunk]
            answers = fetch([question for one in asked for question in one.values()], self.terms)
            ready = next((n for n, one in enumerate(asked) if not one.keys() <= answers.keys()), len(chunk))
            yield from self._pieces(chunk[:ready], asked, answers)
            if ready < len(chunk):
                self.stopped = self.terms.ledger.story()
                return

    def score(self, piece: Piece) -> Scored:
        with at(Desk(self.terms, dict(piece.answers))) as desk:
            self.scorer.usage = desk.used
            return self.scorer(piece.cases)

    def _pieces(self, cases: Sequence[RawCase], asked: Sequence[Questions], answers: Answers) -> Iterator[Piece]:
        """An answer that several pieces need was paid for by the first."""
        for start in range(0, len(cases), self.size):
            keys = {key for one in asked[start : min(start + self.size, len(cases))] for key in one}
            yield Piece(cases[start : start + self.size], {key: answers[key] for key in keys})
            answers |= {key: answers[key].again() for key in keys}

    def _questions(self, raw: RawCase) -> Questions:
        case, own = self.scorer.built(raw)
        with at(Notebook()) as notes:
            for evaluator in own or self.scorer.evaluators:
                if evaluator.asks:
                    self.scorer.score(case, [evaluator], Labels(), "")
        return notes.noted
