"""Report → JUnit's XML for CI systems: a case that did not pass is a failure, an errored case an error.

Where a suite has gates, each is a test of its own. If the suite meets them, a case that did not pass is no failure: its
test passes, and says in its output what was wrong.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from agentv_py.errors import IN_XML, escape_commands, make_printable
from agentv_py.formats.group_figures import build_group_table
from agentv_py.formats.sections import Section, list_sections
from agentv_py.formats.slice_figures import build_slice_blocks
from agentv_py.formats.text import describe_flaky, format_count, format_gate
from agentv_py.report.diff.changes import list_distinct_changes
from agentv_py.report.diff.columns import CaseKey
from agentv_py.report.diff.model import Diff
from agentv_py.report.differences import list_differences, name_row, read_error
from agentv_py.report.suite_summary import SuiteSummary
from agentv_py.report.summary import Summary
from agentv_py.report.trend import Trend
from agentv_py.results.label import join_labels
from agentv_py.results.row import Row

if TYPE_CHECKING:
    from agentv_py.report import Report

_MOST_SLICES = 50
# A thousand years, in milliseconds.
_LONGEST = 1000 * 366 * 86_400_000


@dataclass(frozen=True, slots=True)
class _TestCase:
    suite: str
    name: str
    seconds: float = 0.0
    outcome: str = ""
    """`failure`, `error`, `skipped` or `system-out`, a remark; empty where the test passes without one."""
    kind: str = ""
    message: str = ""
    lines: tuple[str, ...] = ()


def render(report: "Report") -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="evalctl">\n'
    counts = [_count_outcomes(cases) for _, cases in _group_cases(report)]  # XML has them before the cases
    for (suite, cases), counted in zip(_group_cases(report), counts, strict=True):
        yield escape_commands(f"<testsuite{_write_attributes(name=suite, **counted)}>\n", IN_XML)
        if isinstance(report, Summary) and (properties := _list_properties(report, report.find_suite(suite))):
            yield escape_commands(_write_properties(properties), IN_XML)
        yield from (escape_commands(_write_case(case), IN_XML) for case in cases)
        yield "</testsuite>\n"
    yield "</testsuites>\n"


def _group_cases(report: "Report") -> Iterator[tuple[str, Iterator[_TestCase]]]:
    """Group consecutive cases of one suite, in the order of the results."""
    if isinstance(report, Summary):
        return groupby(_convert_summary(report), key=lambda case: case.suite)
    cases = _convert_diff(report) if isinstance(report, Diff) else _convert_trend(report)
    return groupby(cases, key=lambda case: case.suite)


def _count_outcomes(cases: Iterable[_TestCase]) -> dict[str, str]:
    tests, seconds, outcomes = 0, 0.0, dict.fromkeys(("failure", "error", "skipped"), 0)
    for case in cases:
        tests, seconds = tests + 1, seconds + case.seconds
        if case.outcome in outcomes:
            outcomes[case.outcome] += 1
    failures, errors, skipped = map(str, outcomes.values())
    return {"tests": str(tests), "failures": failures, "errors": errors, "skipped": skipped, "time": f"{seconds:.3f}"}


def _write_case(case: _TestCase) -> str:
    start = f"<testcase{_write_attributes(classname=case.suite, name=case.name, time=f'{case.seconds:.3f}')}"
    if not case.outcome:
        return f"{start}/>\n"
    if case.outcome == "system-out":
        text = escape("\n".join(map(make_printable, (case.message, *case.lines))))
        return f"{start}><system-out>{text}</system-out></testcase>\n"
    if case.outcome == "skipped":
        return f"{start}><skipped{_write_attributes(message=case.message)}/></testcase>\n"
    why = f"<{case.outcome}{_write_attributes(message=case.message, type=case.kind)}>"
    text = escape("\n".join(map(make_printable, case.lines)))
    return f"{start}>{why}{text}</{case.outcome}></testcase>\n"


def _write_attributes(**values: str) -> str:
    return "".join(f" {name}={quoteattr(make_printable(value))}" for name, value in values.items())


def _write_properties(properties: Mapping[str, str]) -> str:
    lines = (f"<property{_write_attributes(name=name, value=value)}/>\n" for name, value in properties.items())
    return f"<properties>\n{''.join(lines)}</properties>\n"


def _list_properties(summary: Summary, suite: SuiteSummary) -> dict[str, str]:
    """List the figures of a suite, of its targets or other groups, its gates, and what else the summary shows."""
    figures = {"cases": str(suite.cases)}
    if not summary.has_several_targets:
        figures |= {"pass_rate": f"{suite.pass_rate.value:.6g}", "mean_score": f"{suite.mean_score.value:.6g}"}
    plain = len(figures) if len(summary.suites) == 1 else 0
    figures |= {"label": join_labels(summary.labels)} if summary.labels else {}
    if summary.repeats.cases:
        figures["flaky"] = describe_flaky(summary.repeats)
    if summary.groups.members:
        table = build_group_table(summary.groups)
        figures |= {
            f"{table.by}.{name}.{label}": values[at]
            for at, name in enumerate(table.names)
            for label, values in table.lines
        }
    for block in build_slice_blocks(summary, _MOST_SLICES):
        if block.table.suite == suite.name:
            figures |= {
                f"slice.{block.title} = {line.value}": f"{format_count(line.cases, 'case')}: {line.pass_rate}"
                for line in block.lines
            }
    figures |= {f"gate.{gate.label}": format_gate(gate) for gate in suite.gates}
    for section in list_sections(summary):
        figures |= _list_section_properties(section)
    return figures if len(figures) > plain else {}


def _list_section_properties(section: Section) -> Iterator[tuple[str, str]]:
    for first, *values in section.rows:
        for head, value in zip(section.columns[1:], values, strict=True):
            yield f"{section.name}.{first.strip()}.{head}", value
    for number, remark in enumerate((*section.remarks, *section.warnings), 1):
        yield f"{section.name}.{number}", remark


def _convert_summary(summary: Summary) -> Iterator[_TestCase]:
    """Convert the cases of each suite in the order of the results, then the gates of the suite."""
    for name, rows in groupby(summary.rows(), key=lambda row: row["suite"]):
        suite = summary.find_suite(name)
        yield from (_convert_row(row, is_enough=suite.meets_gates) for row in rows)
        for gate in suite.gates:
            outcome = "" if gate.is_met else "failure"
            yield _TestCase(name, f"gate: {gate.label}", outcome=outcome, kind="gate", message=str(gate))


def _convert_row(row: Row, *, is_enough: bool) -> _TestCase:
    """Convert a row; `is_enough` says that the suite meets its gates although some cases do not pass."""
    identity = row["suite"], name_row(row), _read_seconds(row)
    lines = tuple(map(str, list_differences(row)))
    if row["status"] == "error":
        kind, message = read_error(row)
        return _TestCase(*identity, "error", kind, message or "the case erred", lines)
    if row["verdict"] == "pass":
        return _TestCase(*identity)
    outcome = "system-out" if is_enough else "failure"
    return _TestCase(*identity, outcome, row["verdict"], f"score {row['score']:.3f}, {row['verdict']}", lines)


def _read_seconds(row: Row) -> float:
    """Return the case's seconds; a duration that no run can take counts as none, because a file may hold anything."""
    duration = row.get("duration_ms")
    return duration / 1000 if isinstance(duration, int | float) and 0 <= duration < _LONGEST else 0.0


