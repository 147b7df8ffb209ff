"""The expected values of many cases, one by one → paths that all of them lack, and values that cannot be read."""

import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

from agentv_py import jsontext
from agentv_py.comparison.truth.nodes import Node
from agentv_py.comparison.truth.progress import ConfiguredPath, Progress
from agentv_py.comparison.truth.unlabelled import UnlabelledFields
from agentv_py.comparison.truth.values import ValueFacts, ValueNode
from agentv_py.options import OptionPath


class UnreadableValues(NamedTuple):
    """The values at one path that its match type cannot read for the same reason."""

    path: str
    note: str
    number: int
    total: int
    """How many values the path has in all cases; empty ones do not count."""
    example: Any
    where: Any
    """Where the first one is, in the words of the caller."""
    hint: str = ""
    """The option that would let the example be read; may be empty."""


class TruthFacts(NamedTuple):
    """What a truth has found in some cases."""

    seen: list[int]
    """The numbers of the paths that these or earlier cases have."""
    values: list[ValueFacts]
    """For each node of values in order."""


class Truth:
    """Collects what the expected values of many cases have at the paths that one evaluator's options name.

    A path that is found once is no longer looked for, and a value that every match type reads is not looked at. So
    after a few cases only the values remain that a match type may fail to read, and often nothing.
    """

    def __init__(
        self, node: Node | None, progress: Progress, values: Sequence[ValueNode], *, is_parsed: bool = True
    ) -> None:
        self.node = node
        """What is still to do; None if nothing is."""
        self.progress = progress
        self.values = values
        self.is_parsed = is_parsed
        """Whether a text that holds JSON is read as JSON, as the evaluator does it."""
        self.option: OptionPath = ()
        """Where the evaluator is in the options of another one that holds it."""
        self.unlabelled: UnlabelledFields | None = None
        """Counts answers at fields that expected values leave out; None if the options say what that means."""
        self._prune_at = sys.maxsize
        """How many unseen paths make it worth while to look at fewer nodes."""

    def observe(self, expected: Sequence[Any], places: Sequence[Any]) -> None:
        """Look at the expected values of some cases. The place of the first value that cannot be read is kept.

        Several cases at once take a fraction of the time that they take one by one.
        """
        if self.node is None:
            return
        if self.is_parsed and str in map(type, expected):
            expected = [parse_expected(value) if type(value) is str else value for value in expected]
        self.node.observe(expected, places)
        if self.progress.unseen <= self._prune_at:
            # Pruning costs as much as there are paths, so after the first cases it must remove half of them.
            self._prune_at = self.progress.unseen // 2 if self.progress.unseen else -1
            self.node = self.node.prune()

    def take_facts(self) -> TruthFacts:
        """Return what was found since the last call, so that another process can add it to what it has found."""
        seen = [number for number, path in enumerate(self.progress.paths) if path.is_seen]
        return TruthFacts(seen, [node.take_facts() for node in self.values])

    def add_facts(self, facts: TruthFacts) -> None:
        """Add what another process, which had the same nodes, has found in later cases."""
        for number in facts.seen:
            if not self.progress.paths[number].is_seen:
                self.progress.mark(self.progress.paths[number])
        for node, found in zip(self.values, facts.values, strict=False):  # nodes of unlisted keys may be new here
            node.add_facts(found)

    def list_unseen(self) -> list[ConfiguredPath]:
        """Return the paths that no case has; not those below another such path."""
        return [path for path in self.progress.paths if not path.is_seen and (path.above is None or path.above.is_seen)]

    def list_unreadable(self) -> list[UnreadableValues]:
        return [
            UnreadableValues(
                values.path, note, count, values.total, *values.first[note], values.suggest(values.first[note][0])
            )
            for values in self.values
            for note, count in values.unreadable.items()
        ]


def parse_expected(text: str) -> Any:
    """Return the JSON value of an expected text; the text itself if it is prose."""
    try:
        return jsontext.loads_text(text)
    except jsontext.NotJson:
        return text
