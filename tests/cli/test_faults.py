"""Faults of the machine and of files: what is written stays whole, the place is named, and no command ends in a traceback.

The table under "Faults" in evals/README.md lists them. Each line of it belongs to a test, here or in another file.
"""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl
from documents import read_table

Write = Callable[[str, Any], Path]

_TESTS = Path(__file__).parents[1]
_FAULTS = {
    "the disk is full": "cli/test_full_disk.py::test_a_disk_that_fills_up_in_the_middle_of_a_row_keeps_the_whole_rows",
    "the folder of the results cannot be written": "cli/test_faults.py::test_a_folder_that_cannot_be_written_is_named",
    "the reader of stdout leaves": "cli/test_exits.py::test_nobody_who_reads_stdout_ends_the_command_quietly",
    "two runs write one results file": "cli/test_results_file.py::test_a_run_that_is_resumed_is_not_disturbed_by_another",
    "the results file is removed, replaced or cut off": "cli/test_results_file.py::test_rows_whose_file_is_taken_away_are_saved_beside_it",
    "a dataset, predictions or a judge change, or are cut off": "cli/test_changed_inputs.py::test_a_file_that_changes_ends_the_run_as_an_error_and_its_rows_are_kept",
    "Ctrl-C": "cli/test_run.py::test_ctrl_c_keeps_whole_rows_and_leaves_nobody_behind",
    "SIGTERM, SIGHUP or SIGKILL": "cli/test_faults.py::test_a_signal_that_ends_the_run_leaves_whole_rows_to_resume",
    "the kernel or a crash ends a worker process of `-j` or of Ray": "engines/test_dead_workers.py::test_only_the_case_that_ends_every_worker_errs",
    "too little memory": "cli/test_exits.py::test_too_little_memory_is_said_plainly",
    "too many open files": "cli/test_exits.py::test_too_many_open_files_are_said_of_the_place_that_was_to_be_opened",
    "a row of many megabytes": "cli/test_faults.py::test_a_row_of_many_megabytes_is_scored_and_read_again",
    "a value of 1,000 levels": "cli/test_faults.py::test_a_row_that_no_reader_holds_is_named",
    "an integer of 100,000 digits": "cli/test_faults.py::test_a_row_that_no_reader_holds_is_named",
    "the clock jumps": "cli/test_faults.py::test_no_duration_and_no_deadline_reads_the_clock_of_the_wall",
    "the cache is damaged": "cli/test_faults.py::test_a_cache_that_is_damaged_is_named_and_can_be_left_out",
    "the last line of a results file is torn": "cli/test_report.py::test_a_torn_last_line_is_a_warning_and_other_damage_an_error",
    "a file is not a results file": "cli/test_faults.py::test_a_file_of_something_else_is_not_read_and_not_overwritten",
    "an input is not UTF-8": "cli/test_faults.py::test_bytes_that_are_no_text_are_named_with_their_place",
}  # fmt: skip


def test_every_line_of_the_table_has_a_test() -> None:
    lines = read_table("evals/README.md", "Faults", "fault", "what happens", "exit")
    assert [line[0] for line in lines] == list(_FAULTS)


@pytest.mark.parametrize("test", sorted(set(_FAULTS.values())))
def test_every_test_of_the_table_exists(test: str) -> None:
    file, _, name = test.partition("::")
    assert f"def {name}(" in (_TESTS / file).read_text(encoding="utf-8")


_SUITE: dict[str, Any] = {
    "evaluators": [{"type": "field_accuracy", "fields": [{"path": "a"}]}],
    "cases": [{"id": "good", "expected": {"a": 1}, "candidate": {"a": 1}}],
}


@pytest.mark.parametrize("folder", ["/proc", "/dev/null"])
def test_a_folder_that_cannot_be_written_is_named(evalctl: Evalctl, write: Write, folder: str) -> None:
    write("s.yaml", _SUITE)
    done = evalctl("run", "s.yaml", "-o", f"{folder}/r.jsonl")
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(f"error: {folder}/r.jsonl: cannot be written: .*; name another file with -o\n", done.stderr)


