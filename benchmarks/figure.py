"""What a benchmark finds: ratios with a goal, and tables. A benchmark on its own → its findings, printed or as JSON."""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, Literal

Bound = Literal["at most", "at least"]


@dataclass(frozen=True)
class Figure:
    """A ratio that was taken several times in one run, each time against a peer or against the physical floor."""

    name: str
    question: str
    ratios: Sequence[float]
    bound: Bound
    goal: float
    note: str = ""
    """What the ratio is made of: seconds, bytes. It belongs to the machine, so no table shows it."""

    @property
    def ratio(self) -> float:
        return median(self.ratios)

    @property
    def is_met(self) -> bool:
        return self.ratio <= self.goal if self.bound == "at most" else self.ratio >= self.goal

    def show_ratio(self) -> str:
        low, middle, high = (show_number(one) for one in (min(self.ratios), self.ratio, max(self.ratios)))
        return middle if low == high else f"{middle} ({low} to {high})"

    def show_goal(self) -> str:
        return f"{self.bound} {self.goal:,g}"


@dataclass(frozen=True)
class Table:
    """Findings that are no ratios: shares of simulated runs, costs of stages."""

    name: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]


Finding = Figure | Table


@dataclass(frozen=True)
class Effort:
    """How often a benchmark repeats what it measures. The data stays the same, so quick ratios can be compared, too."""

    quick: bool = False

    def rounds(self, usual: int) -> int:
        return min(usual, 3) if self.quick else usual


Measure = Callable[[Effort], Iterator[Finding]]


def show_number(number: float) -> str:
    return f"{number:,.0f}" if abs(number) >= 99.5 else f"{number:.1f}" if abs(number) >= 9.95 else f"{number:.2f}"


def print_finding(finding: Finding) -> None:
    if isinstance(finding, Table):
        print(show_table(finding), flush=True)
        return
    missed = "" if finding.is_met else ", MISSED"
    print(f"{finding.show_ratio():>24}  {finding.question} (goal: {finding.show_goal()}{missed})")
    if finding.note:
        print(f"{'':26}{finding.note}", flush=True)


def show_table(table: Table) -> str:
    lines = [table.header, ["---"] * len(table.header), *table.rows]
    return "\n".join(f"| {' | '.join(line)} |" if line[0] != "---" else f"|{'|'.join(line)}|" for line in lines)


def write_finding(finding: Finding) -> dict[str, Any]:
    kind = "table" if isinstance(finding, Table) else "figure"
    return {"kind": kind, **asdict(finding)}


def read_finding(value: dict[str, Any]) -> Finding:
    options = {key: item for key, item in value.items() if key != "kind"}
    return Table(**options) if value["kind"] == "table" else Figure(**options)


def run_benchmark(measure: Measure) -> None:
    """The command line of a benchmark."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the findings to FILE")
    arguments = parser.parse_args()
    file = arguments.json and arguments.json.absolute()
    findings = []
    for finding in measure(Effort(arguments.quick)):
        print_finding(finding)
        findings.append(write_finding(finding))
    if file:
        file.write_text(json.dumps(findings), encoding="utf-8")
