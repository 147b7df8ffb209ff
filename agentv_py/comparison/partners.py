"""Two values under a field tree → the partner of each row of their paired lists, and the next best partner."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from agentv_py.comparison.comparison import is_empty
from agentv_py.comparison.paths import ROOT
from agentv_py.comparison.trace import Trace
from agentv_py.comparison.tree import Anything, Field, Leaf, List, Record
from agentv_py.comparison.walk import walk

_MOST_MEASURES = 20_000
"""So many pairs of rows of a list are measured, in about a second. A longer list has no next best partners."""


class Partner(NamedTuple):
    row: int
    similarity: float


class RowPartner(NamedTuple):
    """An expected row and the answer's row beside it."""

    row: int
    partner: Partner | None
    """None if the row is unpaired."""
    next_best: Partner | None
    """The most similar row of the answer besides the partner; None if no other row is similar at all."""
    rival: int | None = None
    """The expected row that has the next best partner as its own partner."""


@dataclass(frozen=True, slots=True)
class ListPartners:
    path: str
    pairing: str
    """How rows are paired, as a phrase."""
    rows: Sequence[RowPartner]
    surplus: Sequence[int]
    """The rows that only the answer has."""
    is_measured: bool = True
    """Whether the list is short enough to look for the next best partners."""
    alike: int = field(default=0)
    """How many rows match their partner fully."""


def list_partners(tree: Field, expected: Any, actual: Any, *, by_leaves: bool = False) -> Iterator[ListPartners]:
    """Yield every list whose rows are paired, also lists inside paired rows."""
    trace = Trace(by_leaves=by_leaves)
    walk(tree, expected, actual, "", trace)
    yield from _descend(tree, expected, actual, "", trace)


def _descend(tree: Field, expected: Any, actual: Any, path: str, trace: Trace) -> Iterator[ListPartners]:
    if isinstance(tree, Anything):
        tree = tree.shape_of(actual if is_empty(expected) else expected)
    if isinstance(tree, Leaf):
        return
    if isinstance(tree, Record) and not (tree.from_object and isinstance(expected, list)):
        for entry, full_match, left, right in tree.zip_values(expected, actual, path):
            yield from _descend(entry.field, left, right, full_match.path, trace)
    elif isinstance(expected, list) and isinstance(actual, list):
        item = tree.item if isinstance(tree, List) else tree
        pairs = [(index, index, 1.0) for index in range(min(len(expected), len(actual)))]
        if isinstance(tree, List) and tree.pairing is not None:
            pairs = trace.alignment.get(path, [])
            if pairs or expected or actual:
                yield _build_partners(tree, expected, actual, path, trace)
        for left, right, _ in pairs:
            yield from _descend(item, expected[left], actual[right], f"{path}[{left}]", trace)


def _build_partners(tree: List, expected: list[Any], actual: list[Any], path: str, trace: Trace) -> ListPartners:
    pairs = trace.alignment.get(path, [])
    partners = {left: Partner(right, similarity) for left, right, similarity in pairs}
    owners = {right: left for left, right, _ in pairs}
    alike = {left for left, _, similarity in pairs if similarity == 1.0}
    open_rows = [index for index in range(len(expected)) if index not in alike]
    is_measured = len(open_rows) * len(actual) <= _MOST_MEASURES
    rows = []
    for index in open_rows:
        others = [other for other in range(len(actual)) if index not in partners or other != partners[index].row]
        best = _find_best(tree.item, expected[index], actual, others, trace) if is_measured else None
        rows.append(RowPartner(index, partners.get(index), best, None if best is None else owners.get(best.row)))
    surplus = [index for index in range(len(actual)) if index not in owners]
    return ListPartners(path or ROOT, _describe_pairing(tree), rows, surplus, is_measured, len(alike))


def _find_best(item: Field, row: Any, actual: list[Any], others: Sequence[int], trace: Trace) -> Partner | None:
    """Return the row of the answer that is most similar; of equal ones the first."""
    best: Partner | None = None
    for index in others:
        measure = walk(item, row, actual[index], "", Trace(by_leaves=trace.by_leaves))
        similarity = 0.0 if measure is None else measure.similarity
        if similarity > (0.0 if best is None else best.similarity):
            best = Partner(index, similarity)
    return best


def _describe_pairing(tree: List) -> str:
    pairing = tree.pairing
    assert pairing is not None  # noqa: S101  for the type checker
    if pairing.key:
        return "rows pair where their keys match"
    order = "best pair first" if pairing.matching == "greedy" else "the best total"
    limit = f", from similarity {pairing.threshold:.10g}" if pairing.threshold else ""
    return f"rows pair by similarity, {order}{limit}"
