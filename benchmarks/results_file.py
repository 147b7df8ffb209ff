"""Findings of benchmarks ⇄ a JSON file; two such files → the ratios that became worse or better by more than noise."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from figure import Figure, Finding, read_finding, write_finding

RESULTS = Path(__file__).with_name("results.json")
_NOISE = 1.1
"""How far two ratios of one program are apart on a busy machine, beyond the range of the rounds themselves."""


@dataclass(frozen=True)
class BenchmarkRun:
    """What one benchmark found, and where and when."""

    machine: dict[str, Any]
    moment: dict[str, Any]
    quick: bool
    seconds: float
    findings: list[Finding]

    def figures(self) -> list[Figure]:
        return [finding for finding in self.findings if isinstance(finding, Figure)]


Results = dict[str, BenchmarkRun]


def read_results(file: Path) -> Results:
    values = json.loads(file.read_text(encoding="utf-8"))
    return {
        name: BenchmarkRun(**value | {"findings": list(map(read_finding, value["findings"]))})
        for name, value in values.items()
    }


def write_results(results: Results, file: Path) -> None:
    values = {name: vars(run) | {"findings": list(map(write_finding, run.findings))} for name, run in results.items()}
    file.write_text(json.dumps(values, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


@dataclass(frozen=True)
class Change:
    """A ratio in an old and in a new file."""

    benchmark: str
    old: Figure
    new: Figure

    @property
    def verdict(self) -> str:
        """Worse or better only if the rounds of both files lie apart, by more than two runs of one program do."""
        higher, lower = ("worse", "better") if self.new.bound == "at most" else ("better", "worse")
        if min(self.new.ratios) > max(self.old.ratios) * _NOISE:
            return higher
        return lower if max(self.new.ratios) * _NOISE < min(self.old.ratios) else "same"

    def __str__(self) -> str:
        ratios = f"{self.old.show_ratio()} → {self.new.show_ratio()}"
        return f"{self.verdict:<7}{self.benchmark}: {self.new.question}: {ratios} (goal: {self.new.show_goal()})"


def compare(old: Results, new: Results) -> Iterator[Change]:
    """The figures that both files have."""
    for name in new:
        before = {figure.name: figure for figure in old[name].figures()} if name in old else {}
        for figure in new[name].figures():
            if figure.name in before:
                yield Change(name, before[figure.name], figure)


def find_other_settings(old: Results, new: Results) -> Iterator[str]:
    """Why two files are not quite comparable: another machine, other versions."""
    for name in new:
        if name in old and old[name].machine != new[name].machine:
            parts = [key for key, value in new[name].machine.items() if old[name].machine.get(key) != value]
            yield f"{name}: taken with another {', '.join(parts)}"
