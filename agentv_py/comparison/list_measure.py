"""The rows of two lists, paired or not → the comparisons of the rows without a partner, and the measure of the list."""

import math
from typing import Any

from agentv_py.comparison.comparison import ALIKE, Measure, Outcome, build_full_match, get_blank
from agentv_py.comparison.trace import Trace
from agentv_py.comparison.tree import Field, Record
from agentv_py.comparison.unpaired import compare_unpaired, has_leaves, weigh_leaves


class ListMeasure:
    """Sums up rows: the score is their sum over the longer side; by leaves it is the plain sum."""

    __slots__ = ("_has_blank", "_item", "_leaves", "_pairs", "_rows", "_trace")

    def __init__(self, item: Field, trace: Trace) -> None:
        self._item = item
        self._trace = trace
        self._pairs: list[Measure] = []
        self._rows = {"missing": 0, "extra": 0}
        self._leaves = {"missing": 0.0, "extra": 0.0}
        self._has_blank = False

    def add_pair(self, measure: Measure) -> None:
        self._pairs.append(measure)

    def add_full_match(self, path: str) -> None:
        """Add a pair of rows that match fully in every leaf, as the walk would."""
        item, trace, measure = self._item, self._trace, ALIKE
        if type(item) is Record:
            trace.comparisons += item.leaf_full_matches(path)
            if trace.by_leaves:
                measure = Measure(item.leaf_weight, 1.0, True, item.leaf_weight)
        else:
            trace.comparisons.append(build_full_match(path))
        self._pairs.append(measure)

    def add_unpaired(self, outcome: Outcome, note: str, row: Any, path: str) -> None:
        """Add a row without a partner. A blank one costs nothing, and neither does a missing one that is optional."""
        comparisons = compare_unpaired(outcome, note, self._item, row, path)
        if comparisons:
            self._trace.comparisons += comparisons
            self._rows[outcome] += 1
            if self._trace.by_leaves:
                self._leaves[outcome] += weigh_leaves(outcome, self._item, row)
        elif has_leaves(outcome, self._item, row):
            self._trace.optional.append(path)
        else:
            self._has_blank = True

    def measure(self) -> Measure | None:
        """Return the measure, or None if nothing in the list counts."""
        pairs, by_leaves = self._pairs, self._trace.by_leaves
        rows = len(pairs) + max(self._rows.values())
        if not rows:
            return get_blank(by_leaves=by_leaves) if self._has_blank else None
        scores = math.fsum([pair.score for pair in pairs])
        filled = [pair.similarity for pair in pairs if pair.has_content]  # blank pairs must not influence pairing
        rows_with_content = rows - len(pairs) + len(filled)
        similarity, has_content = math.fsum(filled) / (rows_with_content or 1), rows_with_content > 0
        if not has_content:
            similarity = 1.0
        if by_leaves:
            leaves = math.fsum([pair.leaves for pair in pairs]) + max(self._leaves.values())
            return Measure(scores, similarity, has_content, leaves)
        return Measure(scores / rows, similarity, has_content)
