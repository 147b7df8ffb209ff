"""Rows of an earlier run, in any order, doubled, with errors or torn, become the file of a whole run."""

import json
import os
from collections.abc import Callable
from errno import ENOSPC
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentv_py.errors import Unwritable, UserError
from agentv_py.results import file as results_file
from agentv_py.results.part import Part
from agentv_py.run import case_index, row_places
from agentv_py.run.execute import execute
from agentv_py.run.plans import load_plans
from agentv_py.run.request import RunRequest
from agentv_py.run.resume import open_for_resume
from agentv_py.suite.selection import Selection

Write = Callable[[str, Any], Path]

_HEAD = b'{"evalctl":"rows of a resumed run; the next --resume takes them over"}\n'
_SUITE = """\
dataset: d.jsonl
evaluators: [{type: field_accuracy, fields: [{path: a}]}]
targets:
  - {name: one, type: recorded, predictions: one.jsonl}
  - {name: two, type: recorded, predictions: two.jsonl}
"""
_COUNT = 12
_CHANGES = st.sampled_from(["as it is", "error", "other case", "torn", "no line break"])
_LINES = st.lists(st.tuples(st.integers(0, 2 * _COUNT - 1), _CHANGES), max_size=30)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(file=_LINES, part=_LINES, in_order=st.booleans(), few=st.booleans())
def test_whatever_a_file_and_its_part_hold_becomes_the_file_of_a_whole_run(
    write: Write,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    file: list[tuple[int, str]],
    part: list[tuple[int, str]],
    in_order: bool,
    few: bool,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(case_index, "_FEW", 2**17 if few else 0)
    monkeypatch.setattr(row_places, "_PIECE", 700)
    whole = _run_whole(write)
    if in_order:
        file, part = sorted(file), sorted(part)
    (tmp_path / "r.jsonl").write_bytes(b"".join(_change_lines(whole, file)))
    (tmp_path / "r.jsonl.part").write_bytes(_HEAD + b"".join(_change_lines(whole, part)))
    valid = {n for lines in (file, part) for n, change in lines if change in ("as it is", "no line break")}
    assert execute(RunRequest(["s.yaml"], output="r.jsonl", resume=True)) == 1
    resumed = (tmp_path / "r.jsonl").read_bytes().splitlines(keepends=True)
    assert [_read(line) for line in resumed] == [_read(line) for line in whole]
    assert all(resumed[n] == whole[n] for n in valid)  # byte for byte, with the times of the earlier run
    assert not (tmp_path / "r.jsonl.part").exists()


def _run_whole(write: Write) -> list[bytes]:
    """Return the rows of a whole run. They are those of the first run of the test, times included."""
    if not Path("whole.jsonl").exists():
        write("s.yaml", _SUITE)
        cases = [{"id": f"c{n}", "expected": {"a": n}} for n in range(_COUNT)]
        write("d.jsonl", "".join(json.dumps(case) + "\n" for case in cases))
        for name in ("one", "two"):
            answers = [{"id": f"c{n}", "candidate": {"a": n if name == "one" else n % 5}} for n in range(_COUNT)]
            write(f"{name}.jsonl", "".join(json.dumps(answer) + "\n" for answer in answers))
        assert execute(RunRequest(["s.yaml"], output="whole.jsonl")) == 1
    return Path("whole.jsonl").read_bytes().splitlines(keepends=True)


def _change_lines(whole: list[bytes], changes: list[tuple[int, str]]) -> list[bytes]:
    """Return the lines of a damaged file. Only its last line may be torn, or lack its line break."""
    lines = [_change(whole[number], change) for number, change in changes]
    if changes and changes[-1][1] == "torn":
        lines[-1] = lines[-1][:50]
    elif changes and changes[-1][1] == "no line break":
        lines[-1] = lines[-1].rstrip(b"\n")
    return lines


def _change(line: bytes, change: str) -> bytes:
    row = json.loads(line)
    if change == "error":
        row |= {"status": "error", "error": {"kind": "x", "message": "x"}}
    elif change == "other case":
        row["fingerprint"] = row["fingerprint"][:9] + "00000000"
    return line if change not in ("error", "other case") else json.dumps(row).encode() + b"\n"


def _read(line: bytes) -> dict[str, Any]:
    row: dict[str, Any] = json.loads(line)
    for each in (row, *row["evaluator_results"]):
        each.pop("duration_ms")
    row.pop("timestamp")
    return row


def test_rows_of_wholly_right_cases_are_left_alone(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write("s.yaml", "dataset: d.jsonl\nevaluators: [{type: field_accuracy, fields: [{path: a}]}]\n")
    cases = [{"id": f"c{n}", "expected": {"a": n}, "candidate": {"a": n}} for n in range(20)]
    write("d.jsonl", "\n".join(json.dumps(case) for case in cases))
    assert execute(RunRequest(["s.yaml"], output="r.jsonl")) == 0
    whole = (tmp_path / "r.jsonl").read_bytes()
    with open_for_resume("r.jsonl", load_plans(["s.yaml"], Selection()), data=True, force=False) as earlier:
        assert earlier.warnings == []
    assert execute(RunRequest(["s.yaml"], output="r.jsonl", resume=True)) == 0
    assert (tmp_path / "r.jsonl").read_bytes() == whole


def test_ids_that_cannot_be_told_apart_are_an_error(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(case_index, "hash", lambda key: key[1] in ("c3", "c7"), raising=False)
    whole = _run_whole(write)
    for few in (2**17, 0):
        monkeypatch.setattr(case_index, "_FEW", few)
        (tmp_path / "r.jsonl").write_bytes(b"".join(reversed(whole)))
        with pytest.raises(UserError, match="the ids of two cases have the same hash in this process"):
            execute(RunRequest(["s.yaml"], output="r.jsonl", resume=True))


def test_a_case_that_a_later_row_was_scored_for_has_not_changed(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    whole = _run_whole(write)
    (tmp_path / "r.jsonl").write_bytes(b"".join([_change(whole[0], "other case"), *whole[1:]]))
    (tmp_path / "r.jsonl.part").write_bytes(_HEAD + whole[0])
    with open_for_resume("r.jsonl", load_plans(["s.yaml"], Selection()), data=True, force=False) as earlier:
        assert earlier.warnings == []
    assert (tmp_path / "r.jsonl").read_bytes() == b"".join(whole)


@pytest.mark.parametrize("is_seen", [True, False])
def test_a_file_that_is_cut_off_during_the_run_loses_no_other_row(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_seen: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    whole = _run_whole(write)
    (tmp_path / "r.jsonl").write_bytes(b"".join(whole[:9]))
    message = "was removed, replaced or overwritten during the run; the rows that are left are in r.rescued.jsonl"
    if not is_seen:  # until the rows are copied
        message = "was cut off during the run; --resume runs what is missing"
        monkeypatch.setattr(results_file.ResultsFile, "is_whole", lambda _: True)

    def resume_and_cut_off() -> None:
        with open_for_resume("r.jsonl", load_plans(["s.yaml"], Selection()), data=True, force=False) as earlier:
            earlier.write(whole[10])
            os.truncate("r.jsonl", len(whole[0]) + 20)

    with pytest.raises(UserError) as error:
        resume_and_cut_off()
    assert str(error.value) == f"r.jsonl: {message}"
    if is_seen:
        assert (tmp_path / "r.rescued.jsonl").read_bytes() == whole[0] + whole[10]
    assert (tmp_path / "r.jsonl.part").read_bytes() == _HEAD + whole[10]
    assert execute(RunRequest(["s.yaml"], output="r.jsonl", resume=True)) == 1
    resumed = (tmp_path / "r.jsonl").read_bytes().splitlines(keepends=True)
    assert ([_read(line) for line in resumed], resumed[10]) == ([_read(line) for line in whole], whole[10])


def test_a_part_without_its_first_line_does_not_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill_disk(*_: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(results_file, "write_all", fill_disk)
    with pytest.raises(Unwritable, match="No space left on device"):
        Part.create(str(tmp_path / "r.jsonl"))
    assert not list(tmp_path.iterdir())