_JUDGE = """
import json, os, sys
for line in sys.stdin:
    question = json.loads(line)
    if question["case_id"] == "c4" and not os.path.exists("struck"):
        open("struck", "w").close()
        os.kill(os.getppid(), {signal})
        sys.stdin.read()  # until evalctl has ended
    print(json.dumps({{"score": 1, "sequence": question["sequence"]}}), flush=True)
"""


@pytest.mark.parametrize("struck", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL], ids=lambda one: one.name)
def test_a_signal_that_ends_the_run_leaves_whole_rows_to_resume(
    evalctl: Evalctl, write: Write, tmp_path: Path, struck: signal.Signals
) -> None:
    write("judge.py", _JUDGE.format(signal=int(struck)))
    judge = {"type": "code_judge", "script": "judge.py", "persistent": True}
    ids = [f"c{number}" for number in range(8)]
    write("s.yaml", {"evaluators": [judge], "cases": [{"id": one, "candidate": one} for one in ids]})
    assert evalctl("run", "s.yaml", "-o", "r.jsonl", "-j", "1").returncode in (-struck, 128 + struck)
    assert _read_ids(tmp_path / "r.jsonl") == ids[:4]
    assert evalctl("run", "s.yaml", "-o", "r.jsonl", "-j", "1", "--resume").returncode == 0
    assert _read_ids(tmp_path / "r.jsonl") == ids


def _read_ids(file: Path) -> list[str]:
    return [json.loads(line)["case_id"] for line in file.read_text(encoding="utf-8").splitlines()]


