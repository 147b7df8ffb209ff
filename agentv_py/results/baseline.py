"""Results ⇄ the baselines that a repository keeps: a file for each suite, which moves only by hand."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agentv_py.errors import Problem, UserError
from agentv_py.results.read import ResultsSource, read_located_rows
from agentv_py.results.row import RowSelection, read_selection
from agentv_py.results.write import name_file, replace_results

FOLDER = Path("evals", "baselines")


@dataclass(slots=True)
class SuiteRows:
    """The rows of one suite in a results file, and what to know before they become its baseline."""

    offsets: list[int] = field(default_factory=list)
    passed: int = 0
    errors: int = 0
    total: float = 0.0
    selection: RowSelection | None = None
    targets: set[str] = field(default_factory=set)

    @property
    def figures(self) -> str:
        """The number of rows and of those that passed; their mean score only if it is that of one target."""
        rows = len(self.offsets)
        size = f"{rows:,} row{'' if rows == 1 else 's'}"
        if len(self.targets) > 1:
            return f"{size} of {len(self.targets):,} targets, {self.passed:,} passed"
        return f"{size}, {self.passed:,} passed, mean score {self.total / rows:.3f}"


def find_baseline(suite: str, suite_folder: str) -> Path | None:
    """Return the baseline of a suite: in the working folder, else beside the suite; None if no such file exists."""
    name = f"{name_file(suite)}.jsonl"
    places = FOLDER / name, Path(suite_folder, FOLDER.name, name)
    return next((place for place in places if place.is_file()), None)


def set_baselines(source: ResultsSource, folder: Path, *, force: bool) -> Iterator[str]:
    """Keep the rows of each suite as its baseline. Yield a line about each. Raise a UserError before any is written."""
    suites = _read_suites(source)
    files = {suite: folder / f"{name_file(suite)}.jsonl" for suite in suites}
    before = {suite: _read_earlier(file, suite) for suite, file in files.items()}
    if len(set(files.values())) < len(files):
        raise UserError(Problem("two of its suites would have the same file of a baseline", "", source.shown))
    if not force:
        _refuse_narrow_runs(source, suites)
    for suite, rows in suites.items():
        replace_results(str(files[suite]), _read_lines(source, rows.offsets), [source.path])
        change = f" (before: {before[suite]})" if before[suite] else ""
        yield f"baseline: {files[suite]}: {rows.figures}{change}"
        if rows.errors:
            yield f"warning: {rows.errors:,} of these rows erred; a diff leaves their cases out"


def _read_suites(source: ResultsSource) -> dict[str, SuiteRows]:
    suites: dict[str, SuiteRows] = {}
    for line in read_located_rows(source):
        if isinstance(line, Problem):
            raise UserError(line, "finish the run with --resume before it becomes a baseline")
        row = line.row
        rows = suites.setdefault(row["suite"], SuiteRows())
        rows.offsets.append(line.offset)
        rows.passed += row["verdict"] == "pass"
        rows.errors += row["status"] == "error"
        rows.total += row["score"]
        rows.targets.add(str(row.get("target", "")))
        rows.selection = rows.selection or read_selection(row.get("selection"))
    if not suites:
        raise UserError(Problem("holds no row", "", source.shown))
    return suites


def _read_earlier(file: Path, suite: str) -> str:
    """Return the figures of the baseline that is replaced. Raise a UserError if it is that of another suite."""
    if not file.exists():
        return ""
    suites = _read_suites(ResultsSource(file, str(file)))
    if list(suites) != [suite]:
        other = ", ".join(map(repr, suites))
        raise UserError(
            Problem(f"is the baseline of suite {other}, not of {suite!r}; rename one of them", "", str(file))
        )
    return suites[suite].figures


def _refuse_narrow_runs(source: ResultsSource, suites: dict[str, SuiteRows]) -> None:
    narrow = [f"suite {suite!r}: {rows.selection}" for suite, rows in suites.items() if rows.selection]
    if narrow:
        what = f"is a run of some cases only ({'; '.join(narrow)}); --force keeps it as the baseline"
        raise UserError(Problem(what, "", source.shown))


def _read_lines(source: ResultsSource, offsets: Sequence[int]) -> Iterator[bytes]:
    with source.path.open("rb") as file:
        for offset in offsets:
            file.seek(offset)
            yield file.readline().rstrip(b"\r\n") + b"\n"
