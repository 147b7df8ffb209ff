"""Two rows of one case → the fields that changed, with the value on each side."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from agentv_py import jsontext
from agentv_py.case import ABSENT
from agentv_py.comparison.scoring import cut_value, miss_text
from agentv_py.errors import make_printable
from agentv_py.report.differences import write_remark
from agentv_py.report.row_values import Misses, RowValues
from agentv_py.results.row import Row


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
    note: str = ""
    """The note of the side that is wrong; the candidate's where both are."""

    @property
    def remark(self) -> str:
        """The note, then the evaluators if there are several."""
        return write_remark(self.note, self.evaluators)

    def __str__(self) -> str:
        values = ", ".join(f"{word} {value}" for word, value in self.texts())
        return miss_text(f"{self.path}: {values}", self.remark)

    def texts(self) -> list[tuple[str, str]]:
        """Return the expected value and both answers as text; an answer without a value is `right` or `nothing`."""
        expected = [] if self.expected is ABSENT else [("expected", _text(self.expected))]
        was = _text(self.baseline) if self.baseline is not ABSENT else "right" if self.was_right else "nothing"
        now = _text(self.candidate) if self.candidate is not ABSENT else "right" if self.is_right else "nothing"
        return [*expected, ("was", was), ("now", now)]


def _text(value: Any) -> str:
    return make_printable(jsontext.dumps(value).decode())


def list_distinct_changes(before: Row, after: Row) -> list[FieldChange]:
    """List the changes of a case; one that several evaluators have is listed once, with their names."""
    distinct: dict[tuple[Any, ...], FieldChange] = {}
    for change in list_changes(before, after):
        key = (change.path, change.was_right, change.is_right, change.note, *change.texts())
        known = distinct.get(key)
        names = change.evaluators if known is None else known.evaluators + change.evaluators
        distinct[key] = replace(change, evaluators=names)
    return list(distinct.values())


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
    expected = wrong["expected"] if "expected" in wrong else new.expected_at(path)
    return FieldChange(
        (evaluator,),
        path,
        was_right=path not in was,
        is_right=path not in now,
        expected=cut_value(expected),
        baseline=cut_value(old.answer_at(path, evaluator, was)),
        candidate=cut_value(new.answer_at(path, evaluator, now)),
        note=wrong.get("note", ""),
    )
