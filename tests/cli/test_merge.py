"""`evalctl merge`: the results of shards become one file."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl
from rows import lines, row

Write = Callable[[str, Any], Path]


def _shard(number: int, of: int, ids: str, cases: int = 6, **more: Any) -> str:
    selection = {"cases": len(ids), "of": cases, "flags": f"--shard {number}/{of}"}
    return lines(*(row(name, 1.0, fingerprint=f"aaaaaaaa-0000000{n}", selection=selection, **more) for n, name in enumerate(ids)))  # fmt: skip


def _ids(file: Path) -> list[str]:
    return [json.loads(line)["case_id"] for line in file.read_text(encoding="utf-8").splitlines()]


def test_shards_become_the_file_of_the_whole_run_in_its_order(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    for number, ids in ((1, "cb"), (2, "ad"), (3, "fe")):
        write(f"{number}.jsonl", _shard(number, 3, ids))
    done = evalctl("merge", "3.jsonl", "1.jsonl", "2.jsonl", "-o", "all.jsonl")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "merged 3 files: 6 rows, in all.jsonl\n")
    assert _ids(tmp_path / "all.jsonl") == list("cbadfe")
    assert "selection" not in (tmp_path / "all.jsonl").read_text(encoding="utf-8")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["1.jsonl", "2.jsonl", "3.jsonl", "all.jsonl"]


def test_rows_of_several_suites_stay_together(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    for number, ids in ((1, "ab"), (2, "cd")):
        write(f"{number}.jsonl", _shard(number, 2, ids, 4) + _shard(number, 2, ids, 4, suite="t"))
    assert evalctl("merge", "2.jsonl", "1.jsonl", "-o", "all.jsonl", "-q").stderr == ""
    assert _ids(tmp_path / "all.jsonl") == [*"abcd", *"abcd"]


def test_files_that_are_no_shards_are_joined_byte_for_byte_in_their_order(evalctl: Evalctl, write: Write) -> None:
    one, two = lines(row("b", 1.0, target="x")), lines(row("b", 0.5, target="y"), row("a", 1.0, target="y"))
    write("one.jsonl", one.replace(", ", ",  ").rstrip("\n"))
    write("two.jsonl", two)
    assert evalctl("merge", "one.jsonl", "two.jsonl", "-o", "-", "-q").stdout == one.replace(", ", ",  ") + two


def test_other_flags_of_the_selection_stay(evalctl: Evalctl, write: Write) -> None:
    for number in (1, 2):
        selection = {"cases": 1, "of": 9, "flags": f"--tag slow, --shard {number}/2"}
        write(f"{number}.jsonl", lines(row(f"c{number}", 1.0, selection=selection)))
    rows = evalctl("merge", "1.jsonl", "2.jsonl", "-o", "-", "-q").stdout.splitlines()
    assert [json.loads(line)["selection"] for line in rows] == [{"cases": 2, "of": 9, "flags": "--tag slow"}] * 2


def test_a_shard_without_cases_need_not_be_there(evalctl: Evalctl, write: Write) -> None:
    write("2.jsonl", _shard(2, 2, "a", 1))
    done = evalctl("merge", "2.jsonl", "-o", "-", "-q")
    assert (done.returncode, done.stderr) == (0, "")
    assert "selection" not in done.stdout


def test_the_shards_of_a_run_are_the_run(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    cases = [{"id": f"c{n}", "expected": n, "candidate": n % 3} for n in range(7)]
    write("s.yaml", json.dumps({"evaluators": [{"type": "object_match", "comparators": "exact"}], "cases": cases}))
    evalctl("run", "s.yaml", "-o", "whole.jsonl", "-q")
    for number in range(1, 4):
        evalctl("run", "s.yaml", "-o", f"{number}.jsonl", "-q", "--shard", f"{number}/3")
    assert evalctl("merge", "2.jsonl", "1.jsonl", "3.jsonl", "-o", "all.jsonl").returncode == 0

    def read(name: str) -> list[dict[str, Any]]:
        changing = {"timestamp", "duration_ms", "evaluator_results"}
        rows = map(json.loads, (tmp_path / name).read_text(encoding="utf-8").splitlines())
        return [{key: value for key, value in row.items() if key not in changing} for row in rows]

    assert read("all.jsonl") == read("whole.jsonl")
    whole = evalctl("run", "s.yaml", "-o", "all.jsonl", "--resume", "--min-pass-rate", "0.4")
    assert (whole.returncode, "7 cases" in whole.stdout) == (0, True)


_HALF = _shard(1, 2, "abc")


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        (_shard(2, 2, "cde"), "a row is there twice: case 'c' of suite 's' is in 1.jsonl and 2.jsonl"),
        (_shard(2, 2, "dde"), "a row is there twice: case 'd' of suite 's' is twice in 2.jsonl"),
        (_shard(2, 3, "de"), "suite 's': 1.jsonl and 2.jsonl are of different selections: --shard 1/2, and --shard 2/3"),
        (_shard(2, 2, "def", 7), "suite 's': it has 6 cases in 1.jsonl and 7 cases in 2.jsonl"),
        (_shard(2, 2, "def").replace("aaaaaaaa-", "bbbbbbbb-"), "suite 's': other options or evaluators scored 1.jsonl and 2.jsonl"),
        (_shard(2, 2, "def").partition("\n")[0] + "\n", "suite 's': 2.jsonl has 1 of 3 cases; `evalctl run ... --resume` finishes it"),
        (lines(row("x", 1.0, suite="t")), "suite 's': no file holds shard 2/2"),
    ],
)  # fmt: skip
def test_files_that_do_not_fit_together_are_an_error(
    evalctl: Evalctl, write: Write, tmp_path: Path, other: str, reason: str
) -> None:
    write("1.jsonl", _HALF)
    write("2.jsonl", other)
    done = evalctl("merge", "1.jsonl", "2.jsonl", "-o", "all.jsonl")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"error: {reason}\n" in done.stderr
    assert done.stderr.endswith("error: nothing is written; --force merges the files as they are\n")
    assert not (tmp_path / "all.jsonl").exists()
    forced = evalctl("merge", "1.jsonl", "2.jsonl", "-o", "all.jsonl", "--force")
    assert forced.returncode == 0
    assert f"warning: {reason}\n" in forced.stderr
    assert len(_ids(tmp_path / "all.jsonl")) == (_HALF + other).count("\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("1.jsonl", "-o", "1.jsonl"), "error: 1.jsonl: is an input of this run; name another file with -o\n"),
        (("none.jsonl", "-o", "all.jsonl"), "error: none.jsonl: cannot be read: No such file or directory\n"),
        (("empty.jsonl", "-o", "all.jsonl"), "error: nothing to merge: no file holds a row\n"),
        (("1.jsonl", "-o", "notes.txt"), "error: notes.txt: exists and is not a results file; name another file with -o\n"),
    ],
)  # fmt: skip
def test_what_cannot_be_merged_is_exit_2(
    evalctl: Evalctl, write: Write, arguments: tuple[str, ...], message: str
) -> None:
    write("1.jsonl", lines(row("a", 1.0)))
    write("empty.jsonl", "")
    notes = write("notes.txt", "mine")
    done = evalctl("merge", *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)
    assert notes.read_text(encoding="utf-8") == "mine"


def test_a_torn_line_is_a_warning(evalctl: Evalctl, write: Write) -> None:
    write("1.jsonl", lines(row("a", 1.0)) + '{"timestamp": "2026')
    done = evalctl("merge", "1.jsonl", "-o", "-", "-q")
    assert (done.returncode, done.stderr) == (0, "warning: 1.jsonl:2: the last line is torn, and left out\n")
    assert done.stdout == lines(row("a", 1.0))
