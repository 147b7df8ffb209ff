"""The results of one evaluator of one suite → its cases, scores, usage, attributes and detections."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agentv_py import jsontext
from agentv_py.comparison.counts import sum_counts
from agentv_py.models.usage import Usage
from agentv_py.report.attribute_counts import AttributeCounts, read_vector

if TYPE_CHECKING:
    from agentv_py.report.agreement import Agreement
    from agentv_py.report.confidence import ConfidenceSummary
    from agentv_py.report.detection import Detections
    from agentv_py.report.error_kinds import ErrorKinds

_MOST_REPEATED = 1_000


def count_misread(details: Mapping[str, Any]) -> int:
    """Count the wrong values that a result lists."""
    mismatches = details["mismatches"]
    if not isinstance(mismatches, list):
        return 0
    return sum(isinstance(each, dict) and each.get("outcome") == "mismatch" for each in mismatches)


def _count_wrong(metrics: Mapping[str, Any]) -> int:
    """Count the values that can be wrong and not invented: each is a false positive and a false negative."""
    counts = (own for own in metrics.values() if isinstance(own, dict))
    pairs = ((own.get("fp"), own.get("fn")) for own in counts)
    return sum(min(fp, fn) for fp, fn in pairs if type(fp) is int and type(fn) is int and min(fp, fn) > 0)


class EvaluatorSummary:
    """The figures of one evaluator of one suite, for one target."""

    def __init__(self, name: str, kind: str, suite: str = "", target: str = "") -> None:
        self.name = name
        self.type = kind
        self.suite = suite
        self.target = target
        self.cases = 0
        self.passed = 0
        self.errors = 0
        self.total = 0.0
        self.usage = Usage()
        self._counts: dict[str, AttributeCounts] = {}
        self._pending_metrics: Mapping[str, Mapping[str, int]] = {}
        """Metrics that are not yet added to the attributes. Perfect cases have equal metrics, which are added once."""
        self._pending_count = 0
        """The number of consecutive cases that have the pending metrics."""
        self._repeated: dict[bytes, int] = {}
        """Metrics that were added once, as JSON, and how many cases had them after that."""
        self.misread = 0
        """Values that are wrong but not invented: each is a false positive and a false negative."""
        self.maybe_misread = 0
        """Values that are either misread or invented: their results list only a part of their mismatches."""
        self.detections: Detections | None = None
        """The detections of all images, where the evaluator is a `detection`."""
        self.confidence: ConfidenceSummary | None = None
        """What is right and wrong at each confidence, where answers have confidences."""
        self.kinds: ErrorKinds | None = None
        """The kinds of error, where any result has a miss."""
        self.agreement: Agreement | None = None
        """How far a judge agrees with people, where expected values hold their verdicts."""

    @property
    def attributes(self) -> dict[str, dict[str, int]]:
        """The sums of each attribute's counts."""
        return {attribute: counts.sum_up() for attribute, counts in self.counts.items()}

    @property
    def counts(self) -> dict[str, AttributeCounts]:
        """The counts of each attribute, document by document."""
        self._flush_pending()
        for text, times in self._repeated.items():
            if times:
                self._add_metrics(jsontext.loads(text), times)
        self._repeated = {}
        return self._counts

    @property
    def mean_score(self) -> float:
        return self.total / self.cases if self.cases else 0.0

    @property
    def pass_rate(self) -> float:
        return self.passed / self.cases if self.cases else 0.0

    @property
    def invented_share(self) -> tuple[float, float] | None:
        """The least and the greatest possible share of the candidates' values that the truth leaves empty.

        None if there is no value.
        """
        total = sum_counts(self.attributes.values())
        given, most = total["tp"] + total["fp"], max(0, total["fp"] - self.misread)
        return (max(0, most - self.maybe_misread) / given, most / given) if given else None

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
            if "mismatches" in details or self.type == "code_judge":
                self._add_misread(details, metrics)
            pending = self._pending_metrics
            if metrics is pending or metrics == pending:  # rows from a file share no objects, but are often equal
                self._pending_count += 1
            elif self._pending_count > 1:  # many cases had the pending metrics, so further cases probably have them too
                self._add_repeated(metrics)
            else:
                self._flush_pending()
                self._pending_metrics, self._pending_count = metrics, 1
        if details and self.type == "detection":
            self._get_detections().add(details.get("coco"))
        if "observations" in result:
            self._get_confidence().add(result["observations"])

    def add_alike(self, result: Mapping[str, Any], times: int) -> None:
        """Count a result that passes without a miss so many times more."""
        self.cases += times
        self.passed += times
        self.total += result["score"] * times
        if isinstance(metrics := (result.get("details") or {}).get("metrics"), dict):
            self._add_metrics(metrics, times)

    def _add_misread(self, details: Mapping[str, Any], metrics: Mapping[str, Any]) -> None:
        if "mismatches" not in details:
            self.misread += _count_wrong(metrics)
            return
        self.misread += count_misread(details)
        if type(omitted := details.get("mismatches_omitted")) is int:
            self.maybe_misread += min(omitted, _count_wrong(metrics))

    def merge(self, other: "EvaluatorSummary") -> None:
        self.cases += other.cases
        self.passed += other.passed
        self.errors += other.errors
        self.total += other.total
        self.misread += other.misread
        self.maybe_misread += other.maybe_misread
        self.usage.add(other.usage)
        for attribute, counts in other.counts.items():
            self._find_counts(attribute).merge(counts)
        if other.detections is not None:
            self._get_detections().merge(other.detections)
        if other.confidence is not None:
            self._get_confidence().merge(other.confidence)
        if other.kinds is not None:
            self._get_kinds().merge(other.kinds)
        if other.agreement is not None:
            self._get_agreement().merge(other.agreement)

    def add_errors(self, result: Mapping[str, Any], row: Mapping[str, Any]) -> None:
        """Add what kinds of error a result has, which is one of this row."""
        self._get_kinds().add(result, row)

    def add_person(self, result: Mapping[str, Any], expected: Any) -> None:
        """Add the verdict of a judge beside that of a person, if the expected value holds one."""
        from agentv_py.report.agreement import read_person  # most runs have no judge

        if (person_passes := read_person(expected)) is not None:
            self._get_agreement().add(result, person_passes=person_passes)

    def _get_agreement(self) -> "Agreement":
        if self.agreement is None:
            from agentv_py.report.agreement import Agreement

            self.agreement = Agreement()
        return self.agreement

    def _get_kinds(self) -> "ErrorKinds":
        if self.kinds is None:
            from agentv_py.report.error_kinds import ErrorKinds  # many runs have no error

            self.kinds = ErrorKinds()
        return self.kinds

    def _get_detections(self) -> "Detections":
        if self.detections is None:
            from agentv_py.report.detection import Detections  # most runs detect no objects

            self.detections = Detections()
        return self.detections

    def _get_confidence(self) -> "ConfidenceSummary":
        if self.confidence is None:
            from agentv_py.report.confidence import ConfidenceSummary  # most answers have no confidences

            self.confidence = ConfidenceSummary()
        return self.confidence

    def _flush_pending(self) -> None:
        self._add_metrics(self._pending_metrics, self._pending_count)
        self._pending_metrics, self._pending_count = {}, 0

    def _add_repeated(self, metrics: Mapping[str, Mapping[str, int]]) -> None:
        """Add metrics in full the first time, which gives their kinds an order, and then only count them."""
        text = jsontext.dumps(metrics)
        if (times := self._repeated.get(text)) is not None:
            self._repeated[text] = times + 1
            return
        self._add_metrics(metrics, 1)
        if len(self._repeated) < _MOST_REPEATED:
            self._repeated[text] = 0

    def _add_metrics(self, metrics: Mapping[str, Mapping[str, int]], times: int) -> None:
        for attribute, counts in metrics.items():
            if (vector := read_vector(counts)) is not None:
                self._find_counts(attribute).add(vector, times)

    def _find_counts(self, attribute: str) -> AttributeCounts:
        counts = self._counts.get(attribute)
        if counts is None:
            counts = self._counts[attribute] = AttributeCounts()
        return counts
