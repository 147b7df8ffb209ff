"""Rows of one suite → its totals, its evaluators, and the number of answers of each target."""

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from agentv_py.report.evaluator_summary import EvaluatorSummary
from agentv_py.report.tally import Tally
from agentv_py.results.row import RowSelection, read_selection

if TYPE_CHECKING:
    from agentv_py.report.gate_result import GateResult

Name = TypeVar("Name", bound=Hashable)

_JUDGES = frozenset({"llm_judge", "code_judge"})


class SuiteSummary(Tally):
    """The figures of one suite. Figures of two suites are never added up under one evaluator's name."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.evaluators: dict[tuple[str, str], EvaluatorSummary] = {}
        """By target, empty where rows name none, and name."""
        self.answers: dict[str, int] = {}
        """By target, as above: the number of its rows."""
        self.parsed: dict[str, int] = {}
        """The number of cases whose JSON is not the whole answer: by `fenced` (in a fenced block) and `found`."""
        self.selections: dict[RowSelection, int] = {}
        """How many rows are of a run of some cases only, by the selection of that run."""
        self.broken_wrappers = 0
        """The number of objects in answers that have a confidence and no value."""
        self.gates: list[GateResult] = []
        """What the suite must reach; empty where it has no gates, or where a results file is read, which knows none."""

    def add(self, row: Mapping[str, Any], only: str | None = None) -> None:
        """Count a row. With `only`, count the results of this evaluator alone."""
        self.count(row)
        if "selection" in row and (selection := read_selection(row["selection"])) is not None:
            self.selections[selection] = self.selections.get(selection, 0) + 1
        target = str(row["target"]) if "target" in row else ""
        self.answers[target] = self.answers.get(target, 0) + 1
        if type(broken := row.get("confidence_without_value")) is int:
            self.broken_wrappers += broken
        parsed = None
        for result in row["evaluator_results"]:
            name = result["name"]
            if only is not None and name != only:
                continue
            if "details" in result:
                parsed = parsed or result["details"].get("parsed")
            evaluator = self.evaluators.get((target, name))
            if evaluator is None:
                evaluator = EvaluatorSummary(name, result["type"], self.name, target)
                self.evaluators[target, name] = evaluator
            evaluator.add(result)
            if result["misses"] and "error" not in result:
                evaluator.add_errors(result, row)
            if result["type"] in _JUDGES and "expected" in row and "error" not in result:
                evaluator.add_person(result, row["expected"])
        if parsed == "fenced" or parsed == "found":  # noqa: PLR1714  a judge may write anything here, also a list
            self.parsed[parsed] = self.parsed.get(parsed, 0) + 1

    def add_alike(self, row: Mapping[str, Any], times: int) -> None:
        """Count a row without misses, of no target, so many times more."""
        self.count_passed(row["score"], times)
        self.answers[""] += times
        if "selection" in row and (selection := read_selection(row["selection"])) is not None:
            self.selections[selection] += times
        for result in row["evaluator_results"]:
            self.evaluators["", result["name"]].add_alike(result, times)

    def merge(self, other: "SuiteSummary") -> None:
        self.add_counts(other)
        self.broken_wrappers += other.broken_wrappers
        add_numbers(self.answers, other.answers)
        add_numbers(self.parsed, other.parsed)
        add_numbers(self.selections, other.selections)
        for key, evaluator in other.evaluators.items():
            if key not in self.evaluators:
                self.evaluators[key] = EvaluatorSummary(evaluator.name, evaluator.type, self.name, evaluator.target)
            self.evaluators[key].merge(evaluator)

    @property
    def has_several_targets(self) -> bool:
        """Whether figures of the whole suite would average several targets."""
        return len(self.answers) > 1

    @property
    def narrow_selections(self) -> list[RowSelection]:
        """The selections of the runs, if no run was of every case."""
        return list(self.selections) if sum(self.selections.values()) == self.cases else []

    @property
    def meets_gates(self) -> bool:
        """Whether the suite has gates and meets them all."""
        return bool(self.gates) and all(gate.is_met for gate in self.gates)


def add_numbers(total: dict[Name, int], more: Mapping[Name, int]) -> None:
    for name, number in more.items():
        total[name] = total.get(name, 0) + number
