"""One case: its expected value and the candidate, which is the answer to score."""

from dataclasses import dataclass, field
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


@dataclass(slots=True)
class Case:
    """A case with everything that is known about it and its answer."""

    id: str
    expected: Any = ABSENT
    candidate: Any = ABSENT
    input: Any = None
    metadata: dict[str, Any] | None = None
    tags: list[str] = field(default_factory=list)
    candidates: list[Any] | None = None
    """Several answers to the same input, instead of one candidate."""
    target: str | None = None
    """The name of the target that gave the answer."""
    facts: dict[str, Any] | None = None
    """What is known about the answer besides its value: `latency_ms`, `cost`, `tokens`, `trace`, `confidence`.

    With several candidates, `repeats` lists such facts for each of them.
    """
    failure: tuple[str, str] | None = None
    """Why the target gave no answer: kind and message."""

    fingerprint: str | None = None
    """A short hash of what shapes the score, for the row."""

    source: jsontext.Place = "whole"
    """The part of the answer's text that held the candidate, if confidences were taken off it."""

    parsed: jsontext.Place = field(default="whole", repr=False, compare=False)
    """The part of the candidate's text that `parsed_values` has returned."""

    _parsed_values: tuple[Any, Any, jsontext.Place] | None = field(default=None, repr=False, compare=False)

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