def _convert_diff(diff: Diff) -> Iterator[_TestCase]:
    """A broken case is a failure, a case that passed and now errs an error, a case of one side only is skipped."""
    broken = {case.key: case for case in diff.broken}
    errored = {case.key for case in diff.newly_errored}
    for plain_key in diff.baseline.cases:
        key = CaseKey(*plain_key)
        name = key.suite, key.name
        if key in broken:
            case = broken[key]
            message = f"score {case.baseline:.3f} before, {case.candidate:.3f} now"
            lines = tuple(map(str, list_distinct_changes(*diff.read_rows(case))))
            yield _TestCase(*name, outcome="failure", kind="broken", message=message, lines=lines)
        elif key in errored:
            yield _TestCase(*name, outcome="error", kind="errored", message="passed before, errs now")
        elif key in diff.candidate.cases:
            yield _TestCase(*name)
    for keys, side in ((diff.only_baseline, "baseline"), (diff.only_candidate, "candidate")):
        yield from (_TestCase(key.suite, key.name, outcome="skipped", message=f"only in the {side}") for key in keys)


def _convert_trend(trend: Trend) -> Iterator[_TestCase]:
    for series in trend.series:
        for figure, slope in (("mean score", series.mean_score), ("pass rate", series.pass_rate)):
            if slope is not None and slope.is_falling:
                message = f"falls by {-slope.slope:.4f} from run to run"
                yield _TestCase(series.suite, figure, outcome="failure", kind="degrading", message=message)
            else:
                yield _TestCase(series.suite, figure)
