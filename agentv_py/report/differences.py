"""A summary → what to look at first: the weakest attributes, and what differed in a case."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from agentv_py import jsontext
from agentv_py.comparison.counts import Quality, quality
from agentv_py.comparison.scoring import cut
from agentv_py.errors import printable
from agentv_py.report.summary import Summary
from agentv_py.score import NOT_JSON

MOST_DIFFERENCES = 4


@dataclass(frozen=True, slots=True)
class Attribute:
    evaluator: str
    name: str
    counts: dict[str, int]
    quality: Quality


@dataclass(frozen=True, slots=True)
class Difference:
    """One miss of a case: where, why, and the values behind it as text."""

    where: str
    note: str = ""
    expected: str | None = None
    actual: str | None = None

    def __str__(self) -> str:
        both = (("expected", self.expected), ("got", self.actual))
        sides = ", ".join(f"{word} {value}" for word, value in both if value is not None)
        return self.where + (f": {sides}" if sides else "") + (f" ({self.note})" if self.note else "")


def weakest(summary: Summary, most: int) -> list[Attribute]:
    """Attributes with errors, lowest F1 first."""
    wrong = [
        Attribute(evaluator.name, name, counts, quality(counts))
        for evaluator in summary.evaluators.values()
        for name, counts in evaluator.attributes.items()
        if counts["fp"] or counts["fn"]
    ]
    return sorted(wrong, key=lambda one: (one.quality.f1 or 0.0, -one.counts["fn"] - one.counts["fp"]))[:most]


def differences(row: Mapping[str, Any]) -> Iterator[Difference]:
    """Every miss of a row: with both values where an evaluator noted them, else in its own words."""
    for result in row["evaluator_results"]:
        if "error" in result:
            yield Difference(f"{result['name']}: {error_of(result).message}")
            continue
        for miss, (_, found) in zip(result["misses"], noted(result), strict=True):
            if not found:
                yield _in_its_own_words(str(miss), row)
            else:
                sides = (_text(found, "expected"), _text(found, "actual"))
                yield Difference(found["path"], found.get("note", ""), *sides)


def _in_its_own_words(miss: str, row: Mapping[str, Any]) -> Difference:
    """A miss without values; of an answer that could not be read at all, with that answer."""
    if miss == NOT_JSON and isinstance(row.get("candidate"), str):
        where, _, note = miss.removesuffix(")").partition(" (")
        return Difference(where, note, actual=_text({"actual": cut(row["candidate"])}, "actual"))
    return Difference(miss)


class Error(NamedTuple):
    kind: str
    message: str


def error_of(value: Mapping[str, Any]) -> Error:
    """What a row or a result says of its error, in whatever shape it says it."""
    error = value.get("error")
    if not isinstance(error, dict):
        return Error("error", "" if error is None else str(error))
    return Error(str(error.get("kind", "error")), str(error.get("message", "")))


def noted(result: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The path of every miss, with what the evaluator noted of it."""
    known = {one["path"]: one for one in _mismatches(result)}
    for miss in map(str, result["misses"]):
        bare = miss.rpartition(" (")[0]
        found = known.get(miss) or known.get(bare) or {}
        yield found.get("path") or bare or miss, found


def _mismatches(result: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Those of our own shape; a judge may say anything under this name."""
    found = (result.get("details") or {}).get("mismatches")
    rows = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    return [one for one in rows if isinstance(one.get("path"), str) and isinstance(one.get("note", ""), str)]


def _text(found: Mapping[str, Any], side: str) -> str | None:
    return printable(jsontext.dumps(found[side]).decode()) if side in found else None
