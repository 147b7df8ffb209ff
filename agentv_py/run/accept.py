"""An answer in results → the expected value of its case, or a further reading of it: the changed file of the case."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from agentv_py import jsontext
from agentv_py.case import ABSENT
from agentv_py.comparison.paths import ROOT, Step, attribute_of, join_path, join_steps, parse_path
from agentv_py.errors import Problem, UserError, did_you_mean, find_nearest
from agentv_py.report.row_values import parse_values
from agentv_py.results.read import ResultsSource, read_results
from agentv_py.results.row import Row
from agentv_py.run.accepted_value import Findings, accept_whole
from agentv_py.suite.edit.case_edit import FileEdit, FoundCase, edit_case, find_case
from agentv_py.suite.edit.span import Steps, is_same, list_changes, set_value
from agentv_py.suite.expected_values import read_expected_values
from agentv_py.suite.load import load
from agentv_py.suite.plan import Plan
from agentv_py.suite.selection import Selection
from agentv_py.suite.suite_folder import list_suites

_FOLDERS = (".", "evals")
"""Where a suite is looked for by its name."""


class ValueChange(NamedTuple):
    """A value of the expected value before and after; ABSENT if the expected value does not have the path."""

    path: str
    old: Any
    new: Any


class Acceptance(NamedTuple):
    edit: FileEdit
    changes: Sequence[ValueChange]


class AcceptRequest(NamedTuple):
    case_id: str
    fields: Sequence[str] = ()
    """Paths; the whole answer if there are none."""
    target: str | None = None
    reading: bool = False
    """Whether the answer becomes a further reading instead of the only one."""
    suite: str | None = None


def accept_answer(source: ResultsSource, request: AcceptRequest) -> Acceptance:
    """Return what must change so that an answer is right. Raises UserError if that is not possible."""
    row = _find_row(source, request)
    plan = load(request.suite or _find_suite(row["suite"]), Selection())
    if plan.name != row["suite"]:
        raise UserError(Problem(f"is the suite {plan.name!r}; the results are of {row['suite']!r}", "", plan.file))
    case = find_case(plan, row["case_id"])
    if case is None:
        raise UserError(Problem(f"has no case {row['case_id']!r} any more", "", plan.file))
    if not is_same(case.expected, row.get("expected", ABSENT)):
        what = f"the expected value of case {row['case_id']!r} is not that of the results; run the suite again"
        raise UserError(Problem(what, "", case.file.display_name, case.line))
    expected = _build_expected(row, case, plan, request)
    changes = [
        ValueChange(_join_steps(steps), _read(_parse(case.expected), steps), value)
        for steps, value in list_changes(_parse(case.expected), _parse(expected))
    ]
    if not changes:
        raise UserError(
            f"case {row['case_id']!r}: the answer is right already; --field accepts its spelling of a value"
        )
    return Acceptance(edit_case(case, expected), changes)


def _find_row(source: ResultsSource, request: AcceptRequest) -> Row:
    ids: dict[str, None] = {}
    found: list[Row] = []
    for row in read_results(source):
        if isinstance(row, Problem):
            continue
        ids[row["case_id"]] = None
        if row["case_id"] == request.case_id and request.target in (None, row.get("target")):
            found.append(row)
    if not found:
        target = f" by target {request.target!r}" if request.target is not None else ""
        near = did_you_mean(request.case_id, list(ids)) if request.case_id not in ids else ""
        raise UserError(Problem(f"has no row of case {request.case_id!r}{target}{near}", "", source.shown))
    if len(found) > 1:
        which = ", ".join(f"{row['suite']} · {row.get('target', 'no target')}" for row in found[:10])
        how = "choose one with --target" if len({row["suite"] for row in found}) == 1 else "merge no suites"
        raise UserError(Problem(f"case {request.case_id!r} has several rows ({which}); {how}", "", source.shown))
    if "candidate" not in found[0]:
        why = "has several answers" if "candidates" in found[0] else "has no answer in these results"
        raise UserError(Problem(f"case {request.case_id!r} {why}", "", source.shown))
    return found[0]


def _find_suite(name: str) -> str:
    found = [path for folder in _FOLDERS for path in list_suites(folder) if _name_suite(path) == name]
    if len(found) != 1:
        several = f"several files hold it ({', '.join(map(str, found))})" if found else "no file here holds it"
        raise UserError(f"suite {name!r}: {several}; name the suite file with --suite")
    return str(found[0])


def _name_suite(path: Path) -> str | None:
    from agentv_py.suite.yaml_document import read_yaml

    try:
        value = read_yaml(path, str(path)).value
    except UserError:
        return None
    name = value.get("name") if isinstance(value, dict) else None
    return str(name) if name is not None else path.stem


def _build_expected(row: Row, case: FoundCase, plan: Plan, request: AcceptRequest) -> Any:
    """Return the new expected value; text that holds JSON stays text."""
    _, answer = parse_values(row)
    old = _parse(case.expected)
    if not request.fields:
        is_value = isinstance(old, dict | list) or not isinstance(row["candidate"], str)
        whole = accept_whole(old, answer, Findings(row)) if is_value else row["candidate"]
        new = _add_reading(old, whole, ROOT, plan) if request.reading else whole
    else:
        new = old
        for field in request.fields:
            new = _accept_field(new, answer, field, plan, reading=request.reading)
    is_text = isinstance(case.expected, str) and isinstance(new, dict | list)
    return jsontext.dumps(new).decode() if is_text and isinstance(old, dict | list) else new


def _accept_field(expected: Any, answer: Any, field: str, plan: Plan, *, reading: bool) -> Any:
    path = parse_path(field)
    if path.steps is None or any(step.each for step in path.steps):
        raise UserError(f"--field {field!r}: must be the path of one value, such as invoice.total or items[0].price")
    value = path.build_getter()(answer)
    if value is ABSENT:
        raise UserError(f"--field {field!r}: the answer has no such value{_suggest_field(answer, path.steps)}")
    steps: list[str | int] = []
    below = expected
    for step in path.steps:
        is_index = isinstance(below, list) and step.number is not None
        steps.append(step.number if is_index and step.number is not None else step.key)
        below = _read(below, (steps[-1],))
    new = _add_reading(below, value, field, plan) if reading else value
    try:
        return set_value(expected, tuple(steps), new)
    except LookupError:
        raise UserError(f"--field {field!r}: the expected value has nothing above it; accept the part above") from None


def _suggest_field(answer: Any, steps: Sequence[Step]) -> str:
    """Suggest a path whose wrong step is replaced by a key that the answer has there."""
    below = answer
    for number, step in enumerate(steps):
        value = join_steps([step]).build_getter()(below)
        if value is ABSENT:
            near = find_nearest(step.key, list(below)) if isinstance(below, dict) else None
            return "" if near is None else f"; did you mean {join_steps([*steps[:number], Step(near, None)]).text!r}?"
        below = value
    return ""


def _add_reading(old: Any, value: Any, field: str, plan: Plan) -> list[Any]:
    """Return the values that `any_of` accepts at a field, with one more.

    Raises UserError if the field has no `any_of`, or accepts the value already.
    """
    if not _takes_readings(field, plan):
        raise UserError(
            f"{field}: no evaluator takes several readings of it; write `any_of: true` for it in {plan.file}"
        )
    readings = old if isinstance(old, list) else [] if old is ABSENT else [old]
    if any(is_same(reading, value) for reading in readings):
        raise UserError(f"{field}: {jsontext.dumps(value).decode()} is an accepted reading already")
    return [*readings, value]


def _takes_readings(field: str, plan: Plan) -> bool:
    def read_expected() -> Iterator[Any]:
        return read_expected_values(plan.file)

    rules = (rule for evaluator in plan.suite.evaluators or () for rule in evaluator.list_rules(read_expected))
    return any(
        rule.match is not None and rule.match.any_of and attribute_of(rule.path) == attribute_of(field)
        for rule in rules
    )


def _parse(value: Any) -> Any:
    """Return the value that text holds as JSON, else the value itself."""
    if not isinstance(value, str):
        return value
    try:
        parsed = jsontext.loads_text(value)
    except jsontext.NotJson:
        return value
    return parsed if isinstance(parsed, dict | list) else value


def _read(value: Any, steps: Steps) -> Any:
    for step in steps:
        if isinstance(value, dict):
            value = value.get(str(step), ABSENT)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return ABSENT
    return value


def _join_steps(steps: Steps) -> str:
    path = ""
    for step in steps:
        path = f"{path}[{step}]" if isinstance(step, int) else join_path(path, step)
    return path or ROOT
