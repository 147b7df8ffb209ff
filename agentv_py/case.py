"""One case: its expected value and the candidate, which is the answer to score."""

from copy import copy
from enum import Enum
from math import isfinite
from typing import Any, Final, Literal

from agentv_py import jsontext


class Absent(Enum):
    """The type of `ABSENT`, which marks a value that is not there; null is a value."""

    ABSENT = "absent"

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent.ABSENT
AbsentType = Literal[Absent.ABSENT]


class CandidateNotJson(ValueError):  # noqa: N818  a finding about an answer, not a fault of the program
    """The candidate is text that holds no JSON."""


class Case:
    """A case with everything that is known about it and its answer."""

    __slots__ = (
        "_parsed_values",
        "candidate",
        "candidates",
        "expected",
        "facts",
        "failure",
        "fingerprint",
        "id",
        "input",
        "metadata",
        "parsed",
        "source",
        "tags",
        "target",
    )

    def __init__(
        self,
        id: str,  # noqa: A002  the word of the suite
        expected: Any = ABSENT,
        candidate: Any = ABSENT,
        input: Any = None,  # noqa: A002  the word of the suite
        metadata: dict[str, Any] | None = None,
        tags: list[str] | None = None,
        candidates: list[Any] | None = None,
        target: str | None = None,
        facts: dict[str, Any] | None = None,
        failure: tuple[str, str] | None = None,
    ) -> None:
        self.id = id
        self.expected = expected
        self.candidate = candidate
        self.input = input
        self.metadata = metadata
        self.tags = tags or []
        self.candidates = candidates
        """Several answers to the same input, instead of one candidate."""
        self.target = target
        """The name of the target that gave the answer."""
        self.facts = facts
        """What is known about the answer besides its value: `latency_ms`, `cost`, `tokens`, `trace`, `confidence`.

        With several candidates, `repeats` lists such facts for each of them.
        """
        self.failure = failure
        """Why the target gave no answer: kind and message."""
        self.fingerprint: str | None = None
        """A short hash of what shapes the score, for the row."""
        self.source: jsontext.Place = "whole"
        """The part of the answer's text that held the candidate, if confidences were taken off it."""
        self.parsed: jsontext.Place = "whole"
        """The part of the candidate's text that `parsed_values` has returned."""
        self._parsed_values: tuple[Any, Any, jsontext.Place] | None = None

    def with_answer(self, candidate: Any, facts: dict[str, Any] | None) -> "Case":
        """Return the same case with one answer, and what is known about it."""
        case = copy(self)
        case.candidate, case.candidates, case.facts, case._parsed_values = candidate, None, facts, None  # noqa: SLF001  of the same class
        return case

    @property
    def confidence(self) -> Any:
        """How sure the system is: of the whole answer, a number; of each value, a tree in the shape of the answer."""
        return None if self.facts is None else self.facts.get("confidence")

    @property
    def confidence_tree(self) -> Any:
        """The confidences of the values; None if there are none."""
        tree = self.confidence
        return tree if isinstance(tree, dict | list) else None

    def parsed_values(self) -> tuple[Any, Any]:
        """Return the expected value and the candidate as JSON values.

        Text is read as JSON, unless the expected value is prose. Raises CandidateNotJson.
        """
        if type(self.expected) is not str and type(self.candidate) is not str:
            return self.expected, self.candidate
        if self._parsed_values is None:
            self._parsed_values = _parse_values(self.expected, self.candidate)
        expected, candidate, self.parsed = self._parsed_values
        return expected, candidate


def _parse_values(expected: Any, candidate: Any) -> tuple[Any, Any, jsontext.Place]:
    if type(expected) is str:
        try:
            parsed = jsontext.loads_text(expected)
        except jsontext.NotJson:
            return expected, candidate, "whole"
        if isinstance(parsed, float) and not isfinite(parsed):  # a text equals itself, such a number does not
            return expected, candidate, "whole"
        expected = parsed
    if type(candidate) is str:
        try:
            return expected, *jsontext.find(candidate)
        except jsontext.NotJson as error:
            if isinstance(expected, dict | list):
                raise CandidateNotJson(str(error)) from None
    return expected, candidate, "whole"
