"""Two rows of one case → the fields that changed, with the value on each side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agentv_py import jsontext
from agentv_py.case import ABSENT
from agentv_py.comparison.mismatch import CUT, LONGEST_TEXT, cut_value, miss_text
from agentv_py.errors import make_printable
from agentv_py.report.differences import write_remark
from agentv_py.report.row_values import Misses, RowValues
from agentv_py.results.row import Row

_BEFORE = 60
"""Characters that are kept before the place where two long texts differ."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field that became wrong, became right, or is now wrong in another way."""

    evaluators: tuple[str, ...]
    """One evaluator; several where a report joined their equal changes."""
    path: str
    was_right: bool
    is_right: bool
    expected: Any = ABSENT
    baseline: Any = ABSENT
    candidate: Any = ABSENT
    baseline_note: str = ""
    candidate_note: str = ""
    """Why the value of each side is wrong, where it is more than a difference."""

    @property
    def note(self) -> str:
        """The note of the side that is wrong; the candidate's where both are."""
        return self.baseline_note if self.is_right else self.candidate_note

    @property
    def mark(self) -> str:
        """An arrow down where the field became wrong, an arrow up where it became right, else a dot."""
        return "↓" if self.was_right else "↑" if self.is_right else "·"

    @property
    def remark(self) -> str:
        """The evaluators if there are several."""
        return write_remark("", self.evaluators)

    def __str__(self) -> str:
        values = ", ".join(f"{word} {value}" for word, value in self.noted_texts())
        return f"{self.mark} {miss_text(f'{self.path}: {values}', self.remark)}"

    def noted_texts(self) -> list[tuple[str, str]]:
        """Return the texts, each answer with its note."""
        notes = {"was": self.baseline_note, "now": self.candidate_note}
        return [(word, miss_text(text, notes.get(word, ""))) for word, text in self.texts()]

    def texts(self) -> list[tuple[str, str]]:
        """Return the expected value and both answers as text; an answer without a value is `right` or `nothing`."""
        expected = [] if self.expected is ABSENT else [("expected", _text(self.expected))]
        was = _text(self.baseline) if self.baseline is not ABSENT else "right" if self.was_right else "nothing"
        now = _text(self.candidate) if self.candidate is not ABSENT else "right" if self.is_right else "nothing"
        return [*expected, ("was", was), ("now", now)]


def _text(value: Any) -> str:
    return make_printable(jsontext.dumps(value).decode())


def list_distinct_changes(before: Row, after: Row) -> list[FieldChange]:
    """List the changes of a case, what became wrong first. One that several evaluators have is listed once."""
    distinct: dict[tuple[Any, ...], FieldChange] = {}
    for change in list_changes(before, after):
        key = (change.path, change.was_right, change.is_right, *change.noted_texts())
        known = distinct.get(key)
        names = change.evaluators if known is None else known.evaluators + change.evaluators
        distinct[key] = replace(change, evaluators=names)
    return sorted(distinct.values(), key=lambda change: "↓·↑".index(change.mark))


def list_changes(before: Row, after: Row) -> Iterator[FieldChange]:
    old, new = RowValues(before), RowValues(after)
    for evaluator in (name for name in new.results if name in old.results):
        paths = old.paths(evaluator) | new.paths(evaluator)
        was, now = old.misses(evaluator, paths), new.misses(evaluator, paths)
        for path in dict.fromkeys([*now, *was]):
            if path not in was or path not in now or _actual(was, path) != _actual(now, path):
                yield _build_change(evaluator, path, (old, was), (new, now))


def _actual(misses: Misses, path: str) -> Any:
    return misses[path].get("actual", ABSENT)


def _build_change(
    evaluator: str, path: str, before: tuple[RowValues, Misses], after: tuple[RowValues, Misses]
) -> FieldChange:
    (old, was), (new, now) = before, after
    wrong = now.get(path) or was.get(path) or {}
    whole = new.expected_at(path)
    expected, baseline, candidate = cut_together(
        _restore(wrong.get("expected", whole), whole),
        _restore(old.answer_at(path, evaluator, was), old.read_answer(path, evaluator)),
        _restore(new.answer_at(path, evaluator, now), new.read_answer(path, evaluator)),
    )
    return FieldChange(
        (evaluator,),
        path,
        path not in was,
        path not in now,
        expected,
        baseline,
        candidate,
        baseline_note=was.get(path, {}).get("note", ""),
        candidate_note=now.get(path, {}).get("note", ""),
    )


def _restore(stored: Any, whole: Any) -> Any:
    """Return the value of the row instead of the beginning of it that a long one has in the details."""
    is_cut = isinstance(stored, str) and stored.endswith(CUT) and isinstance(whole, str)
    return whole if is_cut and whole.startswith(stored[: -len(CUT)]) else stored


def cut_together(*values: Any) -> list[Any]:
    """Cut long texts around the first place where they differ; other long values are cut at their end."""
    texts = [value for value in values if isinstance(value, str)]
    start = max(0, _find_difference(texts) - _BEFORE) if any(len(text) > LONGEST_TEXT for text in texts) else 0
    return [
        cut_value(f"{CUT}{value[start:]}" if start and isinstance(value, str) and len(value) > LONGEST_TEXT else value)
        for value in values
    ]


def _find_difference(texts: Sequence[str]) -> int:
    """Return the first place where two of the texts differ; 0 if all of them are equal."""
    for place, characters in enumerate(zip(*texts, strict=False)):
        if len(set(characters)) > 1:
            return place
    lengths = {len(text) for text in texts}
    return min(lengths) if len(lengths) > 1 else 0
