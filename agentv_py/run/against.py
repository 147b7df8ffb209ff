"""A run and `--against` → the earlier results, and what changed since."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from agentv_py.errors import UserError, did_you_mean
from agentv_py.report.diff.compute import compute_diff
from agentv_py.report.diff.gates import Gate, find_violations, parse_gates
from agentv_py.report.diff.join import explain_nothing
from agentv_py.report.diff.model import Diff
from agentv_py.results.baseline import FOLDER, find_baseline
from agentv_py.results.read import ResultsSource, open_sources, read_results
from agentv_py.results.write import name_file
from agentv_py.run.request import RunRequest
from agentv_py.run.session import Session
from agentv_py.suite.plan import Plan

BASELINE = "baseline"
"""The word for the baselines that the repository keeps, unless a file has this name."""


class Earlier(NamedTuple):
    """The results that a run is compared with, and the gates of the comparison."""

    sources: Sequence[ResultsSource]
    gates: Sequence[Gate]


class Comparison(NamedTuple):
    diff: Diff
    violations: Sequence[str]
    """The gates that the diff violates, and how."""


@contextmanager
def open_earlier(request: RunRequest, plans: Sequence[Plan]) -> Iterator[Earlier]:
    """Find the earlier results and check the gates before anything runs."""
    gates = parse_gates(request.fail_on)
    with open_sources(_find_files(request.against or BASELINE, plans)) as sources:
        for source in sources:
            _check_source(source, request.output)
        yield Earlier(sources, gates)


@contextmanager
def compare(earlier: Earlier, session: Session) -> Iterator[Comparison]:
    """Compute what changed between the earlier results and the run. The diff reads rows as long as it is open."""
    with ExitStack() as stack:
        old, new = (stack.enter_context(_join_sources(sources)) for sources in (earlier.sources, session.sources))
        diff = compute_diff(old, new)
        if not diff.matched:
            raise UserError(f"--against: {explain_nothing(diff)}")
        yield Comparison(diff, list(find_violations(diff, earlier.gates)))


def _find_files(against: str, plans: Sequence[Plan]) -> list[str]:
    if against != BASELINE or Path(against).exists():
        return [against]
    found = {plan.name: find_baseline(plan.name, plan.folder) for plan in plans}
    missing = [suite for suite, file in found.items() if file is None]
    if missing:
        files = ", ".join(str(FOLDER / f"{name_file(suite)}.jsonl") for suite in missing)
        raise UserError(f"--against baseline: there is no {files}; keep one with `evalctl baseline set RESULTS`")
    return [str(file) for file in found.values()]


def _check_source(source: ResultsSource, output: str | None) -> None:
    """Raise a UserError if the file does not exist or does not begin with results, or if the run would overwrite it."""
    if not source.path.exists():
        known = [path.name for path in source.path.absolute().parent.glob("*.jsonl")]
        raise UserError(f"--against {source.shown}: there is no such file{did_you_mean(source.path.name, known)}")
    if output is not None and Path(output).exists() and Path(output).samefile(source.path):
        raise UserError(f"-o {output}: is the file of --against; name another file")
    if next(read_results(source), None) is None:
        raise UserError(f"--against {source.shown}: holds no results")


@contextmanager
def _join_sources(sources: Sequence[ResultsSource]) -> Iterator[ResultsSource]:
    """Yield the one file; of several, a temporary file with the rows of all."""
    if len(sources) == 1:
        yield sources[0]
        return
    with tempfile.NamedTemporaryFile(prefix="evalctl-", suffix=".jsonl") as file:
        for source in sources:
            file.writelines(line if line.endswith(b"\n") else line + b"\n" for line in source.path.open("rb"))
        file.flush()
        yield ResultsSource(Path(file.name), ", ".join(source.shown for source in sources))
