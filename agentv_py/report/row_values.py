"""A row → what was expected and what was answered at a path of it."""

import re
from collections.abc import Mapping
from typing import Any

from agentv_py.case import ABSENT, Case, NotStructured
from agentv_py.comparison.paths import parse, read_index
from agentv_py.report.differences import noted
from agentv_py.results.row import Row

_INDEX = re.compile(r"\[(\d+)\]")

Misses = dict[str, Mapping[str, Any]]


class Side:
    def __init__(self, row: Row) -> None:
        self.results = {result["name"]: result for result in row["evaluator_results"]}
        self._values = values(row)

    def misses(self, name: str) -> Misses:
        """By path what is known of each miss."""
        return dict(noted(self.results[name])) if name in self.results else {}

    def expected(self, path: str) -> Any:
        return parse(path).getter()(self._values[0])

    def answer(self, name: str, path: str) -> Any:
        """What stands there: as the evaluator noted it, else in the answer itself."""
        found = self.misses(name).get(path)
        if found:
            return found.get("actual", ABSENT)
        place = _paired(path, self.results[name])
        return ABSENT if place is None else parse(place).getter()(self._values[1])


def values(row: Row) -> tuple[Any, Any]:
    """Expected and candidate as the evaluators read them: text that holds JSON is that JSON."""
    case = Case("", row.get("expected", ABSENT), row.get("candidate", ABSENT))
    try:
        return case.structured()
    except NotStructured:
        return case.expected, case.candidate


def _paired(path: str, result: Mapping[str, Any]) -> str | None:
    """The path in the answer: rows of a list that was paired stand at their partners' indexes."""
    alignment = (result.get("details") or {}).get("alignment")
    if not isinstance(alignment, dict):
        return path
    place, end = "", 0
    for index in _INDEX.finditer(path):
        pairs = alignment.get(path[: index.start()] or "$")
        partner: Any = read_index(index[1])
        if isinstance(pairs, list):
            partner = next(
                (pair[1] for pair in pairs if isinstance(pair, list) and len(pair) > 1 and pair[0] == partner), None
            )
        if partner is None:
            return None
        place, end = f"{place}{path[end : index.start()]}[{partner}]", index.end()
    return place + path[end:]
