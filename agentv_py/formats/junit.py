"""Report → JUnit's XML for CI systems: what is wrong is a failure, what could not be told an error."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from agentv_py.errors import IN_XML, printable, without_commands
from agentv_py.report.diff.changes import changes
from agentv_py.report.diff.model import Diff, Move
from agentv_py.report.differences import differences, error_of
from agentv_py.report.kinds import Report
from agentv_py.report.summary import Summary
from agentv_py.report.trend import Trend
from agentv_py.results.row import Row

# A thousand years, in milliseconds.
_LONGEST = 1000 * 366 * 86_400_000


@dataclass(frozen=True, slots=True)
class _Case:
    suite: str
    name: str
    seconds: float = 0.0
    outcome: str = ""
    """`failure`, `error` or `skipped`; empty where all is well."""
    kind: str = ""
    message: str = ""
    lines: tuple[str, ...] = ()


def render(report: Report) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="evalctl">\n'
    counts = [(suite, _counts(cases)) for suite, cases in _suites(report)]  # they stand before the cases they count
    for (suite, cases), (_, counted) in zip(_suites(report), counts, strict=True):
        yield without_commands(f"<testsuite{_attributes(name=suite, **counted)}>\n", IN_XML)
        yield from (without_commands(_testcase(case), IN_XML) for case in cases)
        yield "</testsuite>\n"
    yield "</testsuites>\n"


def _suites(report: Report) -> Iterator[tuple[str, Iterator[_Case]]]:
    """Each run of cases of one suite, as it stands in the results."""
    if isinstance(report, Summary):
        return groupby(map(_of_row, report.rows()), key=lambda case: case.suite)
    cases = _of_diff(report) if isinstance(report, Diff) else _of_trend(report)
    return groupby(cases, key=lambda case: case.suite)


def _counts(cases: Iterable[_Case]) -> dict[str, str]:
    tests, seconds, outcomes = 0, 0.0, dict.fromkeys(("failure", "error", "skipped"), 0)
    for case in cases:
        tests, seconds = tests + 1, seconds + case.seconds
        if case.outcome:
            outcomes[case.outcome] += 1
    failures, errors, skipped = map(str, outcomes.values())
    return {"tests": str(tests), "failures": failures, "errors": errors, "skipped": skipped, "time": f"{seconds:.3f}"}


def _testcase(case: _Case) -> str:
    start = f"<testcase{_attributes(classname=case.suite, name=case.name, time=f'{case.seconds:.3f}')}"
    if not case.outcome:
        return f"{start}/>\n"
    if case.outcome == "skipped":
        return f"{start}><skipped{_attributes(message=case.message)}/></testcase>\n"
    why = f"<{case.outcome}{_attributes(message=case.message, type=case.kind)}>"
    text = escape("\n".join(map(printable, case.lines)))
    return f"{start}>{why}{text}</{case.outcome}></testcase>\n"


def _attributes(**values: str) -> str:
    return "".join(f" {name}={quoteattr(printable(value))}" for name, value in values.items())


def _of_row(row: Row) -> _Case:
    named = row["suite"], row["case_id"], _seconds(row)
    lines = tuple(map(str, differences(row)))
    if row["status"] == "error":
        kind, message = error_of(row)
        return _Case(*named, "error", kind, message or "the case erred", lines)
    if row["verdict"] == "pass":
        return _Case(*named)
    return _Case(*named, "failure", row["verdict"], f"score {row['score']:.3f}, {row['verdict']}", lines)


def _seconds(row: Row) -> float:
    """What a results file says may be anything; a time that no run can take counts as none."""
    found = row.get("duration_ms")
    return found / 1000 if isinstance(found, int | float) and 0 <= found < _LONGEST else 0.0


def _of_diff(diff: Diff) -> Iterator[_Case]:
    """A case that broke is a failure, one that passed and now errs an error, one without a partner skipped."""
    broken = {move.key: move for move in diff.broken}
    errored = {one.key for one in diff.newly_errored}
    for key in diff.baseline.cases:
        if key in broken:
            move = broken[key]
            message = f"score {move.baseline:.3f} before, {move.candidate:.3f} now"
            yield _Case(*key, outcome="failure", kind="broken", message=message, lines=_changed(diff, move))
        elif key in errored:
            yield _Case(*key, outcome="error", kind="errored", message="passed before, errs now")
        elif key in diff.candidate.cases:
            yield _Case(*key)
    for keys, side in ((diff.only_baseline, "baseline"), (diff.only_candidate, "candidate")):
        yield from (_Case(*key, outcome="skipped", message=f"only in the {side}") for key in keys)


def _changed(diff: Diff, move: Move) -> tuple[str, ...]:
    return tuple(map(str, changes(*diff.rows_of(move))))


def _of_trend(trend: Trend) -> Iterator[_Case]:
    for series in trend.series:
        for figure, slope in (("mean score", series.mean_score), ("pass rate", series.pass_rate)):
            if slope is not None and slope.falling:
                message = f"falls by {-slope.slope:.4f} from run to run"
                yield _Case(series.suite, figure, outcome="failure", kind="degrading", message=message)
            else:
                yield _Case(series.suite, figure)
