"""Rows → the columns by which the page searches, filters and sorts cases."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from agentv_py.report.error_kinds import list_error_words
from agentv_py.results.row import Row

BINS = 20

CODES = {"pass": "p", "partial": "a", "fail": "f", "error": "e"}
"""Verdicts as the index writes them, in the order in which a reader is offered them."""
_LONGEST_NOTE = 120

NameEvaluator = Callable[[Row, str], str]
"""Names an evaluator of a row, so that it differs from other evaluators of the same name."""


class PageCase(NamedTuple):
    """A case: its row and its score on each side, None where a side has none, and how it changed."""

    rows: Sequence[Row | None]
    scores: Sequence[float | None]
    change: str = ""


@dataclass(slots=True)
class SideColumns:
    """The columns of one side: a summary has one side, a diff has the baseline and the candidate."""

    verdict: list[str] = field(default_factory=list)
    score: list[float | None] = field(default_factory=list)
    results: list[list[Any]] = field(default_factory=list)
    """By case: evaluator, verdict and score of each result, in one flat list."""
    wrong: list[list[int]] = field(default_factory=list)
    """By case: the attributes that are wrong."""
    note: list[str] = field(default_factory=list)
    """By case: its first miss, where no attribute is wrong."""


class Index:
    def __init__(self, sides: int, name_evaluator: NameEvaluator) -> None:
        self._name_evaluator = name_evaluator
        self.sides = [SideColumns() for _ in range(sides)]
        self.ids: list[str] = []
        self.histograms: dict[str, list[int]] = {}
        """By target: the number of answers in each bin of scores. Two targets are never added up."""
        self.started = ""
        self._suite: list[int] = []
        self._target: list[int] = []
        self._tag: list[list[int]] = []
        self._change: list[str] = []
        self._kind: list[list[int]] = []
        self._suites, self._targets, self._tags = (_Numbering() for _ in range(3))
        self._evaluators, self._attributes, self._kinds = (_Numbering() for _ in range(3))

    def count(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Count all rows in the histograms, also those that the page does not hold, and yield them unchanged."""
        for row in rows:
            self.started = self.started or str(row.get("timestamp", ""))
            bins = self.histograms.setdefault(str(row.get("target", "")), [0] * BINS)
            if row["status"] == "ok":
                bins[min(BINS - 1, int(row["score"] * BINS))] += 1
            yield row

    def add(self, case: PageCase) -> None:
        row = next(row for row in reversed(case.rows) if row is not None)
        tags = row.get("tags")
        self.ids.append(row["case_id"])
        self._target.append(self._targets(str(row.get("target", ""))))
        self._suite.append(self._suites(row["suite"]))
        self._tag.append([self._tags(tag) for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else [])
        self._change.append(case.change)
        self._kind.append([self._kinds(word) for word in list_error_words(row)])
        for columns, side_row, score in zip(self.sides, case.rows, case.scores, strict=True):
            self._add_row(columns, side_row, score)

    def as_json(self) -> dict[str, Any]:
        return {
            "ids": self.ids,
            "suite": self._suite,
            "target": self._target,
            "tag": self._tag,
            "change": self._change,
            "kind": self._kind,
            "sides": [{column.name: getattr(side, column.name) for column in fields(side)} for side in self.sides],
            "suites": list(self._suites),
            "targets": list(self._targets),
            "tags": list(self._tags),
            "kinds": list(self._kinds),
            "evaluators": list(self._evaluators),
            "attributes": list(self._attributes),
            "histograms": self.histograms,
            "started": self.started,
        }

    def _add_row(self, columns: SideColumns, row: Row | None, score: float | None) -> None:
        results = row["evaluator_results"] if row is not None else []
        names = [] if row is None else [self._name_evaluator(row, result["name"]) for result in results]
        wrong = [
            self._attributes((name, attribute))
            for name, result in zip(names, results, strict=True)
            for attribute in _list_wrong(result)
        ]
        misses = [miss for result in results for miss in result["misses"] if isinstance(miss, str)]
        columns.verdict.append("-" if row is None else _choose_code(row, is_error=row["status"] == "error"))
        columns.score.append(None if score is None else round(score, 6))
        columns.results.append(
            [value for name, result in zip(names, results, strict=True) for value in self._convert_result(name, result)]
        )
        columns.wrong.append(wrong)
        columns.note.append(misses[0][:_LONGEST_NOTE] if misses and not wrong else "")

    def _convert_result(self, name: str, result: Mapping[str, Any]) -> tuple[int, str, float]:
        code = _choose_code(result, is_error="error" in result)
        return self._evaluators(name), code, round(result["score"], 6)


class _Numbering(dict[Any, int]):
    """Names, each with the number by which the columns refer to it."""

    def __call__(self, name: Any) -> int:
        return self.setdefault(name, len(self))


def _choose_code(row: Mapping[str, Any], *, is_error: bool) -> str:
    return CODES["error" if is_error else row["verdict"]]


def _list_wrong(result: Mapping[str, Any]) -> Iterator[str]:
    """List the attributes that have an error; a judge may write anything under this name."""
    metrics = (result.get("details") or {}).get("metrics")
    for attribute, counts in metrics.items() if isinstance(metrics, dict) else ():
        if isinstance(counts, dict) and any(type(counts.get(key)) is int and counts[key] > 0 for key in ("fp", "fn")):
            yield attribute
