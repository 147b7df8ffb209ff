"""Inputs that change while a run reads them: never a smaller run, never another case's answer, never a traceback."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl

Write = Callable[[str, Any], Path]

_CASES = 12
# More than is read from a file at once, so that the run meets the change in the middle.
_PADDING = "x" * 20_000
_JUDGE = """
import json, os, sys
for line in sys.stdin:
    question = json.loads(line)
    if question["case_id"] == "c2":
        {edit}
    print(json.dumps({{"score": 1, "sequence": question["sequence"]}}), flush=True)
"""
_SHORTEN = "os.truncate({file!r}, os.path.getsize({file!r}) // 2)"
_GROW = "open({file!r}, 'a').write(open({file!r}).read().replace('\"c', '\"d'))"
_EDIT = "text = open({file!r}).read().replace('padding', 'PADDING'); open({file!r}, 'r+').write(text)"
_ROTATE = (
    "rows = open({file!r}).read().splitlines(True); open({file!r}, 'r+').writelines(rows[:5] + rows[6:] + rows[5:6])"
)
_SPOIL = "open({file!r}, 'r+b').write(b'!' * os.path.getsize({file!r}))"
_EDITS = {
    "shorten": _SHORTEN,
    "grow": _GROW,
    "edit": _EDIT,
    "rotate": _ROTATE,
    "spoil": _SPOIL,
    "remove": "os.remove({file!r})",
    "touch": "os.utime({file!r}, (1, 1))",
}


@pytest.fixture
def suite(write: Write) -> Callable[..., None]:
    """A suite whose judge edits a file when it sees the third case."""

    def make(edit: str, **more: Any) -> None:
        ids = [f"c{n:x}" for n in range(_CASES)]
        rows = [{"id": one, "expected": one, "candidate": one, "padding": _PADDING} for one in ids]
        write("d.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
        answers = [{"id": one, "candidate": f"{one}{_PADDING}"} for one in ids]
        write("p.jsonl", "".join(f"{json.dumps(row)}\n" for row in answers))
        write("judge.py", _JUDGE.format(edit=edit))
        judge = {"type": "code_judge", "script": "judge.py", "persistent": True}
        write("s.yaml", {"dataset": "d.jsonl", "evaluators": [judge], **more})

    return make


@pytest.mark.parametrize("edit", _EDITS.values(), ids=_EDITS)
@pytest.mark.parametrize("file", ["d.jsonl", "p.jsonl"])
def test_a_file_that_changes_ends_the_run_as_an_error_and_its_rows_are_kept(
    suite: Any, evalctl: Evalctl, tmp_path: Path, edit: str, file: str
) -> None:
    suite(edit.format(file=file), predictions="p.jsonl")
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "-j", "1")
    said = f"error: {file}: changed during the run; the rows in r.jsonl may be of either version; run again\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)
    rows = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()]
    assert all(row["candidate"].startswith(row["case_id"]) for row in rows)
    assert len(rows) > 2


@pytest.mark.parametrize("file", ["s.yaml", "judge.py"])
def test_a_suite_and_a_judge_that_change_are_seen_as_well(suite: Any, evalctl: Evalctl, file: str) -> None:
    suite(f"open({file!r}, 'a').write('\\n#')")
    done = evalctl("run", "s.yaml", "-o", "-", "-j", "1")
    assert (done.returncode, len(done.stdout.splitlines())) == (2, _CASES)
    assert f"{file}: changed during the run; the rows in - may be of either version" in done.stderr


def test_rows_of_the_other_version_are_run_again_by_resume(suite: Any, evalctl: Evalctl, tmp_path: Path) -> None:
    suite("if 'padding' in open('d.jsonl').read(): " + _EDIT.format(file="d.jsonl"))
    assert evalctl("run", "s.yaml", "-o", "r.jsonl").returncode == 2
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "--resume")
    assert (done.returncode, "changed since, and run again" in done.stderr) == (0, True)
    rows = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [list(row["metadata"]) for row in rows] == [["PADDING"]] * _CASES


def test_rows_of_a_judge_that_changed_are_not_resumed(suite: Any, evalctl: Evalctl) -> None:
    suite("open('judge.py', 'a').write('\\n#')")
    assert evalctl("run", "s.yaml", "-o", "r.jsonl").returncode == 2
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "--resume")
    assert (done.returncode, "or a file that one reads, has changed since" in done.stderr) == (2, True)


@pytest.mark.parametrize("edit", [_SHORTEN, _SPOIL, _ROTATE], ids=["shorten", "spoil", "rotate"])
def test_a_resumed_run_sees_the_change_too(suite: Any, evalctl: Evalctl, tmp_path: Path, edit: str) -> None:
    suite("pass")
    assert evalctl("run", "s.yaml", "-o", "r.jsonl").returncode == 0
    whole = (tmp_path / "r.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "r.jsonl").write_bytes(b"".join(whole[:2]))
    suite(edit.format(file="d.jsonl"))
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "--resume", "--force", "-j", "1")
    after = (tmp_path / "r.jsonl").read_bytes().splitlines(keepends=True)
    assert (done.returncode, after[:2], len(after) > 2) == (2, whole[:2], True)
    assert "d.jsonl: changed during the run" in done.stderr


def test_a_file_that_is_only_linked_or_permitted_otherwise_is_the_same_file(
    suite: Any, evalctl: Evalctl, tmp_path: Path
) -> None:
    suite("os.link('d.jsonl', 'other.jsonl'), os.chmod('d.jsonl', 0o600)")
    done = evalctl("run", "s.yaml", "-o", "r.jsonl")
    assert (done.returncode, (tmp_path / "other.jsonl").exists()) == (0, True)


def test_an_edit_that_puts_the_old_time_back_is_seen_by_the_content(suite: Any, evalctl: Evalctl) -> None:
    then = "found = os.stat('d.jsonl'); " + _EDIT.format(file="d.jsonl")
    suite(then + "; os.utime('d.jsonl', ns=(found.st_atime_ns, found.st_mtime_ns))")
    done = evalctl("run", "s.yaml", "-o", "r.jsonl")
    assert (done.returncode, "d.jsonl: changed during the run" in done.stderr) == (2, True)


def test_a_file_that_a_judge_writes_is_no_input(write: Write, evalctl: Evalctl, tmp_path: Path) -> None:
    log = write("judge.log", "")
    write("judge.py", "import sys\nopen(sys.argv[1], 'a').write('asked')\nprint('{\"score\": 1}')\n")
    judge = {"type": "code_judge", "script": [sys.executable, "judge.py", str(log)]}
    write("s.yaml", {"evaluators": [judge], "cases": [{"id": "a", "candidate": 1}, {"id": "b", "candidate": 1}]})
    assert evalctl("run", "s.yaml", "-o", "r.jsonl", "-j", "1").returncode == 0
    assert log.read_text(encoding="utf-8") == "askedasked"
