"""Rows of an earlier run, in any order, doubled, with errors or torn, become the file of a whole run."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentv_py.run import case_index, row_places
from agentv_py.run.execute import execute
from agentv_py.run.request import RunRequest

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
