"""A disk that is full while a run is resumed: the file that could not be written is named, and no row is lost."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from conftest import Evalctl
from requirements import environment_without_coverage

Write = Callable[[str, Any], Path]

_ROWS = 300
_FULL = "/r.jsonl.part: cannot be written: File too large; name another file with -o"


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
    assert (done.returncode, done.stderr.splitlines()[0].endswith(_FULL)) == (2, True), done.stderr
    assert (tmp_path / "r.jsonl").read_bytes() == b"".join(whole[:3])
    assert evalctl("run", "s.yaml", "-o", "r.jsonl", "--resume", "-q").returncode == 0
    assert len((tmp_path / "r.jsonl").read_bytes().splitlines()) == _ROWS
    assert not (tmp_path / "r.jsonl.part").exists()
