"""The results file while a run writes it: nobody else's rows, no row lost, and an error where it was taken away."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import Commands
from conftest import Evalctl

Write = Callable[[str, Any], Path]

_CASES = 8
_JUDGE = """
import json, os, sys
for line in sys.stdin:
    question = json.loads(line)
    if question["case_id"] == "c4":
        {then}
    print(json.dumps({{"score": 1, "sequence": question["sequence"]}}), flush=True)
"""
_IDS = [f"c{n}" for n in range(_CASES)]


@pytest.fixture
def suite(write: Write) -> Callable[[str], None]:
    """A suite whose judge does something when it sees the fifth case."""

    def make(then: str = "pass") -> None:
        write("judge.py", _JUDGE.format(then=then))
        judge = {"type": "code_judge", "script": "judge.py", "persistent": True}
        cases = [{"id": one, "expected": one, "candidate": one} for one in _IDS]
        write("s.yaml", {"evaluators": [judge], "cases": cases})

    return make


def _ids(path: Path) -> list[str]:
    return [json.loads(line)["case_id"] for line in path.read_text(encoding="utf-8").splitlines()]


Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path, commands: Commands) -> Start:
    """Starts a run beside others."""

    def start_run(*arguments: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [commands.program, *arguments],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    return start_run


@pytest.mark.parametrize(
    "then",
    ["os.remove('r.jsonl')", "os.replace('judge.py', 'r.jsonl')", "os.rename('r.jsonl', 'elsewhere.jsonl')"],
    ids=["removed", "replaced", "renamed"],
)
@pytest.mark.parametrize("resume", [[], ["--resume"]], ids=["run", "resume"])
def test_rows_whose_file_is_taken_away_are_saved_beside_it(
    suite: Any, evalctl: Evalctl, tmp_path: Path, then: str, resume: list[str]
) -> None:
    suite(then)
    (tmp_path / "r.rescued.jsonl").write_text("the user's own", encoding="utf-8")
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "-j", "1", *resume)
    said = "r.jsonl: was removed, replaced or overwritten during the run; the rows that are left are in"
    assert (done.returncode, done.stdout) == (2, "")
    assert f"error: {said} r.rescued-2.jsonl\n" in done.stderr
    assert _ids(tmp_path / "r.rescued-2.jsonl") == _IDS
    assert (tmp_path / "r.rescued.jsonl").read_text(encoding="utf-8") == "the user's own"


@pytest.mark.parametrize("size", [0, 1000])
def test_a_file_that_is_cut_off_holds_no_hole_and_its_whole_rows_are_saved(
    suite: Any, evalctl: Evalctl, tmp_path: Path, size: int
) -> None:
    suite(f"os.truncate('r.jsonl', {size})")
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "-j", "1")
    assert (done.returncode, "the rows that are left are in r.rescued.jsonl" in done.stderr) == (2, True)
    assert b"\0" not in (tmp_path / "r.jsonl").read_bytes()
    saved = _ids(tmp_path / "r.rescued.jsonl")
    assert (saved[-3:], set(saved) <= set(_IDS)) == (["c5", "c6", "c7"], True)


def test_a_file_that_somebody_writes_into_is_not_taken_for_the_run_s(suite: Any, evalctl: Evalctl) -> None:
    suite("open('r.jsonl', 'a').write('a note\\n')")
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "-j", "1")
    assert (done.returncode, "r.jsonl: was removed, replaced or overwritten" in done.stderr) == (2, True)


def test_a_closed_standard_output_is_an_error_before_anything_runs(suite: Any, tmp_path: Path) -> None:
    suite("open('ran', 'w')")
    command = [sys.executable, "-m", "agentv_py", "run", "s.yaml", "-o", "-"]
    script = 'exec "$@" >&-'
    done = subprocess.run(
        ["sh", "-c", script, "sh", *command], cwd=tmp_path, stderr=subprocess.PIPE, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == "error: -o -: standard output is closed; name a file with -o\n"
    assert not (tmp_path / "ran").exists()


def test_files_of_the_user_s_beside_the_results_are_left_alone(suite: Any, evalctl: Evalctl, tmp_path: Path) -> None:
    suite()
    evalctl("run", "s.yaml", "-o", "r.jsonl")
    whole = (tmp_path / "r.jsonl").read_bytes()
    (tmp_path / "letter.txt").write_text("Dear all,", encoding="utf-8")
    (tmp_path / "r.jsonl.new").symlink_to("letter.txt")
    (tmp_path / "r.jsonl.part").write_bytes(whole)
    (tmp_path / "r.jsonl.part-2").symlink_to("letter.txt")
    lines = whole.splitlines(keepends=True)
    for rows, arguments in (([lines[1], lines[0]], ["--resume"]), ([], [])):
        (tmp_path / "r.jsonl").write_bytes(b"".join(rows))
        done = evalctl("run", "s.yaml", "-o", "r.jsonl", *arguments)
        assert (done.returncode, _ids(tmp_path / "r.jsonl")) == (0, _IDS), done.stderr
        assert (tmp_path / "letter.txt").read_text(encoding="utf-8") == "Dear all,"
        assert (tmp_path / "r.jsonl.part").read_bytes() == whole
    names = {path.name for path in tmp_path.iterdir()}
    beside = {"r.jsonl.new", "r.jsonl.part", "r.jsonl.part-2", "letter.txt"}
    assert names == {"s.yaml", "judge.py", "r.jsonl", *beside}


def test_a_resumed_file_stays_behind_its_link_and_keeps_its_mode(suite: Any, evalctl: Evalctl, tmp_path: Path) -> None:
    suite()
    evalctl("run", "s.yaml", "-o", "real.jsonl")
    whole = (tmp_path / "real.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "real.jsonl").write_bytes(b"".join(whole[3:5]))
    (tmp_path / "real.jsonl").chmod(0o640)
    (tmp_path / "r.jsonl").symlink_to("real.jsonl")
    assert evalctl("run", "s.yaml", "-o", "r.jsonl", "--resume").returncode == 0
    assert ((tmp_path / "r.jsonl").is_symlink(), _ids(tmp_path / "real.jsonl")) == (True, _IDS)
    assert (tmp_path / "real.jsonl").stat().st_mode & 0o777 == 0o640


def test_a_run_that_is_resumed_is_not_disturbed_by_another(
    suite: Any, tmp_path: Path, evalctl: Evalctl, start: Start
) -> None:
    """The judge waits in the middle of a resumed run, whose file was put in order before, until others have tried."""
    os.mkfifo(tmp_path / "reached")
    os.mkfifo(tmp_path / "gate")
    suite()
    evalctl("run", "s.yaml", "-o", "r.jsonl")
    whole = (tmp_path / "r.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "r.jsonl").write_bytes(b"".join([whole[2], whole[0], whole[1]]))
    suite("open('reached', 'w').close(), open('gate').read()")
    first = start("run", "s.yaml", "-o", "r.jsonl", "--resume", "--force", "-j", "1")
    (tmp_path / "reached").read_text(encoding="utf-8")
    for arguments in ([], ["--resume", "--force"]):
        other = evalctl("run", "s.yaml", "-o", "r.jsonl", *arguments)
        assert (other.returncode, "r.jsonl: another run is writing it" in other.stderr) == (2, True)
    (tmp_path / "gate").write_text("", encoding="utf-8")
    _, said = first.communicate()
    assert (first.returncode, _ids(tmp_path / "r.jsonl")) == (0, _IDS), said
    assert (tmp_path / "r.jsonl").read_bytes().startswith(b"".join(whole[:3]))


def test_two_runs_that_resume_one_file_at_once_lose_no_row(
    suite: Any, tmp_path: Path, evalctl: Evalctl, start: Start
) -> None:
    suite()
    evalctl("run", "s.yaml", "-o", "r.jsonl")
    whole = (tmp_path / "r.jsonl").read_bytes().splitlines(keepends=True)
    kept = [whole[6], whole[1], whole[3]]
    for _ in range(5):
        (tmp_path / "r.jsonl").write_bytes(b"".join(kept))
        runs = [start("run", "s.yaml", "-o", "r.jsonl", "--resume") for _ in range(2)]
        ends = [(run.communicate()[1], run.returncode) for run in runs]
        assert {code for _, code in ends} <= {0, 2}, ends
        assert all(code == 0 or "another run is writing it" in said for said, code in ends), ends
        assert (_ids(tmp_path / "r.jsonl"), 0 in [code for _, code in ends]) == (_IDS, True)
        after = (tmp_path / "r.jsonl").read_bytes().splitlines(keepends=True)
        assert [after[1], after[3], after[6]] == [whole[1], whole[3], whole[6]]


def test_a_file_that_is_overwritten_in_place_is_noticed_and_its_sound_rows_are_saved(
    suite: Any, evalctl: Evalctl, tmp_path: Path
) -> None:
    suite("open('r.jsonl', 'r+b').write(b'!' * 9)")
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "-j", "1")
    assert (done.returncode, "was removed, replaced or overwritten during the run" in done.stderr) == (2, True)
    assert _ids(tmp_path / "r.rescued.jsonl") == _IDS[1:]


def test_a_part_that_is_overwritten_in_place_is_noticed(suite: Any, evalctl: Evalctl) -> None:
    suite("os.pwrite(os.open('r.jsonl.part', os.O_RDWR), b'!' * 9, 200)")
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "-j", "1", "--resume")
    assert (done.returncode, "r.jsonl.part: was overwritten during the run" in done.stderr) == (2, True)
    suite()
    assert evalctl("run", "s.yaml", "-o", "r.jsonl", "-j", "1", "--resume", "--force").returncode == 0
