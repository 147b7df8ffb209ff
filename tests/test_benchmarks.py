"""benchmarks/: the tables of the documents are drawn from the committed file, and two files are compared beyond noise."""

import re
from pathlib import Path

import pytest
import readme_tables
import run as benchmarks
from figure import Figure, Finding, Table
from results_file import RESULTS, BenchmarkRun, Change, compare, read_results, write_results

_FOLDER = RESULTS.parent


def test_the_documents_show_the_figures_of_the_committed_file() -> None:
    for file, text in readme_tables.draw_documents(read_results(RESULTS)):
        assert file.read_text(encoding="utf-8") == text, f"run: python {_FOLDER.name}/run.py --write"


def test_every_benchmark_has_a_script_and_a_place_in_the_document() -> None:
    text = (_FOLDER / "README.md").read_text(encoding="utf-8")
    names = {*benchmarks.RATIOS, *benchmarks.SIMULATIONS, *benchmarks.LONG}
    assert {name for name in names if (_FOLDER / f"{name}.py").is_file()} == names
    assert set(re.findall(r"<!-- (?:figures|table) (\w+)", text)) == names


@pytest.mark.parametrize(
    ("old", "new", "bound", "verdict"),
    [
        ([10, 11], [9.5, 12], "at most", "same"),
        ([10, 11], [12.5, 14], "at most", "worse"),
        ([10, 11], [7, 8], "at most", "better"),
        ([10, 11], [12.5, 14], "at least", "better"),
        ([10, 11], [7, 8], "at least", "worse"),
        ([10, 11], [11.5, 12], "at most", "same"),  # apart, but no farther than two runs of one program are
    ],
)
def test_a_ratio_is_worse_only_where_all_rounds_lie_beyond_the_old_ones(
    old: list[float], new: list[float], bound: str, verdict: str
) -> None:
    sides = [Figure("f", "a against b", ratios, bound, 15) for ratios in (old, new)]  # type: ignore[arg-type]
    assert Change("b", *sides).verdict == verdict


def test_findings_are_read_as_they_were_written(tmp_path: Path) -> None:
    findings: list[Finding] = [
        Figure("f", "a against b", [1.5, 2], "at least", 1, "3 s"),
        Table("t", ["n", "cost"], [["1", "2"]]),
    ]
    results = {"spine": BenchmarkRun({"cores": 2}, {"load": 1.5}, True, 3.5, [*findings])}
    write_results(results, tmp_path / "r.json")
    assert read_results(tmp_path / "r.json") == results
    assert [change.new for change in compare(results, results)] == findings[:1]


@pytest.mark.parametrize(
    ("ratios", "shown"),
    [([10.04, 10.96, 10.5], "10.5 (10.0 to 11.0)"), ([0.5], "0.50"), ([1234.5], "1,234"), ([0.999, 1.001], "1.00")],
)
def test_a_ratio_is_shown_with_its_range(ratios: list[float], shown: str) -> None:
    assert Figure("f", "q", ratios, "at most", 1).show_ratio() == shown
