"""Any file of cases, cut anywhere and read by any number of processes, gives the cases and messages of one process."""

import json
import os
import signal
from array import array
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentv_py.errors import InputChanged, InvalidSuite
from agentv_py.models.policy import CallPolicy
from agentv_py.run import suite_run
from agentv_py.run.engines import Recovery, local
from agentv_py.run.execute import execute
from agentv_py.run.plans import load_plans
from agentv_py.run.request import RunRequest
from agentv_py.run.suite_run import SuiteRun
from agentv_py.suite import case_checker, unlabelled_checker
from agentv_py.suite.case_checker import CaseChecker, CheckTask, TaskFacts
from agentv_py.suite.case_ranges import CaseRange, SelectedRange, select_ranges
from agentv_py.suite.datasets import lines
from agentv_py.suite.load import load
from agentv_py.suite.selection import Selection

Write = Callable[[str, Any], Path]

_SUITE = """\
dataset: d.jsonl
evaluators:
  - type: field_accuracy
    fields: [{path: a, match: date}, {path: b, match: numeric_tolerance, tolerance: 1}]
  - {type: object_match, comparators: {a: exact}, default: date}
"""
_VALUES = st.sampled_from(["2025-01-02", "soon", "é\u2028\U0001f600", 1, 1.5, None, "", 10**30, {"c": 1}, [1, 2]])
_TREES = st.fixed_dictionaries({}, optional={"a": _VALUES, "b": _VALUES, "z": _VALUES})
_IDS = st.sampled_from(["x", "y", "ü", "", 7]) | st.uuids().map(str)
_ROWS = st.fixed_dictionaries(
    {"expected": _TREES, "candidate": _TREES},
    optional={
        "id": _IDS,
        "metadata": st.sampled_from([{"v": 1}, None, 5]),
        "tags": st.sampled_from([["t"], [1], None]),
        "expectd": st.just(1),
        "evaluators": st.just([{"type": "field_accuracy", "fields": [{"path": "q"}]}]),
    },
)
_VALID = st.builds(
    lambda id_, row: json.dumps({"id": str(id_)} | row),
    st.uuids(),
    st.fixed_dictionaries(
        {"candidate": _TREES}, optional={"expected": _TREES, "metadata": st.just({"v": 1}), "tags": st.just(["t"])}
    ),
)
_LINES = st.lists(_VALID | st.just(" "), min_size=6, max_size=30) | st.lists(
    st.one_of(
        _ROWS.map(lambda row: json.dumps(row, ensure_ascii=False)),
        _ROWS.map(json.dumps),
        st.sampled_from(["", "  ", "\r", "[1]", "{", '{"id": "k", "id": "l"}', '{"expected": {"a": "\\ud800"}}']),
    ),
    max_size=12,
)


