"""A diff → its cases: both rows of each, their scores, and what became of it."""

from collections.abc import Iterator

from agentv_py.formats.html.case_index import Entry
from agentv_py.formats.html.sample import Excerpt
from agentv_py.report.diff.columns import PASS, Ledger
from agentv_py.report.diff.model import Diff

Place = tuple[int | None, int | None]
"""The numbers of a case's first rows, None where a side does not have it."""
Scores = tuple[float | None, float | None]

_TINY = 1e-9


class Outcomes:
    def __init__(self, diff: Diff) -> None:
        self.diff = diff
        self._known: dict[Place, str] = {
            one.rows: change
            for change, found in (("errored", diff.errored), ("broken", diff.broken), ("fixed", diff.fixed))
            for one in found
        }
        self._means = _means(diff.baseline), _means(diff.candidate)
        self._places: list[Place] = [*diff.joined, *self._unmatched()]
        self.excerpt = Excerpt(len(self._places), sum(map(self._is_needed, self._places)))

    def __iter__(self) -> Iterator[Entry]:
        """Those that a page can hold, each read as its turn comes."""
        old, new = self.diff.baseline, self.diff.candidate
        with old.opened() as before, new.opened() as after:
            for place in self.excerpt.of(self._places, self._is_needed):
                first, second = place
                scores = self._scores(place)
                rows = (
                    None if first is None else old.row(before, first),
                    None if second is None else new.row(after, second),
                )
                yield Entry(rows, scores, self._change(place, scores))

    def notices(self) -> Iterator[str]:
        if any(len(side.scores) > len(side.cases) for side in (self.diff.baseline, self.diff.candidate)):
            yield "Some cases have several rows: their scores are the means, and the rows shown are the first."

    def _unmatched(self) -> Iterator[Place]:
        old, new = self.diff.baseline, self.diff.candidate
        yield from ((old.first[old.cases[key]], None) for key in self.diff.only_baseline)
        yield from ((None, new.first[new.cases[key]]) for key in self.diff.only_candidate)

    def _is_needed(self, place: Place) -> bool:
        """Whatever did not pass on both sides."""
        first, second = place
        if first is None or second is None or place in self._known:
            return True
        return not self.diff.baseline.states[first] == self.diff.candidate.states[second] == PASS

    def _scores(self, place: Place) -> Scores:
        first, second = place
        return (
            None if first is None else self._means[0][self.diff.baseline.case_of[first]],
            None if second is None else self._means[1][self.diff.candidate.case_of[second]],
        )

    def _change(self, place: Place, scores: Scores) -> str:
        before, after = scores
        if before is None or after is None:
            return "only_candidate" if before is None else "only_baseline"
        delta = after - before
        if place in self._known:
            return self._known[place]
        if abs(delta) <= _TINY or abs(delta) < self.diff.threshold - _TINY:
            return "same"
        return "higher" if delta > 0 else "lower"


def _means(ledger: Ledger) -> list[float]:
    """By case: the mean score of its rows."""
    totals, counts = [0.0] * len(ledger.cases), [0] * len(ledger.cases)
    for case, score in zip(ledger.case_of, ledger.scores, strict=True):
        totals[case] += score
        counts[case] += 1
    return [total / count for total, count in zip(totals, counts, strict=True)]
