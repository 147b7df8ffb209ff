"""A row → the expected value and the candidate's value at a path."""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from agentv_py.case import ABSENT, CandidateNotJson, Case
from agentv_py.comparison.partner_path import find_partner_path
from agentv_py.comparison.paths import parse_path
from agentv_py.report.misses import Mismatch, read_mismatches, read_misses
from agentv_py.results.row import Row

Misses = dict[str, Mismatch]
"""By path: the stored mismatch of each miss, empty where none is stored."""


class RowValues:
    def __init__(self, row: Row) -> None:
        self.results: dict[str, Mapping[str, Any]] = {result["name"]: result for result in row["evaluator_results"]}
        self._expected, self._candidate = parse_values(row)

    def paths(self, evaluator: str) -> AbstractSet[str]:
        """Return the paths that an evaluator's result stores as such."""
        result = self.results[evaluator]
        return {*list_hits(result), *(mismatch["path"] for mismatch in read_mismatches(result))}

    def misses(self, evaluator: str, paths: AbstractSet[str] = frozenset()) -> Misses:
        return {miss.path: miss.mismatch for miss in read_misses(self.results[evaluator], paths)}

    def expected_at(self, path: str) -> Any:
        return parse_path(path).build_getter()(self._expected)

    def answer_at(self, path: str, evaluator: str, misses: Misses) -> Any:
        """Return the value that the evaluator stored, else the one in the candidate."""
        if misses.get(path):
            return misses[path].get("actual", ABSENT)
        return self.read_answer(path, evaluator)

    def read_answer(self, path: str, evaluator: str) -> Any:
        """Return the value in the candidate; a row of a paired list is that of its partner."""
        answer_path = find_partner(path, self.results[evaluator])
        return ABSENT if answer_path is None else parse_path(answer_path).build_getter()(self._candidate)


def list_hits(result: Mapping[str, Any]) -> Iterator[str]:
    hits = result.get("hits")
    return map(str, hits if isinstance(hits, list) else ())


def parse_values(row: Row) -> tuple[Any, Any]:
    """Return expected and candidate as the evaluators read them: text that holds JSON becomes that JSON."""
    case = Case("", row.get("expected", ABSENT), row.get("candidate", ABSENT))
    try:
        return case.parsed_values()
    except CandidateNotJson:
        return case.expected, case.candidate


def find_partner(path: str, result: Mapping[str, Any]) -> str | None:
    """Return the path in the candidate: a row of a paired list has its partner's index there."""
    alignment = (result.get("details") or {}).get("alignment")
    if not isinstance(alignment, dict):
        return path

    def find_index(list_path: str, index: int | None) -> Any:
        pairs = alignment.get(list_path)
        if not isinstance(pairs, list):
            return index
        return next((pair[1] for pair in pairs if _is_pair(pair) and pair[0] == index), None)

    return find_partner_path(path, find_index)


def _is_pair(pair: Any) -> bool:
    return isinstance(pair, list | tuple) and len(pair) > 1