def test_a_row_of_many_megabytes_is_scored_and_read_again(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    value = {"a": "x" * 8_000_000}
    write("s.yaml", {"evaluators": _SUITE["evaluators"], "dataset": "d.jsonl"})
    write("d.jsonl", {"id": "long", "expected": value, "candidate": value})
    assert evalctl("run", "s.yaml", "-o", "r.jsonl").returncode == 0
    assert evalctl("report", "r.jsonl").returncode == 0
    [row] = (tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(row)["candidate"] == value


_PEAK = """\
import sys
from pathlib import Path
from agentv_py.cli import main
try:
    main()
except SystemExit:
    print(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell the peak memory of one program")
# A row that shares its range with others is copied once more.
@pytest.mark.parametrize(("shorter_rows", "times"), [(0, 3.2), (1, 4)])
def test_a_row_of_many_megabytes_takes_a_few_times_its_size(
    write: Write, tmp_path: Path, shorter_rows: int, times: float
) -> None:
    write("s.yaml", {"evaluators": _SUITE["evaluators"], "dataset": "d.jsonl"})
    peaks = []
    for size in (72, 108):  # so large that no allocator keeps what is freed
        values = [{"a": "x" * 500_000 * size}] + [{"a": "x"}] * shorter_rows
        rows = [{"id": f"c{n}", "expected": value, "candidate": value} for n, value in enumerate(values)]
        (tmp_path / "d.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        peaks.append(_measure_peak(tmp_path, "run", "s.yaml", "-q", "-o", "r.jsonl"))
    assert peaks[1] - peaks[0] < times * (108 - 72)


def _measure_peak(folder: Path, *arguments: str) -> float:
    """Return the most memory that a command takes, in MiB."""
    command = [sys.executable, "-c", _PEAK, *arguments]
    return int(subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout) / 1024


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell the peak memory of one program")
def test_the_memory_of_a_resumed_run_does_not_grow_with_the_finished_rows(
    evalctl: Evalctl, write: Write, tmp_path: Path
) -> None:
    write("s.yaml", {"evaluators": _SUITE["evaluators"], "dataset": "d.jsonl"})
    peaks = []
    for count in (5_000, 50_000):
        row = '{{"id": "c{}", "expected": {{"a": "x"}}, "candidate": {{"a": "x"}}}}\n'
        (tmp_path / "d.jsonl").write_text("".join(map(row.format, range(count))), encoding="utf-8")
        assert evalctl("run", "s.yaml", "-q", "-o", "r.jsonl").returncode == 0
        lines = (tmp_path / "r.jsonl").read_bytes().splitlines(keepends=True)
        (tmp_path / "r.jsonl").write_bytes(b"".join(lines[:-100]))
        peaks.append(_measure_peak(tmp_path, "run", "s.yaml", "-q", "-o", "r.jsonl", "--resume"))
        assert len((tmp_path / "r.jsonl").read_bytes().splitlines()) == count
    assert peaks[1] - peaks[0] < 10  # 45,000 rows more, of which each took a kilobyte once


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ('{"a":' * 1000 + "1" + "}" * 1000, "nested deeper than 200 levels"),
        ("9" * 100_000, "Exceeds the limit (4300 digits) for integer string conversion: value has 100000 digits"),
    ],
    ids=["levels", "digits"],
)
def test_a_row_that_no_reader_holds_is_named(evalctl: Evalctl, write: Write, value: str, reason: str) -> None:
    write("s.yaml", {"evaluators": _SUITE["evaluators"], "dataset": "d.jsonl"})
    write("d.jsonl", f'{{"id": "odd", "expected": {value}, "candidate": 1}}\n')
    done = evalctl("run", "s.yaml", "-o", "r.jsonl")
    assert (done.returncode, done.stderr) == (2, f"error: d.jsonl:1: not valid JSON: {reason}\n")


def test_no_duration_and_no_deadline_reads_the_clock_of_the_wall() -> None:
    readers = {
        str(file.relative_to(_TESTS.parent / "agentv_py"))
        for file in (_TESTS.parent / "agentv_py").rglob("*.py")
        if re.search(r"\btime\.time\(|from time import time\b|datetime\.now\(", file.read_text(encoding="utf-8"))
    }
    # The time in a row, in the name of a results file, and in the date of a Retry-After header.
    assert readers == {"run/scorer.py", "results/write.py", "models/retry.py"}


def test_a_cache_that_is_damaged_is_named_and_can_be_left_out(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    write(".evalctl/cache/answers.sqlite", b"no database\n" * 100)
    write("echo.py", "import sys\nprint(sys.stdin.read())\n")
    target = {"type": "command", "command": [sys.executable, "echo.py"]}
    cases = [{"id": "good", "input": {"a": 1}, "expected": {"a": 1}}]
    write("s.yaml", {"evaluators": _SUITE["evaluators"], "cases": cases, "target": target})
    done = evalctl("run", "s.yaml", "-o", "r.jsonl")
    reason = "cannot be used: file is not a database; remove it, or run with --no-cache"
    assert (done.returncode, done.stderr) == (2, f"error: .evalctl/cache/answers.sqlite: {reason}\n")
    assert evalctl("run", "s.yaml", "-o", "r.jsonl", "--no-cache").returncode == 0


@pytest.mark.parametrize("arguments", [["report"], ["diff", "foreign.jsonl"], ["trend"], ["run", "s.yaml", "-o"]])
def test_a_file_of_something_else_is_not_read_and_not_overwritten(
    evalctl: Evalctl, write: Write, arguments: list[str]
) -> None:
    write("s.yaml", _SUITE)
    file = write("foreign.jsonl", '{"kind": "something else"}\n')
    done = evalctl(*arguments, "foreign.jsonl")
    assert (done.returncode, done.stdout) == (2, "")
    assert re.match(r"error: foreign\.jsonl(:1: not a row of results|: exists and is not a results file)", done.stderr)
    assert file.read_text(encoding="utf-8") == '{"kind": "something else"}\n'


@pytest.mark.parametrize("name", ["s.yaml", "d.jsonl"])
def test_bytes_that_are_no_text_are_named_with_their_place(evalctl: Evalctl, write: Write, name: str) -> None:
    write("s.yaml", {"evaluators": _SUITE["evaluators"], "dataset": "d.jsonl"})
    write("d.jsonl", '{"id": "good", "expected": {"a": 1}, "candidate": {"a": 1}}\n')
    write(name, b'{"id": "\xff"}\n')
    done = evalctl("run", "s.yaml", "-o", "r.jsonl")
    assert (done.returncode, done.stdout) == (2, "")
    assert re.match(rf"error: {name}:1\b.*UTF-8", done.stderr), done.stderr
