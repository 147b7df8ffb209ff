"""A range of a file, or cases themselves → their rows: every process reads, scores and encodes its own ranges."""

from collections.abc import Callable, Sequence

from agentv_py.errors import InputChanged
from agentv_py.run.chunk import ScoredChunk
from agentv_py.run.engines import Unread
from agentv_py.suite.case_ranges import SelectedRange
from agentv_py.suite.case_reader import CaseReader
from agentv_py.suite.raw_case import RawCase

Piece = SelectedRange | list[RawCase]
"""What one process scores at a time."""


class RangeScorer:
    """Scores pieces in any process."""

    def __init__(self, reader: CaseReader, scorer: Callable[[Sequence[RawCase]], ScoredChunk]) -> None:
        self._reader = reader
        self._scorer = scorer

    def __call__(self, piece: Piece) -> ScoredChunk | Unread:
        if not isinstance(piece, SelectedRange):
            return self._scorer(piece)
        try:
            cases = list(self._reader.read(piece))
        except InputChanged:  # here, but perhaps not where the run began
            return Unread(piece)
        return self._scorer(cases)
