"""Two rows of one case → the fields that changed, with what each side answered."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agentv_py import jsontext
from agentv_py.case import ABSENT
from agentv_py.comparison.scoring import cut
from agentv_py.errors import printable
from agentv_py.report.row_values import Misses, Side
from agentv_py.results.row import Row


@dataclass(frozen=True, slots=True)
class Change:
    """One field that was right and is wrong, or the other way round, or wrong in another way."""

    evaluator: str
    path: str
    was_right: bool
    is_right: bool
    expected: Any = ABSENT
    baseline: Any = ABSENT
    candidate: Any = ABSENT
    note: str = ""
    """Of the side that is wrong; the candidate's where both are."""

    def __str__(self) -> str:
        sides = ", ".join(f"{word} {value}" for word, value in self.texts())
        return f"{self.path}: {sides}" + (f" ({self.note})" if self.note else "")

    def texts(self) -> list[tuple[str, str]]:
        """What was expected, was answered, and is answered now, each as text; a side without data says how it was."""
        expected = [] if self.expected is ABSENT else [("expected", _text(self.expected))]
        was = _text(self.baseline) if self.baseline is not ABSENT else "right" if self.was_right else "nothing"
        now = _text(self.candidate) if self.candidate is not ABSENT else "right" if self.is_right else "nothing"
        return [*expected, ("was", was), ("now", now)]


def _text(value: Any) -> str:
    return printable(jsontext.dumps(value).decode())


def changes(before: Row, after: Row) -> Iterator[Change]:
    old, new = Side(before), Side(after)
    for name in dict.fromkeys([*new.results, *old.results]):
        was, now = old.misses(name), new.misses(name)
        for path in dict.fromkeys([*now, *was]):
            if path in was and path in now and was[path].get("actual", ABSENT) == now[path].get("actual", ABSENT):
                continue
            if name in old.results and name in new.results:
                yield _change(name, path, (old, was), (new, now))


def _change(name: str, path: str, before: tuple[Side, Misses], after: tuple[Side, Misses]) -> Change:
    (old, was), (new, now) = before, after
    wrong = now.get(path) or was.get(path) or {}
    expected = wrong["expected"] if "expected" in wrong else new.expected(path)
    answers = cut(old.answer(name, path)), cut(new.answer(name, path))
    return Change(name, path, path not in was, path not in now, cut(expected), *answers, wrong.get("note", ""))
