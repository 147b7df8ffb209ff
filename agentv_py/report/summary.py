"""Results → what they add up to: one fold, a row at a time, in flat memory."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agentv_py.models.usage import Usage
from agentv_py.report import statistics
from agentv_py.report.repeats import Spread
from agentv_py.report.statistics import Estimate
from agentv_py.results.row import Row

if TYPE_CHECKING:
    from agentv_py.report.detection import Detections

MOST_SHOWN = 5

_MOST = 2**53
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
    _last: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    _times: int = 0
    """How often the last metrics came in a row; perfect cases share theirs, so they are counted once."""
    detections: "Detections | None" = None
    """What was found in all images, where the evaluator looks for that."""

    @property
    def attributes(self) -> dict[str, dict[str, int]]:
        self._settle()
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
            self.usage.add(Usage.of_row(result["usage"]))
        details = result.get("details")
        if details and isinstance(metrics := details.get("metrics"), dict):
            if metrics is self._last or metrics == self._last:  # rows that were read share nothing, but are often equal
                self._times += 1
            elif self._times > 1:  # the last one is shared by many cases, so it will come again
                self._count(metrics, 1)
            else:
                self._settle()
                self._last, self._times = metrics, 1
        if details and self.type == "detection":
            self._detect().add(details.get("coco"))

    def take_back(self, result: Mapping[str, Any]) -> None:
        """Uncount the attributes of a result that was added."""
        if isinstance(metrics := (result.get("details") or {}).get("metrics"), dict):
            self._count(metrics, -1)

    def merge(self, other: "EvaluatorSummary") -> None:
        self.cases += other.cases
        self.passed += other.passed
        self.errors += other.errors
        self.total += other.total
        self.usage.add(other.usage)
        self._count(other.attributes, 1)
        if other.detections is not None:
            self._detect().merge(other.detections)

    def _detect(self) -> "Detections":
        from agentv_py.report.detection import Detections  # most runs look for no objects

        if self.detections is None:
            self.detections = Detections()
        return self.detections

    def _settle(self) -> None:
        self._count(self._last, self._times)
        self._last, self._times = {}, 0

    def _count(self, metrics: Mapping[str, Mapping[str, int]], times: int) -> None:
        for attribute, counts in metrics.items():
            try:
                tp, tn, fp, fn = counts["tp"], counts["tn"], counts["fp"], counts["fn"]
            except (TypeError, KeyError, IndexError):  # a judge may say anything under this name
                continue
            numbers = (tp, tn, fp, fn)
            if not (type(tp) is type(tn) is type(fp) is type(fn) is int) or min(numbers) < 0 or max(numbers) > _MOST:
                continue
            found = self._attributes.get(attribute)
            if found is None:
                found = self._attributes[attribute] = dict(_ZERO)
            found["tp"] += tp * times
            found["tn"] += tn * times
            found["fp"] += fp * times
            found["fn"] += fn * times


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
    """Whether every attribute is wanted, and not the weakest only."""
    shown: list[Mapping[str, Any]] = field(default_factory=list)
    """The first rows that did not pass, errored ones among them."""
    rows: Callable[[], Iterator[Row]] = _no_rows
    """Every row once more, read from the results: for the formats that show cases."""

    repeats: Spread = field(default_factory=Spread)
    """Of the cases that have several answers."""

    @property
    def pass_rate(self) -> Estimate:
        return statistics.wilson(self.passed, self.cases)

    @property
    def mean_score(self) -> Estimate:
        return statistics.mean(self.total, self.squares, self.cases)

    @property
    def usage(self) -> Usage:
        """What the models took that were asked."""
        whole = Usage()
        for evaluator in self.evaluators.values():
            whole.add(evaluator.usage)
        return whole

    def add(self, row: Mapping[str, Any], only: str | None = None) -> None:
        """Count a row; `only`: of its evaluators this one alone."""
        self.cases += 1
        if row["suite"] not in self.suites:
            self.suites.append(row["suite"])
        verdict = row["verdict"]
        if row["status"] == "error":
            self.errors += 1
        else:
            self._judge(verdict, row["score"])
        if "repeats" in row:
            self.repeats.add(row)
        if verdict != "pass" and len(self.shown) < MOST_SHOWN:
            self.shown.append(row)
        for result in row["evaluator_results"]:
            name = result["name"]
            if only is not None and name != only:
                continue
            evaluator = self.evaluators.get(name)
            if evaluator is None:
                evaluator = self.evaluators[name] = EvaluatorSummary(name, result["type"])
            evaluator.add(result)

    def merge(self, other: "Summary") -> None:
        self.suites.extend(suite for suite in other.suites if suite not in self.suites)
        for count in ("cases", "passed", "partial", "failed", "errors", "total", "squares"):
            setattr(self, count, getattr(self, count) + getattr(other, count))
        self.repeats.merge(other.repeats)
        self.shown.extend(other.shown[: MOST_SHOWN - len(self.shown)])
        for name, evaluator in other.evaluators.items():
            self.evaluators.setdefault(name, EvaluatorSummary(name, evaluator.type)).merge(evaluator)

    def _judge(self, verdict: str, score: float) -> None:
        self.total += score
        self.squares += score * score
        if verdict == "pass":
            self.passed += 1
        elif verdict == "partial":
            self.partial += 1
        else:
            self.failed += 1
