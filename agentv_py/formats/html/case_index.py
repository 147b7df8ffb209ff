"""Rows → the columns that cases are searched, filtered and sorted by."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from agentv_py.results.row import Row

BINS = 20

CODES = {"pass": "p", "partial": "a", "fail": "f", "error": "e"}
"""Verdicts as the index writes them, in the order in which a reader is offered them."""
_LONGEST_NOTE = 120


class Entry(NamedTuple):
    """A case: its row and its score on each side, None where a side has none, and what became of it."""

    rows: Sequence[Row | None]
    scores: Sequence[float | None]
    change: str = ""


@dataclass(slots=True)
class Side:
    """One column of rows: of a summary the only one, of a diff the baseline's or the candidate's."""

    verdict: list[str] = field(default_factory=list)
    score: list[float | None] = field(default_factory=list)
    results: list[list[Any]] = field(default_factory=list)
    """By case: evaluator, verdict and score of each result, one after the other."""
    wrong: list[list[int]] = field(default_factory=list)
    """By case: the attributes that are wrong."""
    note: list[str] = field(default_factory=list)
    """By case: its first miss, where no attribute tells what is wrong."""


class Index:
    def __init__(self, sides: int) -> None:
        self.sides = [Side() for _ in range(sides)]
        self.ids: list[str] = []
        self.histogram = [0] * BINS
        self.started = ""
        self._suite: list[int] = []
        self._tag: list[list[int]] = []
        self._change: list[str] = []
        self._suites, self._tags, self._evaluators, self._attributes = (_Numbered() for _ in range(4))

    def counted(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The same rows, kept later or not; where their scores fall, and when the first was written, is noted."""
        for row in rows:
            self.started = self.started or str(row.get("timestamp", ""))
            if row["status"] == "ok":
                self.histogram[min(BINS - 1, int(row["score"] * BINS))] += 1
            yield row

    def add(self, entry: Entry) -> None:
        row = next(one for one in reversed(entry.rows) if one is not None)
        tags = row.get("tags")
        self.ids.append(row["case_id"])
        self._suite.append(self._suites(row["suite"]))
        self._tag.append([self._tags(tag) for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else [])
        self._change.append(entry.change)
        for side, one, score in zip(self.sides, entry.rows, entry.scores, strict=True):
            self._see(side, one, score)

    def as_json(self) -> dict[str, Any]:
        return {
            "ids": self.ids,
            "suite": self._suite,
            "tag": self._tag,
            "change": self._change,
            "sides": [{one.name: getattr(side, one.name) for one in fields(side)} for side in self.sides],
            "suites": list(self._suites),
            "tags": list(self._tags),
            "evaluators": list(self._evaluators),
            "attributes": list(self._attributes),
            "histogram": self.histogram,
            "started": self.started,
        }

    def _see(self, side: Side, row: Row | None, score: float | None) -> None:
        results = row["evaluator_results"] if row is not None else []
        wrong = [self._attributes((result["name"], name)) for result in results for name in _wrong(result)]
        misses = [miss for result in results for miss in result["misses"] if isinstance(miss, str)]
        side.verdict.append("-" if row is None else _code(row, failed=row["status"] == "error"))
        side.score.append(None if score is None else round(score, 6))
        side.results.append([value for result in results for value in self._result(result)])
        side.wrong.append(wrong)
        side.note.append(misses[0][:_LONGEST_NOTE] if misses and not wrong else "")

    def _result(self, result: Mapping[str, Any]) -> tuple[int, str, float]:
        code = _code(result, failed="error" in result)
        return self._evaluators(result["name"]), code, round(result["score"], 6)


class _Numbered(dict[Any, int]):
    """Names, each with the number under which it is mentioned."""

    def __call__(self, name: Any) -> int:
        return self.setdefault(name, len(self))


def _code(row: Mapping[str, Any], *, failed: bool) -> str:
    return CODES["error" if failed else row["verdict"]]


def _wrong(result: Mapping[str, Any]) -> Iterator[str]:
    """The attributes with an error; a judge may say anything under this name."""
    metrics = (result.get("details") or {}).get("metrics")
    for attribute, counts in metrics.items() if isinstance(metrics, dict) else ():
        if isinstance(counts, dict) and any(type(counts.get(key)) is int and counts[key] > 0 for key in ("fp", "fn")):
            yield attribute
