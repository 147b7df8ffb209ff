"""argv → exit code, and what is on which stream."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl
from requirements import environment_without_coverage

Write = Callable[[str, Any], Path]

_EVALUATORS = "evaluators: [{name: header, type: field_accuracy, fields: [{path: a}, {path: b}]}]\n"
_PASSING = "  - {id: good, tags: [x], expected: {a: 1, b: 2}, candidate: {a: 1, b: 2}}\n"
_FAILING = "  - {id: bad, expected: {a: 1, b: 2}, candidate: {a: 3, b: 4}}\n"
_ERRING = "  - {id: lost, expected: {a: 1, b: 2}}\n"


def _suite(*cases: str, more: str = "") -> str:
    return _EVALUATORS + more + "cases:\n" + "".join(cases)


@pytest.mark.parametrize(
    ("cases", "arguments", "code"),
    [
        ((_PASSING,), (), 0),
        ((_PASSING, _FAILING), (), 1),
        ((_PASSING, _FAILING, _ERRING), (), 3),
        ((_PASSING, _FAILING), ("--exit-zero",), 0),
        ((_PASSING, _ERRING), ("--exit-zero",), 0),
        ((_PASSING, _FAILING), ("--fail-under", "0.5"), 0),
        ((_PASSING, _FAILING), ("--fail-under", "0.51"), 1),
        ((_PASSING, _FAILING), ("--min-pass-rate", "0.5"), 0),
        ((_PASSING, _FAILING), ("--min-pass-rate", "0.5", "--fail-under", "0.6"), 1),
        ((_PASSING, _ERRING), ("--min-pass-rate", "0.1"), 3),
        ((_PASSING, _FAILING), ("--case", "good"), 0),
        ((_PASSING, _FAILING), ("--case", "bad"), 1),
        ((_PASSING, _FAILING), ("--tag", "x"), 0),
        ((_PASSING, _FAILING), ("--limit", "1"), 0),
        ((_PASSING, _FAILING), ("--case", "none"), 5),
        ((_PASSING, _FAILING), ("--limit", "0"), 5),
        ((_PASSING,), ("--fail-under", "2"), 2),
        ((_PASSING,), ("--nonsense",), 2),
        ((_PASSING,), ("-j", "0"), 2),
        ((_PASSING,), ("--format", "xml"), 2),
    ],
)  # fmt: skip
def test_the_exit_code_says_what_happened(
    evalctl: Evalctl, write: Write, cases: tuple[str, ...], arguments: tuple[str, ...], code: int
) -> None:
    write("s.yaml", _suite(*cases))
    assert evalctl("run", "s.yaml", *arguments).returncode == code


@pytest.mark.parametrize(
    ("gates", "arguments", "code"),
    [
        ("mean_score: 0.5", (), 0),
        ("mean_score: 0.6", (), 1),
        ("pass_rate: 0.5", (), 0),
        ("pass_rate: 0.6", ("--min-pass-rate", "0.4"), 0),
        ("pass_rate: 0.4", ("--fail-under", "0.9"), 1),
    ],
)
def test_gates_alone_decide_and_a_flag_overrides_the_suite(
    evalctl: Evalctl, write: Write, gates: str, arguments: tuple[str, ...], code: int
) -> None:
    write("s.yaml", _suite(_PASSING, _FAILING, more=f"gates: {{{gates}}}\n"))
    assert evalctl("run", "s.yaml", *arguments).returncode == code


def test_a_gate_that_was_nearly_met_is_told_with_enough_digits(evalctl: Evalctl, write: Write) -> None:
    write("s.yaml", _suite(_PASSING, _PASSING.replace("good", "better"), _FAILING))
    done = evalctl("run", "s.yaml", "--min-pass-rate", "0.6667")
    assert "gate missed: s: pass_rate 0.66667 is below the gate of 0.6667\n" in done.stderr


def test_one_error_is_one_error(evalctl: Evalctl, write: Write) -> None:
    write("s.yaml", _suite(_PASSING, _ERRING))
    assert "0 partial, 0 failed, 1 error\n" in evalctl("run", "s.yaml", "--format", "markdown").stdout


def test_nothing_runs_and_nothing_is_written_when_the_suite_is_invalid(
    evalctl: Evalctl, write: Write, tmp_path: Path
) -> None:
    write("s.yaml", "cases: [{id: a, expcted: 1}]\n")
    write("r.jsonl", '{"timestamp":"","case_id":"old"}\n')
    done = evalctl("run", "s.yaml", "-o", "r.jsonl")
    assert (done.returncode, done.stdout) == (2, "")
    assert "error: s.yaml:1:17: cases[0].expcted: unknown key 'expcted'; did you mean 'expected'?\n" in done.stderr
    assert (tmp_path / "r.jsonl").read_text(encoding="utf-8") == '{"timestamp":"","case_id":"old"}\n'


def test_an_empty_selection_is_exit_5_and_names_what_is_empty(evalctl: Evalctl, write: Write) -> None:
    write("none.yaml", _EVALUATORS + "cases: []\n")
    write("d.jsonl", "\n")
    write("s.yaml", _EVALUATORS + "dataset: d.jsonl\n")
    write("one.yaml", _suite(_PASSING))
    for arguments, what in (
        (["none.yaml"], "none.yaml: holds no case"),
        (["s.yaml"], "d.jsonl: holds no case"),
        (["one.yaml", "--case", "x*"], "one.yaml: no case fits --case 'x*'"),
        (["one.yaml", "--tag", "t", "--limit", "3"], "one.yaml: no case fits --tag t, --limit 3"),
        (
            ["one.yaml", "--case", "x", "--tag", "t", "--limit", "0"],
            "one.yaml: no case fits --case x, --tag t, --limit 0",
        ),
    ):
        done = evalctl("run", *arguments)
        assert (done.returncode, done.stderr) == (5, f"error: {what}, so nothing ran\n")


def test_results_go_to_a_file_the_summary_to_stdout_the_rest_to_stderr(
    evalctl: Evalctl, write: Write, tmp_path: Path
) -> None:
    write("s.yaml", _suite(_PASSING, _FAILING, _ERRING))
    done = evalctl("run", "s.yaml", "-o", "out/r.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "out/r.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(row["case_id"], row["status"], row["verdict"]) for row in rows] == [
        ("good", "ok", "pass"), ("bad", "ok", "fail"), ("lost", "error", "fail"),
    ]  # fmt: skip
    assert done.stderr == "results: out/r.jsonl\n"
    assert "✓ 1 passed   ◐ 0 partial   ✗ 1 failed   ! 1 error\n" in done.stdout
    assert "a  expected 1  got 3" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "\x1b" not in done.stdout


def test_a_row_has_the_keys_of_the_contract_in_their_order(evalctl: Evalctl, write: Write) -> None:
    write("s.yaml", _suite(_PASSING))
    [row] = map(json.loads, evalctl("run", "s.yaml", "-o", "-").stdout.splitlines())
    assert list(row) == [
        "timestamp", "suite", "case_id", "status", "score", "verdict", "hits", "misses", "reasoning", "expected",
        "candidate", "fingerprint", "evaluator_results", "duration_ms", "tags",
    ]  # fmt: skip
    assert list(row["evaluator_results"][0]) == [
        "name", "type", "weight", "score", "verdict", "hits", "misses", "reasoning", "details", "duration_ms",
    ]  # fmt: skip


def test_rows_on_stdout_leave_the_summary_to_stderr(evalctl: Evalctl, write: Write) -> None:
    write("s.yaml", _suite(_PASSING))
    done = evalctl("run", "s.yaml", "-o", "-", "--format", "json")
    assert json.loads(done.stdout)["case_id"] == "good"
    assert json.loads(done.stderr)["passed"] == 1


def test_quiet_prints_errors_only(evalctl: Evalctl, write: Write) -> None:
    write("s.yaml", _suite(_FAILING))
    done = evalctl("run", "s.yaml", "-q")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


def test_a_row_keeps_the_input(evalctl: Evalctl, write: Write) -> None:
    write("s.yaml", _suite(_PASSING.replace("id: good", "id: good, input: {text: read me}")))
    row = json.loads(evalctl("run", "s.yaml", "-o", "-").stdout)
    keys = list(row)
    assert (row["input"], keys[keys.index("input") + 1]) == ({"text": "read me"}, "expected")


def test_results_have_a_home_of_their_own(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    write("s.yaml", _suite(_PASSING, more="name: my suite/1\n"))
    for _ in range(3):
        assert evalctl("run", "s.yaml").returncode == 0
    names = sorted(path.name for path in (tmp_path / ".evalctl/results").iterdir())
    assert len(names) == 3
    assert all(re.fullmatch(r"my-suite-1-\d{8}T\d{6}Z(-\d)?\.jsonl", name) for name in names)


def test_several_suites_are_one_run(evalctl: Evalctl, write: Write) -> None:
    write("one.yaml", _suite(_PASSING))
    write("two.yaml", _suite(_FAILING, more="gates: {mean_score: 0}\n"))
    done = evalctl("run", "one.yaml", "two.yaml", "--format", "json", "-o", "r.jsonl")
    summary = json.loads(done.stdout)
    assert (done.returncode, summary["suites"], summary["cases"]) == (0, ["one", "two"], 2)
    assert evalctl("run", "one.yaml", "one.yaml").returncode == 2


def test_a_suite_that_is_named_twice_is_refused(evalctl: Evalctl, write: Write) -> None:
    write("s.yaml", _suite(_PASSING))
    done = evalctl("run", "s.yaml", "./s.yaml")
    assert (done.returncode, done.stderr) == (2, "error: ./s.yaml: is listed twice\n")


@pytest.mark.parametrize(
    ("columns", "lines"),
    [
        ("80", ['…ess.postal_code_of_destination  expected "1"  got "2"',
                'total                            expected 1  got "12 apples"  not a number']),
        ("140", ['shipment.consignee.address.postal_code_of_destination  expected "1"  got "2"',
                 'total                                                  expected 1  got "12 apples"  not a number']),
    ],
)  # fmt: skip
def test_a_long_path_is_cut_at_its_start_and_leaves_the_reason_its_room(
    evalctl: Evalctl, write: Write, columns: str, lines: list[str]
) -> None:
    path = "shipment.consignee.address.postal_code_of_destination"
    write("s.yaml", {
        "evaluators": [{"type": "field_accuracy",
                        "fields": [{"path": path}, {"path": "total", "match": "numeric_tolerance"}]}],
        "cases": [{"id": "a", "expected": {path: "1", "total": 1}, "candidate": {path: "2", "total": "12 apples"}}],
    })  # fmt: skip
    shown = evalctl("run", "s.yaml", COLUMNS=columns).stdout.split("fail 0.000\n")[1]
    assert [line.strip() for line in shown.splitlines()[:2]] == lines


def test_an_answer_that_is_no_json_is_shown(evalctl: Evalctl, write: Write) -> None:
    write("s.yaml", _suite("  - {id: a, expected: {a: 1, b: 1}, candidate: I cannot read this.}\n"))
    assert '     candidate  got "I cannot read this."  not valid JSON\n' in evalctl("run", "s.yaml").stdout
    markdown = evalctl("run", "s.yaml", "--format", "markdown").stdout
    assert '  - candidate: got "I cannot read this." (not valid JSON)\n' in markdown
    assert "     candidate (not valid JSON)\n" in evalctl("run", "s.yaml", "--no-data").stdout


@pytest.mark.parametrize("target", ["s.yaml", "d.jsonl", "notes.txt", ".", "s.yaml/x"])
def test_nothing_but_results_is_ever_overwritten(evalctl: Evalctl, write: Write, target: str, tmp_path: Path) -> None:
    write("s.yaml", _EVALUATORS + "dataset: d.jsonl\n")
    write("d.jsonl", '{"id": 1, "expected": {"a": 1, "b": 1}, "candidate": {"a": 1}}\n')
    write("notes.txt", "precious\n")
    done = evalctl("run", "s.yaml", "-o", target)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {target}: ")
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "precious\n"


def test_a_row_is_whole_though_right_cases_share_their_score(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    odd = [0, 0, 0, 2**70, "\ud800", 0, float("nan"), 1, 1]
    lines = [{"id": n, "expected": {"a": 1}, "candidate": {"a": 1, "b": one}} for n, one in enumerate(odd)]
    lines[7]["candidate"] = {"a": 2}
    write("d.jsonl", "\n".join(map(json.dumps, lines)))
    write("s.yaml", "evaluators: [{type: field_accuracy, fields: [{path: a}]}]\ndataset: d.jsonl\n")
    done = evalctl("run", "s.yaml", "-o", "r.jsonl")
    assert "a  expected 1  got 2" in done.stdout
    rows = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()]
    [wrong] = [row for row in rows if row["hits"] != ["a"]]
    assert wrong["case_id"] == "7"
    right = {"metrics": {"a": {"tp": 1, "tn": 0, "fp": 0, "fn": 0}}}
    results = [(one["hits"], one["details"]) for row in rows if row is not wrong for one in row["evaluator_results"]]
    assert results == [(["a"], right)] * 8
    assert [row["candidate"].get("b") for row in rows[:5]] == [0, 0, 0, 2**70, "\ud800"]


@pytest.mark.parametrize("jobs", ["2", "5"])
def test_rows_do_not_depend_on_the_number_of_processes(
    evalctl: Evalctl, write: Write, tmp_path: Path, jobs: str
) -> None:
    lines = [{"id": n, "expected": {"a": n, "b": n % 7}, "candidate": {"a": n, "b": n % 5}} for n in range(1_234)]
    write("d.jsonl", "\n".join(map(json.dumps, lines)))
    write("s.yaml", _EVALUATORS + "dataset: d.jsonl\n")
    one = evalctl("run", "s.yaml", "-o", "1.jsonl", "-j", "1", "--format", "json")
    many = evalctl("run", "s.yaml", "-o", "n.jsonl", "-j", jobs, "--format", "json")
    assert one.stdout == many.stdout
    assert _timeless(tmp_path / "1.jsonl") == _timeless(tmp_path / "n.jsonl")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_keeps_whole_rows_and_leaves_nobody_behind(write: Write, tmp_path: Path, jobs: str) -> None:
    told = "interrupted\nfinished rows are in r.jsonl; -o r.jsonl --resume continues\n"
    sizes = [0]
    for arguments, rows in (([], "r.jsonl"), (["--resume"], "r.jsonl.part")):
        process = _slow_run(write, tmp_path, jobs, arguments, rows)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
        _only_whole_rows(tmp_path / "r.jsonl")
        assert (process.returncode, stderr) == (130, told)
        assert _children_are_gone(process.pid)
        sizes.append((tmp_path / "r.jsonl").stat().st_size)
    assert sizes == sorted(set(sizes))


def test_kill_9_keeps_what_was_written_and_leaves_nobody_behind(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    process = _slow_run(write, tmp_path, "2")
    process.kill()
    process.communicate(timeout=60)
    # Linux gives a write up between two pages when its process is killed (of 60 plain writes of 150 kB that were
    # struck so, 55 were cut), so the last line may be torn. Every row before it is whole, and the file can be read.
    results = tmp_path / "r.jsonl"
    whole = results.read_bytes().rpartition(b"\n")[0].count(b"\n") + 1
    done = evalctl("report", "r.jsonl", "--format", "json")
    assert (done.returncode, json.loads(done.stdout)["cases"]) == (0, whole)
    assert _children_are_gone(process.pid)


def test_two_runs_into_one_file_do_not_mix(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    process = _slow_run(write, tmp_path, "1")
    process.send_signal(signal.SIGSTOP)  # so that it cannot end before the second run begins
    second = evalctl("run", "s.yaml", "-o", "r.jsonl", "--limit", "1", "-q")
    process.kill()
    process.communicate(timeout=60)
    assert second.returncode == 2
    assert second.stderr == "error: r.jsonl: another run is writing it; name another file with -o\n"


def test_a_reader_that_leaves_ends_the_run_quietly(write: Write, tmp_path: Path) -> None:
    rows = [{"id": n, "expected": {"a": n, "b": n}, "candidate": {"a": n}} for n in range(5_000)]
    write("d.jsonl", "\n".join(map(json.dumps, rows)))
    write("s.yaml", _EVALUATORS + "dataset: d.jsonl\n")
    command = [sys.executable, "-m", "agentv_py", "run", "s.yaml", "-o", "-"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_a_full_disk_is_said_plainly(evalctl: Evalctl, write: Write) -> None:
    write("s.yaml", _suite(_PASSING))
    done = evalctl("run", "s.yaml", "-o", "/dev/full")
    assert (done.returncode, done.stderr) == (
        2,
        "error: /dev/full: cannot be written: No space left on device; name another file with -o\n",
    )


def test_colour_is_for_terminals_and_no_color_wins(evalctl: Evalctl, write: Write) -> None:
    write("s.yaml", _suite(_FAILING))
    assert "\x1b[" in evalctl("run", "s.yaml", FORCE_COLOR="1", TERM="xterm").stdout
    assert "\x1b[3" not in evalctl("run", "s.yaml", FORCE_COLOR="1", TERM="xterm", NO_COLOR="1").stdout


def _slow_run(
    write: Write, tmp_path: Path, jobs: str, arguments: Sequence[str] = (), first_rows: str = "r.jsonl"
) -> "subprocess.Popen[str]":
    """A run of many cases, handed over once its first rows are on disk."""
    rows = [{"id": n, "expected": {"a": "x" * 300}, "candidate": {"a": "y" * 300}} for n in range(60_000)]
    write("d.jsonl", "\n".join(map(json.dumps, rows)))
    write(
        "s.yaml",
        "evaluators: [{type: field_accuracy, fields: [{path: a, match: fuzzy}]}]\ndataset: d.jsonl\n",
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "agentv_py", "run", "s.yaml", "-o", "r.jsonl", "-j", jobs, *arguments],
        cwd=tmp_path, env=environment_without_coverage(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    results = tmp_path / first_rows
    while not (results.exists() and results.stat().st_size > 200):  # a part begins with a short line of its own
        assert process.poll() is None
        os.sched_yield()
    return process


def _only_whole_rows(path: Path) -> None:
    data = path.read_bytes()
    assert data.endswith(b"\n")
    assert [json.loads(line)["case_id"] for line in data.splitlines()] == [str(n) for n in range(data.count(b"\n"))]


def _children_are_gone(group: int) -> bool:
    """The run was the leader of its own process group; a worker notices that it is alone when its pipe closes."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        # Where a test before this one has run a judge, orphans become this process's own and are its to bury.
        with suppress(ChildProcessError):
            os.waitpid(-group, os.WNOHANG)
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        os.sched_yield()
    return False


