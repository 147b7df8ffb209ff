"""A summary → what to look at first: the weakest attributes, and the differences of a case."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from agentv_py import jsontext
from agentv_py.comparison.counts import Quality, quality
from agentv_py.comparison.mismatch import cut_value, miss_text
from agentv_py.errors import make_printable
from agentv_py.report.misses import UNREADABLE, Mismatch, read_misses
from agentv_py.report.summary import Summary, join_names

MOST_DIFFERENCES = 4


class WeakAttribute(NamedTuple):
    evaluator: str
    name: str
    counts: dict[str, int]
    quality: Quality


class Difference(NamedTuple):
    """One miss of a case: its path, the values as text, and the note."""

    where: str
    """The path, or the evaluator's own words."""
    note: str = ""
    expected: str | None = None
    actual: str | None = None
    evaluators: tuple[str, ...] = ()
    """The evaluators that have this miss, if there are several."""

    @property
    def remark(self) -> str:
        """The note, then the evaluators."""
        return write_remark(self.note, self.evaluators)

    def __str__(self) -> str:
        both = (("expected", self.expected), ("got", self.actual))
        values = ", ".join(f"{word} {value}" for word, value in both if value is not None)
        return miss_text(self.where + (f": {values}" if values else ""), self.remark)


def find_weakest_attributes(summary: Summary, most: int) -> list[WeakAttribute]:
    """Find the attributes that have errors; the one with the lowest F1 comes first."""
    wrong = [
        WeakAttribute(summary.name_evaluator(evaluator), name, counts, quality(counts))
        for evaluator in summary.evaluators
        for name, counts in evaluator.attributes.items()
        if counts["fp"] or counts["fn"]
    ]
    return sorted(wrong, key=_measure_strength)[:most]


def _measure_strength(attribute: WeakAttribute) -> tuple[float, int]:
    return attribute.quality.f1 or 0.0, -attribute.counts["fn"] - attribute.counts["fp"]


def list_differences(row: Mapping[str, Any]) -> Iterator[Difference]:
    """List every miss of a row: with both values where an evaluator stored them, else in its own words.

    A miss that several evaluators have is listed once, with their names.
    """
    evaluators: dict[Difference, dict[str, None]] = {}
    for name, difference in _list_misses(row):
        evaluators.setdefault(difference, {})[name] = None
    for difference, names in evaluators.items():
        yield difference._replace(evaluators=tuple(names)) if len(names) > 1 else difference


def write_remark(note: str, evaluators: Sequence[str]) -> str:
    """Write a note, then the evaluators that share a miss."""
    names = [f"by {' and '.join(evaluators)}"] if len(evaluators) > 1 else []
    return ", ".join([*([note] if note else []), *names])


def _list_misses(row: Mapping[str, Any]) -> Iterator[tuple[str, Difference]]:
    """List every miss after the name of its evaluator; of a row without evaluators, its error."""
    if "error" in row and not row["evaluator_results"]:
        yield "", Difference(read_error(row).message)
    for result in row["evaluator_results"]:
        if "error" in result:
            yield result["name"], Difference(f"{result['name']}: {read_error(result).message}")
            continue
        for miss in read_misses(result):
            mismatch = miss.mismatch
            if mismatch is UNREADABLE and isinstance(row.get("candidate"), str):
                mismatch = {"actual": cut_value(row["candidate"])}
            texts = _text(mismatch, "expected"), _text(mismatch, "actual")
            yield result["name"], Difference(miss.path, miss.note, *texts)


def name_row(row: Mapping[str, Any]) -> str:
    """Name a row by its case, then by the target that answered it."""
    return join_target(row["case_id"], str(row.get("target", "")))


def name_case(report: Summary, row: Mapping[str, Any]) -> str:
    """Name a row as `name_row` does, after its suite if the report has several."""
    return join_names(row["suite"] if len(report.by_suite) > 1 else "", name_row(row))


def join_target(case_id: str, target: str) -> str:
    return f"{case_id} · {target}" if target else case_id


class RowError(NamedTuple):
    kind: str
    message: str


def read_error(value: Mapping[str, Any]) -> RowError:
    """Read the error of a row or of a result; other tools write it in other shapes."""
    error: Any = value.get("error")
    if not isinstance(error, dict):
        return RowError("error", "" if error is None else str(error))
    return RowError(str(error.get("kind", "error")), str(error.get("message", "")))


def _text(mismatch: Mismatch, side: str) -> str | None:
    return make_printable(jsontext.dumps(mismatch[side]).decode()) if side in mismatch else None
