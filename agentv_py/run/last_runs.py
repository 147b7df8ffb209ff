"""The results in `.evalctl/results` → the cases of each suite that did not pass when they last ran."""

from collections.abc import Iterator
from pathlib import Path

from agentv_py.errors import Problem, UserError
from agentv_py.results.read import ResultsSource, read_results
from agentv_py.results.row import Row
from agentv_py.results.write import FOLDER
from agentv_py.suite.selection import FailedCases


def read_last_runs() -> FailedCases:
    """Read the newest results of each suite: back to the last run of all its cases, and no further."""
    last: dict[str, dict[str, bool]] = {}
    """By suite: each case that ran, and whether it passed when it last ran."""
    finished = set[str]()
    for path in _list_newest_first():
        rows = _read_rows(path)
        first = next(rows, None)
        if first is None or first["suite"] in finished:
            continue
        passed = _find_passed([first, *rows])
        last[first["suite"]] = passed | last.get(first["suite"], {})
        if "selection" not in first:
            finished.add(first["suite"])
    if not last:
        raise UserError(f"--last-failed: {FOLDER} has no results; run without -o first, or use --failed-from RESULTS")
    ids = {suite: {case for case, has_passed in cases.items() if not has_passed} for suite, cases in last.items()}
    return FailedCases((), ids)


def _list_newest_first() -> Iterator[Path]:
    """List the results files by the time in their names, then by the number that tells runs of one second apart."""
    files = ((path.stem.rpartition("-"), path) for path in FOLDER.glob("*.jsonl") if path.is_file())
    dated = [
        ((stem[0].rpartition("-")[2], int(stem[2])) if stem[2].isdecimal() else (stem[2], 1), path)
        for stem, path in files
    ]
    return (path for _, path in sorted(dated, reverse=True))


def _read_rows(path: Path) -> Iterator[Row]:
    """Read the rows of a file; a row that was never finished has no verdict."""
    return (row for row in read_results(ResultsSource(path, str(path))) if not isinstance(row, Problem))


def _find_passed(rows: list[Row]) -> dict[str, bool]:
    """Return for each case whether it passed for every target."""
    passed: dict[str, bool] = {}
    for row in rows:
        passed[row["case_id"]] = passed.get(row["case_id"], True) and row["verdict"] == "pass" and row["status"] == "ok"
    return passed