def _timeless(path: Path) -> list[Any]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        del row["timestamp"], row["duration_ms"]
        for result in row["evaluator_results"]:
            del result["duration_ms"]
    return rows


def test_gates_ask_nothing_of_a_suite_without_selected_cases(evalctl: Evalctl, write: Write) -> None:
    write("one.yaml", _suite(_PASSING))
    write("two.yaml", _suite(_FAILING))
    done = evalctl("run", "one.yaml", "two.yaml", "--case", "good", "--min-pass-rate", "0.5")
    assert (done.returncode, "gate missed" in done.stderr) == (0, False)


@pytest.mark.parametrize("redirect", [">&-", "2>&-", ">&- 2>&-"])
def test_a_closed_stream_is_no_reason_not_to_run(write: Write, tmp_path: Path, redirect: str) -> None:
    write("s.yaml", _suite(_PASSING))
    command = f"{sys.executable} -m agentv_py run s.yaml -o r.jsonl {redirect}"
    assert subprocess.run(["bash", "-c", command], cwd=tmp_path, check=False).returncode == 0
    _only_whole_rows_of(tmp_path / "r.jsonl", ["good"])


def test_a_full_stdout_is_said_plainly(write: Write, tmp_path: Path) -> None:
    write("s.yaml", _suite(_PASSING))
    for arguments in ("run s.yaml -o r.jsonl", "validate s.yaml", "schema"):
        command = f"{sys.executable} -m agentv_py {arguments} > /dev/full"
        done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert done.stderr.splitlines()[-1] == "error: standard output cannot be written: No space left on device"


def test_a_pipe_is_written_and_never_read(write: Write, tmp_path: Path) -> None:
    write("s.yaml", _suite(_PASSING))
    command = f"{sys.executable} -m agentv_py run s.yaml -q -o /dev/stdout | head -c 14"
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout == '{"timestamp":"'


def test_a_dataset_that_changes_during_the_run_is_named(write: Write, tmp_path: Path) -> None:
    process = _slow_run(write, tmp_path, "1")
    data = tmp_path / "d.jsonl"
    os.truncate(data, data.stat().st_size // 2 + 7)
    _, stderr = process.communicate(timeout=120)
    # Half of it may have been read before; then nothing was lost.
    assert process.returncode in (1, 2)
    assert "Traceback" not in stderr


def _only_whole_rows_of(path: Path, ids: list[str]) -> None:
    assert [json.loads(line)["case_id"] for line in path.read_text(encoding="utf-8").splitlines()] == ids
