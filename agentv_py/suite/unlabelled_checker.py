"""Cases and their recorded answers → warnings about fields that answers fill where expected values leave them out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from agentv_py import jsontext
from agentv_py.case import ABSENT, CandidateNotJson, Case
from agentv_py.comparison.truth import ListedField, UnlabelledFields
from agentv_py.suite.locate import KeyPath
from agentv_py.suite.predictions import Predictions
from agentv_py.suite.truth_report import NestedTruth

ReadAnswers = Callable[[str, Mapping[str, Any]], Iterator[Any]]
"""The id of a case and its row → the answers to it that are known before a run."""

# Fewer answers may be slips of the candidate, and say little about the truth.
_FEWEST_ANSWERS = 5
_LEAST_SHARE = 0.1
# The answers to further cases would cost the time of a second pass over all of them.
_MOST_CASES = 2_000


class UnlabelledChecker:
    """Looks at the answers to the cases that leave a listed field out; at no others."""

    def __init__(self, truths: Sequence[NestedTruth], read_answers: ReadAnswers) -> None:
        self._groups: list[tuple[KeyPath, UnlabelledFields]] = [
            ((*key_path, *truth.option), truth.unlabelled)
            for key_path, truth in truths
            if truth.unlabelled is not None and truth.unlabelled.fields
        ]
        self._read_answers = read_answers
        self._cases = 0

    @property
    def is_looking(self) -> bool:
        """Whether to look at the next case."""
        return bool(self._groups) and self._cases < _MOST_CASES

    def observe(self, id_: str, value: Mapping[str, Any], expected: Any) -> None:
        """Look at a case."""
        left_out = [field for _, fields in self._groups for field in fields.find_left_out(expected)]
        for answer in self._read_parsed_answers(id_, value) if left_out else ():
            for field in left_out:
                field.add_answer(answer)
        self._cases += 1

    def pass_over(self, expected: Sequence[Any]) -> bool:
        """Count cases whose expected values leave no listed field out. False, and none is counted, if one may do so."""
        if not all(type(value) is dict for value in expected):
            return False
        if not all(fields.are_complete(expected) for _, fields in self._groups):
            return False
        self._cases = min(self._cases + len(expected), _MOST_CASES)
        return True

    def list_filled(self) -> Iterator[tuple[KeyPath, bool, str]]:
        """Yield the place of each field that many answers fill, whether it is a key of the options, and the warning."""
        for key_path, fields in self._groups:
            for field in fields.fields:
                if field.filled >= max(_FEWEST_ANSWERS, _LEAST_SHARE * field.answers):
                    what = _describe(field, is_part=self._cases == _MOST_CASES)
                    yield (*key_path, *field.option), field.above is not None, what

    def _read_parsed_answers(self, id_: str, value: Mapping[str, Any]) -> Iterator[Any]:
        for answer in self._read_answers(id_, value):
            try:
                # An empty object stands for any expected value with parts, beside which a text must be JSON.
                yield Case(id_, {}, answer).parsed_values()[1]
            except CandidateNotJson:
                continue


def _describe(field: ListedField, *, is_part: bool) -> str:
    among = f" to the first {_MOST_CASES:,} cases" if is_part else ""
    return (
        f"{field.filled:,} of {field.answers:,} answers{among} fill it where the expected value leaves it out; "
        "`absent: empty` counts these as invented, `absent: unlabelled` accepts them"
    )


def read_inline_answers(_id: str, value: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the answers that a case itself has."""
    several = value.get("candidates")
    yield from (
        several if isinstance(several, list) and several else (value[key] for key in ("candidate",) if key in value)
    )


def build_answer_reader(recorded: Sequence[Predictions], *, has_targets: bool) -> ReadAnswers:
    """Return what reads the recorded answers to a case. Without targets, a case may have its own answer instead."""

    def read_answers(id_: str, value: Mapping[str, Any]) -> Iterator[Any]:
        rows = [row for predictions in recorded if (row := predictions.read_raw(id_)) is not ABSENT]
        for row in rows:
            yield from read_inline_answers(id_, jsontext.loads(row) if isinstance(row, bytes) else row)
        if not rows and not has_targets:
            yield from read_inline_answers(id_, value)

    return read_answers
