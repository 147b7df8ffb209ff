"""The counts of one attribute, document by document → their sums, and the sums that intervals need."""

from typing import Any

from agentv_py.report.statistics import RatioSums

MOST_KINDS = 5_000
"""Combinations of counts that are kept apart. Documents with further ones are summed up at once."""

Vector = tuple[int, int, int, int]
"""The tp, tn, fp and fn of one document."""


_MOST_COUNT = 2**53


def read_vector(counts: Any) -> Vector | None:
    """Read the counts of a document; None if they are not counts, because a judge may write anything."""
    try:
        tp, tn, fp, fn = vector = counts["tp"], counts["tn"], counts["fp"], counts["fn"]
    except (TypeError, KeyError, IndexError):
        return None
    if not (type(tp) is type(tn) is type(fp) is type(fn) is int) or min(vector) < 0 or max(vector) > _MOST_COUNT:
        return None
    return vector


class AttributeCounts:
    def __init__(self) -> None:
        self.kinds: dict[Vector, int] = {}
        """The counts of a document, with the number of documents that have them."""
        self.beyond: QualitySums | None = None
        """The sums of the documents whose counts came after the greatest number of kinds."""

    def add(self, vector: Vector, times: int) -> None:
        known = self.kinds.get(vector)
        if known is not None:
            self.kinds[vector] = known + times
        elif len(self.kinds) < MOST_KINDS:
            self.kinds[vector] = times
        else:
            self._find_beyond().add(vector, times)

    def merge(self, other: "AttributeCounts") -> None:
        for vector, times in other.kinds.items():
            self.add(vector, times)
        if other.beyond is not None:
            self._find_beyond().merge(other.beyond)

    def sum_up(self) -> dict[str, int]:
        tp, tn, fp, fn = (0, 0, 0, 0) if self.beyond is None else self.beyond.counts
        for (own_tp, own_tn, own_fp, own_fn), times in self.kinds.items():
            tp += own_tp * times
            tn += own_tn * times
            fp += own_fp * times
            fn += own_fn * times
        return {"tp": tp, "tn": tn, "fp": fp, "fn": fn}

    def sum_ratios(self) -> "QualitySums":
        """Return the sums over documents from which the intervals of precision, recall and F1 follow."""
        sums = QualitySums()
        if self.beyond is not None:
            sums.merge(self.beyond)
        for vector, times in self.kinds.items():
            sums.add(vector, times)
        return sums

    def _find_beyond(self) -> "QualitySums":
        if self.beyond is None:
            self.beyond = QualitySums()
        return self.beyond


class QualitySums:
    """The sums of documents, whole numbers all: so their order does not matter."""

    def __init__(self) -> None:
        self.counts: Vector = 0, 0, 0, 0
        self.precision, self.recall, self.f1 = RatioSums(), RatioSums(), RatioSums()

    def add(self, vector: Vector, times: int) -> None:
        tp, tn, fp, fn = vector
        self.counts = _add_vectors(self.counts, (tp * times, tn * times, fp * times, fn * times))
        self.precision.add(tp, tp + fp, times)
        self.recall.add(tp, tp + fn, times)
        self.f1.add(2 * tp, 2 * tp + fp + fn, times)

    def merge(self, other: "QualitySums") -> None:
        self.counts = _add_vectors(self.counts, other.counts)
        self.precision.merge(other.precision)
        self.recall.merge(other.recall)
        self.f1.merge(other.f1)


def _add_vectors(one: Vector, other: Vector) -> Vector:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3]
