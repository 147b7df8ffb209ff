"""An expected value, an answer and what evaluators said about it → the new expected value. What passed stays."""

from collections.abc import Mapping
from typing import Any

from agentv_py.case import ABSENT
from agentv_py.comparison.paths import ROOT, join_path
from agentv_py.report.misses import read_misses
from agentv_py.report.row_values import list_hits
from agentv_py.results.row import Row


class Findings:
    """Which paths passed and which did not, by any evaluator."""

    def __init__(self, row: Row) -> None:
        results: list[Mapping[str, Any]] = [*row["evaluator_results"]]
        self.hits = [path for result in results for path in list_hits(result)]
        self.misses = [miss.path for result in results for miss in read_misses(result)]
        self.has_paths = bool(self.hits or any(result.get("details", {}).get("mismatches") for result in results))
        """Whether evaluators compared single values. A judge may rate the answer as a whole."""

    def is_wrong(self, path: str) -> bool:
        """Return whether anything at a path or below it did not pass."""
        return any(
            miss == path or miss.startswith((f"{path}.", f"{path}[", f"{path} (")) for miss in self.misses
        )  # a miss may have a note after its path

    def is_wrong_as_whole(self, path: str) -> bool:
        """Return whether the value at a path did not pass as one value, such as an object under `exact`."""
        return any(miss == (path or ROOT) or miss.startswith(f"{path or ROOT} (") for miss in self.misses)


def accept_whole(expected: Any, answer: Any, findings: Findings, path: str = "") -> Any:
    """Take the answer, except where it passed in another spelling, and where no evaluator looked at it.

    A list is taken as a whole: its rows may be paired in another order.
    """
    are_objects = isinstance(expected, dict) and isinstance(answer, dict)
    if not (findings.has_paths and are_objects) or findings.is_wrong_as_whole(path):
        return answer
    new: dict[str, Any] = {}
    for key in dict.fromkeys((*expected, *answer)):
        below = join_path(path, key)
        old, value = expected.get(key, ABSENT), answer.get(key, ABSENT)
        if isinstance(old, dict) and isinstance(value, dict):
            new[key] = accept_whole(old, value, findings, below)
        elif chosen := [each for each in (value if findings.is_wrong(below) else old,) if each is not ABSENT]:
            new[key] = chosen[0]
    return new
