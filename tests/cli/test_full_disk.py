"""A disk that is full: the file that could not be written is named, its rows are whole, and none is lost."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl
from requirements import environment_without_coverage

Write = Callable[[str, Any], Path]

_ROWS = 300
_FULL = "cannot be written: File too large; make room and continue with --resume, or name another file with -o"


def test_a_part_that_cannot_be_written_is_named_first_and_its_rows_are_taken_over_later(
    write: Write, evalctl: Evalctl, tmp_path: Path
) -> None:
    value = {"a": "x" * 100}
    cases = [{"id": f"c{number}", "expected": value, "candidate": value} for number in range(_ROWS)]
    write("s.yaml", {"evaluators": [{"type": "object_match", "comparators": {"a": "exact"}}], "cases": cases})
    evalctl("run", "s.yaml", "-o", "r.jsonl", "-q")
    whole = (tmp_path / "r.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "r.jsonl").write_bytes(b"".join(whole[:3]))
    limited = f"ulimit -f 40; exec {sys.executable} -m agentv_py run s.yaml -o r.jsonl --resume -q"
    environment = environment_without_coverage()
    done = subprocess.run(
        ["bash", "-c", limited], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.splitlines()[0].endswith(f"/r.jsonl.part: {_FULL}")) == (2, True), done.stderr
    assert (tmp_path / "r.jsonl").read_bytes() == b"".join(whole[:3])
    assert evalctl("run", "s.yaml", "-o", "r.jsonl", "--resume", "-q").returncode == 0
    assert len((tmp_path / "r.jsonl").read_bytes().splitlines()) == _ROWS
    assert not (tmp_path / "r.jsonl.part").exists()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_disk_that_fills_up_in_the_middle_of_a_row_keeps_the_whole_rows(
    evalctl: Evalctl, write: Write, tmp_path: Path, jobs: str
) -> None:
    value = {"a": "x" * 200}
    rows = [{"id": f"case-{number}", "expected": value, "candidate": value} for number in range(3_000)]
    write("d.jsonl", "\n".join(map(json.dumps, rows)))
    write("s.yaml", {"evaluators": [{"type": "field_accuracy", "fields": [{"path": "a"}]}], "dataset": "d.jsonl"})
    arguments = "run", "s.yaml", "-o", "r.jsonl", "-j", jobs
    limited = (
        "import resource, sys; from agentv_py.cli import program; sys.argv = ['evalctl', *sys.argv[1:]];"
        " resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_001, 1_000_001)); program()"
    )
    done = subprocess.run(
        [sys.executable, "-c", limited, *arguments],
        cwd=tmp_path,
        env=environment_without_coverage(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, f"error: r.jsonl: {_FULL}\n")
    kept = (tmp_path / "r.jsonl").read_bytes()
    assert kept.endswith(b"}\n")
    assert 1_000 < len([json.loads(line) for line in kept.splitlines()]) < 3_000
    resumed = evalctl(*arguments, "--resume", "-q")
    assert (resumed.returncode, resumed.stderr) == (0, "")
    lines = (tmp_path / "r.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["case_id"] for line in lines] == [row["id"] for row in rows]
