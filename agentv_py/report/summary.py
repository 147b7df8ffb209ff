"""Rows of results → totals, pass rate, mean score and counts; one row at a time, in flat memory."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agentv_py.models.usage import Usage
from agentv_py.report import statistics
from agentv_py.report.repeats import RepeatSummary
from agentv_py.report.statistics import Estimate
from agentv_py.results.row import Row

if TYPE_CHECKING:
    from agentv_py.report.detection import Detections

MOST_FAILING_ROWS = 5

_MOST_COUNT = 2**53
_ZERO = {"tp": 0, "tn": 0, "fp": 0, "fn": 0}


@dataclass(slots=True)
class EvaluatorSummary:
    name: str
    type: str
    cases: int = 0
    passed: int = 0
    errors: int = 0
    total: float = 0.0
    usage: Usage = field(default_factory=Usage)
    _attributes: dict[str, dict[str, int]] = field(default_factory=dict)
    _pending_metrics: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Metrics that are not yet added to the attributes. Perfect cases have equal metrics, so these are added once."""
    _pending_count: int = 0
    """The number of consecutive cases that have the pending metrics."""
    detections: "Detections | None" = None
    """The detections of all images, where the evaluator is a `detection`."""

    @property
    def attributes(self) -> dict[str, dict[str, int]]:
        self._flush_pending()
        return self._attributes

    @property
    def mean_score(self) -> float:
        return self.total / self.cases if self.cases else 0.0

    @property
    def pass_rate(self) -> float:
        return self.passed / self.cases if self.cases else 0.0

    def add(self, result: Mapping[str, Any]) -> None:
        self.cases += 1
        if "error" in result:
            self.errors += 1
        else:
            self.total += result["score"]
            self.passed += result["verdict"] == "pass"
        if "usage" in result:
            self.usage.add(Usage.from_row(result["usage"]))
        details = result.get("details")
        if details and isinstance(metrics := details.get("metrics"), dict):
            pending = self._pending_metrics
            if metrics is pending or metrics == pending:  # rows from a file share no objects, but are often equal
                self._pending_count += 1
            elif self._pending_count > 1:  # many cases had the pending metrics, so further cases probably have them too
                self._add_metrics(metrics, 1)
            else:
                self._flush_pending()
                self._pending_metrics, self._pending_count = metrics, 1
        if details and self.type == "detection":
            self._get_detections().add(details.get("coco"))

    def subtract_attributes(self, result: Mapping[str, Any]) -> None:
        """Subtract the attributes of a result that was added."""
        if isinstance(metrics := (result.get("details") or {}).get("metrics"), dict):
            self._add_metrics(metrics, -1)

    def merge(self, other: "EvaluatorSummary") -> None:
        self.cases += other.cases
        self.passed += other.passed
        self.errors += other.errors
        self.total += other.total
        self.usage.add(other.usage)
        self._add_metrics(other.attributes, 1)
        if other.detections is not None:
            self._get_detections().merge(other.detections)

    def _get_detections(self) -> "Detections":
        from agentv_py.report.detection import Detections  # most runs detect no objects

        if self.detections is None:
            self.detections = Detections()
        return self.detections

    def _flush_pending(self) -> None:
        self._add_metrics(self._pending_metrics, self._pending_count)
        self._pending_metrics, self._pending_count = {}, 0

    def _add_metrics(self, metrics: Mapping[str, Mapping[str, int]], times: int) -> None:
        for attribute, counts in metrics.items():
            try:
                tp, tn, fp, fn = counts["tp"], counts["tn"], counts["fp"], counts["fn"]
            except (TypeError, KeyError, IndexError):  # a judge may write anything under this name
                continue
            numbers = (tp, tn, fp, fn)
            if (
                not (type(tp) is type(tn) is type(fp) is type(fn) is int)
                or min(numbers) < 0
                or max(numbers) > _MOST_COUNT
            ):
                continue
            totals = self._attributes.get(attribute)
            if totals is None:
                totals = self._attributes[attribute] = dict(_ZERO)
            totals["tp"] += tp * times
            totals["tn"] += tn * times
            totals["fp"] += fp * times
            totals["fn"] += fn * times


def _no_rows() -> Iterator[Row]:
    return iter(())


@dataclass(slots=True)
class Summary:
    suites: list[str] = field(default_factory=list)
    cases: int = 0
    passed: int = 0
    partial: int = 0
    failed: int = 0
    errors: int = 0
    total: float = 0.0
    squares: float = 0.0
    evaluators: dict[str, EvaluatorSummary] = field(default_factory=dict)
    full: bool = False
    """Whether the report shows every attribute instead of the weakest ones."""
    failing_rows: list[Mapping[str, Any]] = field(default_factory=list)
    """The first rows that did not pass, including errored ones."""
    rows: Callable[[], Iterator[Row]] = _no_rows
    """Reads every row again from the results, for the formats that show cases."""

    repeats: RepeatSummary = field(default_factory=RepeatSummary)
    """The figures of the cases that have several answers."""

    parsed: dict[str, int] = field(default_factory=dict)
    """The number of cases whose JSON is not the whole answer: by `fenced` (in a fenced block) and `found`."""

    @property
    def pass_rate(self) -> Estimate:
        return statistics.estimate_share(self.passed, self.cases)

    @property
    def mean_score(self) -> Estimate:
        return statistics.estimate_mean(self.total, self.squares, self.cases)

    @property
    def usage(self) -> Usage:
        """The calls, tokens and cost of all models."""
        total = Usage()
        for evaluator in self.evaluators.values():
            total.add(evaluator.usage)
        return total

    def add(self, row: Mapping[str, Any], only: str | None = None) -> None:
        """Count a row. With `only`, count the results of this evaluator alone."""
        self.cases += 1
        if row["suite"] not in self.suites:
            self.suites.append(row["suite"])
        verdict = row["verdict"]
        if row["status"] == "error":
            self.errors += 1
        else:
            self._count_score(verdict, row["score"])
        if "repeats" in row:
            self.repeats.add(row)
        if verdict != "pass" and len(self.failing_rows) < MOST_FAILING_ROWS:
            self.failing_rows.append(row)
        parsed = None
        for result in row["evaluator_results"]:
            name = result["name"]
            if only is not None and name != only:
                continue
            if "details" in result:
                parsed = parsed or result["details"].get("parsed")
            evaluator = self.evaluators.get(name)
            if evaluator is None:
                evaluator = self.evaluators[name] = EvaluatorSummary(name, result["type"])
            evaluator.add(result)
        if parsed == "fenced" or parsed == "found":  # noqa: PLR1714  a judge may write anything here, also a list
            self.parsed[parsed] = self.parsed.get(parsed, 0) + 1

    def merge(self, other: "Summary") -> None:
        self.suites.extend(suite for suite in other.suites if suite not in self.suites)
        for count in ("cases", "passed", "partial", "failed", "errors", "total", "squares"):
            setattr(self, count, getattr(self, count) + getattr(other, count))
        self.repeats.merge(other.repeats)
        for place, cases in other.parsed.items():
            self.parsed[place] = self.parsed.get(place, 0) + cases
        self.failing_rows.extend(other.failing_rows[: MOST_FAILING_ROWS - len(self.failing_rows)])
        for name, evaluator in other.evaluators.items():
            self.evaluators.setdefault(name, EvaluatorSummary(name, evaluator.type)).merge(evaluator)

    def _count_score(self, verdict: str, score: float) -> None:
        self.total += score
        self.squares += score * score
        if verdict == "pass":
            self.passed += 1
        elif verdict == "partial":
            self.partial += 1
        else:
            self.failed += 1
