"""Rows of results → totals, pass rate, mean score and counts of each suite; one row at a time, in flat memory."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from agentv_py.models.usage import Usage
from agentv_py.report.evaluator_summary import EvaluatorSummary
from agentv_py.report.failing_rows import FailingRows
from agentv_py.report.groups import Groups
from agentv_py.report.slices.fold import Slices
from agentv_py.report.suite_summary import SuiteSummary, add_numbers
from agentv_py.report.tally import Tally
from agentv_py.results.row import Row

if TYPE_CHECKING:
    from agentv_py.report.gate_result import GateResult
    from agentv_py.report.repeats import RepeatSummary
    from agentv_py.report.statistics import Estimate
    from agentv_py.results.label import RunLabel


def _no_rows() -> Iterator[Row]:
    return iter(())


class Summary:
    """The figures of all rows."""

    def __init__(
        self,
        *,
        full: bool = False,
        rows: Callable[[], Iterator[Row]] = _no_rows,
        groups: Groups | None = None,
        slices: Slices | None = None,
    ) -> None:
        self.by_suite: dict[str, SuiteSummary] = {}
        """The suites in the order of their first rows."""
        self.full = full
        """Whether the report shows every attribute instead of the weakest ones."""
        self.failing_rows = FailingRows()
        self.rows = rows
        """Reads every row again from the results, for the formats that show cases."""
        self.results = ""
        """The results file, as the user spells it; empty if the rows come from no file, or from several."""
        self.groups = groups or Groups()
        """The figures of each target, or of whatever else the rows are grouped by."""
        self.slices = slices or Slices()
        """The figures by tag or metadata value, where a suite or a user asks for them."""
        self.labels: dict[RunLabel, None] = {}
        """What the user calls the runs of the rows."""
        self._repeats: RepeatSummary | None = None

    @property
    def repeats(self) -> "RepeatSummary":
        """The figures of the cases that have several answers."""
        if self._repeats is None:
            from agentv_py.report.repeats import RepeatSummary  # most runs have one answer to a case

            self._repeats = RepeatSummary()
        return self._repeats

    @property
    def totals(self) -> Tally:
        """The counts of all suites together."""
        whole = Tally()
        for suite in self.by_suite.values():
            whole.add_counts(suite)
        return whole

    @property
    def cases(self) -> int:
        return self.totals.cases

    @property
    def pass_rate(self) -> "Estimate":
        return self.totals.pass_rate

    @property
    def mean_score(self) -> "Estimate":
        return self.totals.mean_score

    @property
    def suites(self) -> list[str]:
        return list(self.by_suite)

    @property
    def evaluators(self) -> list[EvaluatorSummary]:
        """The evaluators of all suites; `name_evaluator` tells those of two suites apart."""
        return [evaluator for suite in self.by_suite.values() for evaluator in suite.evaluators.values()]

    @property
    def gates(self) -> "list[tuple[str, GateResult]]":
        """Each gate after the name of its suite."""
        return [(suite.name, gate) for suite in self.by_suite.values() for gate in suite.gates]

    @property
    def usage(self) -> Usage:
        """The calls, tokens and cost of all models."""
        total = Usage()
        for evaluator in self.evaluators:
            total.add(evaluator.usage)
        return total

    @property
    def parsed_answers(self) -> dict[str, int]:
        """The number of answers whose JSON is a part of their text, of all suites together."""
        total = dict[str, int]()
        for suite in self.by_suite.values():
            add_numbers(total, suite.parsed)
        return total

    @property
    def broken_wrappers(self) -> int:
        return sum(suite.broken_wrappers for suite in self.by_suite.values())

    @property
    def targets(self) -> list[str]:
        """The targets that rows name, and the empty name where rows name none."""
        return list(dict.fromkeys(target for suite in self.by_suite.values() for target in suite.answers))

    @property
    def has_several_targets(self) -> bool:
        """Whether figures of all rows together would average several targets."""
        return len(self.targets) > 1

    @property
    def cases_per_target(self) -> int | None:
        """The number of cases that every target answered; None where targets answered different numbers of cases."""
        counts = {target: tuple(s.answers.get(target, 0) for s in self.by_suite.values()) for target in self.targets}
        return sum(next(iter(counts.values()), ())) if len(set(counts.values())) < 2 else None

    def name_evaluator(self, evaluator: EvaluatorSummary) -> str:
        """Return the evaluator's name; after its suite and its target where there are several."""
        return self.name_result(evaluator.suite, evaluator.target, evaluator.name)

    def name_result(self, suite: str, target: str, name: str) -> str:
        return join_names(suite if len(self.by_suite) > 1 else "", target if self.has_several_targets else "", name)

    def find_suite(self, name: str) -> SuiteSummary:
        """Return the figures of a suite, which begin at 0."""
        suite = self.by_suite.get(name)
        if suite is None:
            suite = self.by_suite[name] = SuiteSummary(name)
        return suite

    def add(self, row: Mapping[str, Any], only: str | None = None, file: str = "") -> None:
        """Count a row of a file. With `only`, count the results of this evaluator alone."""
        (self.by_suite.get(row["suite"]) or self.find_suite(row["suite"])).add(row, only)
        if "target" in row or self.groups.by != "target":
            self.groups.add(row, file)
        if "repeats" in row:
            self.repeats.add(row)
        if self.slices.keys:
            self.slices.add(row, only)
        if "label" in row:
            self._add_label(row)
        if row["verdict"] != "pass":
            self.failing_rows.add(row)

    def add_alike(self, row: Mapping[str, Any], times: int) -> None:
        """Count a row that was counted before so many times more. It passes, has no miss, and is of no slice."""
        self.find_suite(row["suite"]).add_alike(row, times)

    def _add_label(self, row: Mapping[str, Any]) -> None:
        from agentv_py.results.label import read_label  # most runs have no label

        if (label := read_label(row)) is not None:
            self.labels[label] = None

    def merge(self, other: "Summary") -> None:
        for name, suite in other.by_suite.items():
            self.find_suite(name).merge(suite)
        self.groups.merge(other.groups)
        self.slices.merge(other.slices)
        self.labels |= other.labels
        if other._repeats is not None:  # noqa: SLF001  it is this class's own
            self.repeats.merge(other.repeats)
        self.failing_rows.merge(other.failing_rows)


def join_names(*names: str) -> str:
    """Join the names that tell an evaluator apart from others."""
    return "/".join(filter(None, names))