def _load(size: int, *, jobs: int = 1) -> tuple[Any, ...]:
    """Load the suite with ranges of so many bytes; return everything that a user can see of it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "_SMALLEST", size)
        patch.setattr(lines, "_LARGEST", size)
        patch.setattr(case_checker, "_WORTH_SHARING", 0)
        patch.setattr(unlabelled_checker, "_MOST_CASES", 2)
        try:
            plan = load("s.yaml", Selection(), share=None if jobs == 1 else _share)
        except InvalidSuite as error:
            return (error.problems, error.omitted)
    return plan.warnings, plan.remarks, plan.selected, plan.plain, list(plan.read_raw_cases())


def _share(work: Callable[[CheckTask], TaskFacts | None], tasks: Iterable[CheckTask]) -> Iterator[TaskFacts | None]:
    return local.run(work, tasks, 2, recovery=Recovery(lambda task: [task], lambda _task, _how: None))


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    rows=_LINES,
    newline=st.sampled_from(["\n", "\r\n"]),
    start=st.sampled_from([b"", b"\xef\xbb\xbf"]),
    is_cut=st.booleans(),
    size=st.integers(1, 200),
)
def test_cases_and_messages_do_not_depend_on_ranges_and_processes(
    write: Write,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    rows: list[str],
    newline: str,
    start: bytes,
    is_cut: bool,
    size: int,
) -> None:
    monkeypatch.chdir(tmp_path)
    write("s.yaml", _SUITE)
    text = newline.join([*rows, ""])
    (tmp_path / "d.jsonl").write_bytes(start + (text.removesuffix(newline) if is_cut else text).encode())
    whole = _load(2**18)
    assert _load(size) == whole
    assert _load(size, jobs=2) == whole


@given(
    sizes=st.lists(st.integers(0, 5), max_size=8),
    chosen=st.lists(st.booleans(), min_size=40, max_size=40),
)
def test_the_selected_ranges_hold_the_selected_positions(sizes: list[int], chosen: list[bool]) -> None:
    firsts = [sum(sizes[:number]) for number in range(len(sizes))]
    ranges = [CaseRange(0, first, size) for first, size in zip(firsts, sizes, strict=True)]
    positions = array("q", (position for position in range(sum(sizes)) if chosen[position]))
    selected = list(select_ranges(ranges, positions))
    assert [position for part in selected for position in _list_positions(part)] == list(positions)
    assert all(part.cases == len(_list_positions(part)) > 0 for part in selected)


def _list_positions(part: SelectedRange) -> list[int]:
    return [part.range.first + number for number in (range(part.cases) if part.chosen is None else part.chosen)]


_FIELDS = "evaluators: [{type: field_accuracy, fields: [{path: a}]}]\n"
_CASES = [{"id": f"c{n}", "input": "é" * n, "expected": {"a": n}, "candidate": {"a": n % 20}} for n in range(30)]


@pytest.fixture
def small_ranges(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, write: Write) -> None:
    """Ranges of about three cases, each worth a process."""
    monkeypatch.chdir(tmp_path)
    for name in ("_SMALLEST", "_LARGEST"):
        monkeypatch.setattr(lines, name, 300)
    monkeypatch.setattr(suite_run, "_BYTES_WORTH_A_PROCESS", 0)
    monkeypatch.setattr(case_checker, "_WORTH_SHARING", 0)
    write("d.jsonl", "".join(json.dumps(case) + "\n" for case in _CASES))
    write("p.jsonl", "".join(json.dumps({"id": f"c{n}", "candidate": {"a": n % 10}}) + "\n" for n in range(29, -1, -1)))


@pytest.mark.usefixtures("small_ranges")
@pytest.mark.parametrize(
    "more", ["", "predictions: p.jsonl\n", "targets: [{name: t, type: recorded, predictions: p.jsonl}]\n"]
)
@pytest.mark.parametrize("flags", [{}, {"limit": 7}, {"cases": ["c1*", "c29"]}])
def test_rows_do_not_depend_on_the_number_of_processes(write: Write, more: str, flags: dict[str, Any]) -> None:
    write("s.yaml", f"dataset: d.jsonl\n{_FIELDS}{more}")
    alone, together = (_run(RunRequest(["s.yaml"], jobs=jobs, **flags)) for jobs in (1, 3))
    assert together == alone
    assert len(alone) == (12 if "cases" in flags else flags.get("limit", 30))


def _run(request: RunRequest) -> list[dict[str, Any]]:
    output = f"r{request.jobs}.jsonl"
    assert execute(request._replace(output=output)) in (0, 1)
    rows = [json.loads(line) for line in Path(output).read_text(encoding="utf-8").splitlines()]
    for row in rows:
        for part in (row, *row["evaluator_results"]):
            part.pop("duration_ms")
        row.pop("timestamp")
    return rows


def _edit(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b'"a": 16', b'"a": 61'))


@pytest.mark.usefixtures("small_ranges")
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("change", [_edit, lambda path: os.truncate(path, 2_000), Path.unlink])
def test_a_file_that_changes_after_its_check_ends_the_run_and_the_rows_before_are_kept(
    write: Write, jobs: int, change: Callable[[Path], None]
) -> None:
    write("s.yaml", f"dataset: d.jsonl\n{_FIELDS}")
    plan = load("s.yaml", Selection())
    change(Path("d.jsonl"))
    kept = list[bytes]()
    with pytest.raises(InputChanged, match=r"d\.jsonl: changed during the run"):
        kept.extend(bytes(scored.rows) for scored in SuiteRun(plan, jobs, policy=CallPolicy()).score())
    ids = [json.loads(row)["case_id"] for rows in kept for row in rows.splitlines()]
    assert ids[:10] == ([] if change is Path.unlink else [f"c{n}" for n in range(10)])
    assert "c16" not in ids


@pytest.mark.usefixtures("small_ranges")
def test_cases_are_checked_although_every_process_dies_that_should_check_them(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("s.yaml", f"dataset: d.jsonl\n{_FIELDS}")
    monkeypatch.setattr(unlabelled_checker, "_MOST_CASES", 2)
    alone = load("s.yaml", Selection())
    monkeypatch.setattr(CaseChecker, "check_task", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    [plan] = load_plans(["s.yaml"], Selection(), jobs=2)
    assert (plan.selected, plan.ranges) == (alone.selected, alone.ranges)
