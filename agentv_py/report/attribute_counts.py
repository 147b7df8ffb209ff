"""The counts of one attribute, document by document → their sums, and how often each combination of them occurs."""

from typing import Any

MOST_KINDS = 5_000
"""Combinations of counts that are kept apart. So many documents tell the spread; later ones are only summed up."""

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
        self.beyond: dict[str, int] = {}
        """The sums of the documents whose counts came after the greatest number of kinds."""
        self.documents_beyond = 0

    def add(self, vector: Vector, times: int) -> None:
        known = self.kinds.get(vector)
        if known is not None:
            self.kinds[vector] = known + times
        elif len(self.kinds) < MOST_KINDS:
            self.kinds[vector] = times
        else:
            self._add_beyond(vector, times)

    def merge(self, other: "AttributeCounts") -> None:
        for vector, times in other.kinds.items():
            self.add(vector, times)
        if other.documents_beyond:
            tp, tn, fp, fn = other.beyond.values()
            self._add_beyond((tp, tn, fp, fn), 1)
            self.documents_beyond += other.documents_beyond - 1

    def sum_up(self) -> dict[str, int]:
        tp = tn = fp = fn = 0
        for (own_tp, own_tn, own_fp, own_fn), times in self.kinds.items():
            tp += own_tp * times
            tn += own_tn * times
            fp += own_fp * times
            fn += own_fn * times
        counts = {"tp": tp, "tn": tn, "fp": fp, "fn": fn}
        return {key: number + self.beyond.get(key, 0) for key, number in counts.items()}

    def _add_beyond(self, vector: Vector, times: int) -> None:
        for key, number in zip(("tp", "tn", "fp", "fn"), vector, strict=True):
            self.beyond[key] = self.beyond.get(key, 0) + number * times
        self.documents_beyond += times
