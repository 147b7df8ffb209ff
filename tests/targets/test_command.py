"""A program as a target: one process per case, one for many cases, or one for all of them."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pipeline import plan_of, rows_of

from agentv_py.errors import InvalidSuite, Unwritable
from agentv_py.models.policy import CallPolicy
from agentv_py.run.asker import Asker
from agentv_py.run.session import run_plans

Write = Callable[[str, Any], Path]

_SERVE = """\
import json, os, sys
for line in sys.stdin:
    row = json.loads(line)
    if row["input"] == 1:
        {on_one}
    print(json.dumps({{"id": row["id"], "output": {{"a": row["input"], "pid": os.getpid()}}}}), flush=True)
"""


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _run(write: Write, script: str, inputs: list[Any] | None = None, **target: Any) -> list[Any]:
    return rows_of(_write_suite(write, script, inputs, **target))


def _write_suite(write: Write, script: str, inputs: list[Any] | None = None, **target: Any) -> Path:
    write("p.py", script)
    given = [0, 1, 2] if inputs is None else inputs
    rows = [{"id": f"c{n}", "input": value, "expected": {"a": n}} for n, value in enumerate(given)]
    suite = {
        "cases": rows,
        "evaluators": [{"type": "field_accuracy", "fields": [{"path": "a"}]}],
        "target": {"type": "command", "command": "p.py", "retries": 0} | target,
    }
    return write("s.yaml", suite)


def _outline(rows: list[Any]) -> list[Any]:
    return [row.get("error", {}).get("kind") or row["score"] for row in rows]


def test_the_input_is_on_stdin_and_the_answer_on_stdout(write: Write) -> None:
    rows = _run(write, "import json, sys\nprint(json.dumps({'output': {'a': json.load(sys.stdin)}, 'cost': 0.5}))")
    assert _outline(rows) == [1.0] * 3
    assert [(row["cost"], row["latency_ms"] > 0, row["target"]) for row in rows] == [(0.5, True, "command")] * 3


def test_text_on_stdout_is_an_answer_as_text(write: Write) -> None:
    rows = _run(write, "import sys\nprint('The answer is {\"a\":', sys.stdin.read(), '}')")
    assert _outline(rows) == [1.0] * 3
    assert isinstance(rows[0]["candidate"], str)


def test_templates_fill_in_the_command_line_and_name_an_output_file(write: Write, tmp_path: Path) -> None:
    script = (
        "import json, sys\n"
        "source, n, out = sys.argv[1:]\n"
        "assert not sys.stdin.read()\n"
        "json.dump({'a': int(n), 'text': open(source).read()}, open(out, 'w'))\n"
    )
    write("doc.txt", "words")
    inputs = [{"file": "doc.txt", "n": n} for n in range(3)]
    command = [sys.executable, "p.py", "{{input.file}}", "{{input.n}}", "{{output_file}}"]
    (tmp_path / "work").mkdir()
    write("work/p.py", script)
    rows = _run(write, script, inputs, command=command, cwd="work")
    assert _outline(rows) == [1.0] * 3, rows[0].get("error")
    assert rows[0]["candidate"]["text"] == "words"


@pytest.mark.parametrize(
    ("on_one", "kind", "words"),
    [
        ("sys.exit(3)", "exit", "the command exited with code 3; stderr: why"),
        ("os.kill(os.getpid(), 9)", "signal", "the command was ended by signal 9"),
        ("time.sleep(60)", "timeout", "the command took longer than 0.5 s"),
        ("print('x' * 11 * 2**20)", "output", "the command wrote more than 10 MiB"),
        ("sys.exit(0)", "no_answer", "the command exited with code 0 and wrote nothing to stdout"),
        ("print(json.dumps({'output': 1, 'cost': -1})); sys.exit(0)", "answer", "the command's cost is not a number"),
    ],
)
def test_a_command_that_fails_errs_its_case_alone(write: Write, on_one: str, kind: str, words: str) -> None:
    script = (
        "import json, os, sys, time\n"
        "given = json.load(sys.stdin)\n"
        "if given == 1:\n"
        "    print('why', file=sys.stderr, flush=True)\n"
        f"    {on_one}\n"
        "print(json.dumps({'a': given}))\n"
    )
    rows = _run(write, script, timeout=0.5 if kind == "timeout" else 20)
    assert _outline(rows) == [1.0, kind, 1.0]
    assert words in rows[1]["error"]["message"]


def test_a_persistent_command_serves_many_cases(write: Write) -> None:
    rows = _run(write, _SERVE.format(on_one="pass"), persistent=True, max_concurrency=1)
    assert _outline(rows) == [1.0] * 3
    assert len({row["candidate"]["pid"] for row in rows}) == 1


@pytest.mark.parametrize(
    ("on_one", "kind"),
    [
        ("sys.exit(4)", "exit"),
        ("print(json.dumps({'id': 'c0', 'output': 1}), flush=True)", "id"),
        ("print('log', flush=True)", "no_row"),
        ("print(json.dumps({'id': 'c1', 'error': 'blurred'}), flush=True); continue", "command"),
    ],
)
def test_a_persistent_command_that_fails_is_started_again_and_only_its_case_errs(
    write: Write, on_one: str, kind: str
) -> None:
    rows = _run(write, _SERVE.format(on_one=on_one), persistent=True, max_concurrency=1)
    assert _outline(rows) == [1.0, kind, 1.0]


_PIECES = """\
import json, os, sys
for line in sys.stdin:
    row = json.loads(line)
    print("a log", file=sys.stderr, flush=True)
    answer = json.dumps({"id": row["id"], "output": {"a": int(row["id"][1:]), "pid": os.getpid(), "b": row["input"]}})
    print(answer[:9], end="", flush=True)
    print(answer[9:], flush=True)
"""


def test_a_persistent_command_may_log_and_write_a_long_answer_in_pieces(write: Write) -> None:
    inputs = ["x" * 300_000, "y", "z" * 300_000]
    rows = _run(write, _PIECES, inputs, persistent=True, max_concurrency=1)
    assert _outline(rows) == [1.0] * 3
    assert [row["candidate"]["b"] for row in rows] == inputs
    assert len({row["candidate"]["pid"] for row in rows}) == 1


@pytest.mark.parametrize("on_one", ["import time; time.sleep(60)", "print('{', end='', flush=True); sys.stdin.read()"])
def test_a_persistent_command_that_is_late_errs_its_case_alone(write: Write, on_one: str) -> None:
    rows = _run(write, _SERVE.format(on_one=on_one), persistent=True, max_concurrency=1, timeout=1.5)
    assert _outline(rows) == [1.0, "timeout", 1.0]


def test_a_persistent_command_that_dies_between_cases_is_started_again(write: Write) -> None:
    script = _SERVE.format(on_one="pass") + "    sys.exit(0)\n"
    rows = _run(write, script, persistent=True, max_concurrency=1)
    assert _outline(rows) == [1.0] * 3
    assert len({row["candidate"]["pid"] for row in rows}) == 3


def test_a_batch_answers_all_cases_in_one_process_in_any_order(write: Write) -> None:
    script = (
        "import json, os, sys\n"
        "for line in reversed(list(sys.stdin)):\n"
        "    row = json.loads(line)\n"
        "    if row['input'] != 1:\n"
        "        print(json.dumps({'id': row['id'], 'output': {'a': row['input'], 'pid': os.getpid()}}))\n"
    )
    rows = _run(write, script, batch=True)
    assert _outline(rows) == [1.0, "no_answer", 1.0]
    assert len({row["candidate"]["pid"] for row in rows if "candidate" in row}) == 1


_PRICED_BATCH = (
    "import json, sys\n"
    "for line in sys.stdin:\n"
    "    row = json.loads(line)\n"
    "    print(json.dumps({'id': row['id'], 'output': {'a': row['input']}, 'cost': 2}))\n"
)


@pytest.mark.parametrize(("budget", "rows"), [("0", 0), ("5", 0), ("99", 3)])
def test_a_batch_is_paid_from_the_budget(write: Write, evalctl: Any, budget: str, rows: int) -> None:
    _write_suite(write, _PRICED_BATCH, batch=True, repeat=2)
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "--budget", budget)
    assert done.returncode == (0 if rows else 3)
    assert len(Path("r.jsonl").read_text().splitlines()) == rows
    assert ("the budget is spent" in done.stderr) == (rows == 0)


def test_answers_of_a_batch_are_kept_before_the_first_is_scored(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Asker, "submit", lambda *_: 1 / 0)  # the run ends here
    with pytest.raises(ZeroDivisionError):
        _run(write, _PRICED_BATCH, batch=True)
    with closing(sqlite3.connect(".evalctl/cache/answers.sqlite")) as cache:
        assert cache.execute("select count(*) from answers").fetchone() == (3,)


def test_a_batch_that_fails_errs_every_case(write: Write) -> None:
    assert _outline(_run(write, "import sys\nsys.exit(2)", batch=True)) == ["exit"] * 3


def test_a_missing_program_is_an_error_before_the_run(write: Write) -> None:
    with pytest.raises(InvalidSuite, match=r"target\.command: 'none\.py' is neither in"):
        _run(write, "", command="none.py")
    with pytest.raises(InvalidSuite, match=r"to start a program, write a list: \[cat, -\]"):
        _run(write, "", command="cat -")
    with pytest.raises(InvalidSuite, match="cannot name 'input'"):
        _run(write, "", command=[sys.executable, "p.py", "{{input}}"], persistent=True)
    with pytest.raises(InvalidSuite, match="unknown name 'inptu'"):
        _run(write, "", command=[sys.executable, "p.py", "{{inptu.file}}"])


def test_secrets_of_the_environment_are_in_nothing_that_is_written(write: Write, evalctl: Any, tmp_path: Path) -> None:
    secret = "sk-planted-0815"
    script = (
        "import json, os, sys\n"
        "n = json.load(sys.stdin)\n"
        "print(os.environ['KEY'], file=sys.stderr)\n"
        "if n == 1: sys.exit(os.environ['KEY'])\n"
        "print(json.dumps({'output': {'a': n, 'k': 'is ' + os.environ['KEY']}, 'trace': [os.environ['KEY']]}))\n"
    )
    write("p.py", script)
    suite = {
        "cases": [{"id": f"c{n}", "input": n, "expected": {"a": n}} for n in range(3)],
        "evaluators": [{"type": "object_match", "comparators": {"a": "exact"}, "default": "exact"}],
        "target": {"type": "command", "command": "p.py", "env": {"KEY": "${PLANTED}"}},
    }
    write("s.yaml", suite)
    said = ""
    for form in ("console", "json", "markdown", "csv", "junit", "html"):
        done = evalctl(
            "run", "s.yaml", "-o", "r.jsonl", "--format", form, "--report", "r.html", "--record", "p.jsonl",
            PLANTED=secret,
        )  # fmt: skip
        said += done.stdout + done.stderr
        assert done.returncode == 3, done
    said += evalctl("validate", "s.yaml", "--target", "command", PLANTED=secret).stdout
    assert secret not in said
    assert "[redacted]" in said
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any("cache" in path.parts for path in files)
    assert not [path for path in files if secret.encode() in path.read_bytes()]
    rows = [json.loads(line) for line in Path("r.jsonl").read_text().splitlines()]
    assert rows[0]["candidate"]["k"] == "is [redacted]"


_LASTING = """\
import json, os, sys, time
open("pids", "a").write(f"{os.getpid()}\\n")
for line in sys.stdin:
    row = json.loads(line)
    if row["input"] == 2:
        time.sleep(60)
    while row["input"] == 0 and open("pids").read().count("\\n") < 2:
        time.sleep(0.01)
    print(json.dumps({"id": row["id"], "output": {"a": row["input"]}}), flush=True)
"""


def _write_lasting(write: Write, *, persistent: bool) -> Path:
    write("p.py", _LASTING if persistent else _LASTING.replace("json.loads(line)", "{'id': '', 'input': int(line)}"))
    target = {"type": "command", "command": "p.py", "persistent": persistent, "max_concurrency": 2}
    cases = [{"id": f"c{n}", "input": n, "expected": {"a": n}} for n in (0, 2)]
    evaluators = [{"type": "field_accuracy", "fields": [{"path": "a"}]}]
    return write("s.yaml", {"cases": cases, "evaluators": evaluators, "target": target})


def _are_gone(count: int) -> bool:
    pids = Path("pids").read_text().split()
    deadline = time.monotonic() + 20
    while any(map(_is_alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return len(pids) == count and not any(map(_is_alive, pids))


def _is_alive(pid: str) -> bool:
    """Tell whether a process runs; one that has ended stays listed, without a command line, until its parent asks."""
    try:
        return bool(Path("/proc", pid, "cmdline").read_bytes())
    except OSError:
        return False


def test_persistent_programs_end_with_the_run(write: Write) -> None:
    assert _outline(_run(write, _LASTING, [1, 1], persistent=True, max_concurrency=1)) == [0.0, 1.0]
    assert _are_gone(1)


@pytest.mark.parametrize("persistent", [True, False])
def test_programs_end_if_the_run_fails(write: Write, persistent: bool) -> None:
    def fail(_cases: int) -> None:
        raise RuntimeError("the caller's own")

    suite = _write_lasting(write, persistent=persistent)
    with pytest.raises(RuntimeError, match="the caller's own") as raised:
        run_plans([plan_of(suite)], "r.jsonl", 1, fail, policy=CallPolicy("off"))
    assert raised.traceback  # which keeps the frames of the run
    assert _are_gone(2)
    Path("pids").unlink()
    with pytest.raises(Unwritable):
        run_plans([plan_of(suite)], "/dev/full", 1, lambda _cases: None, policy=CallPolicy("off"))
    assert _are_gone(2)


@pytest.mark.parametrize("persistent", [True, False])
def test_programs_end_after_ctrl_c(write: Write, persistent: bool) -> None:
    _write_lasting(write, persistent=persistent)
    command = [sys.executable, "-m", "agentv_py", "run", "s.yaml", "-o", "r.jsonl"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        while not (Path("r.jsonl").exists() and Path("r.jsonl").stat().st_size):
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGINT)
        process.communicate(timeout=20)
    assert process.returncode == 130
    assert _are_gone(2)


def _ask_about_messages(write: Write, script: str, command: list[str], **target: Any) -> Any:
    write("doc.txt", "the content\n")
    asked = [{"role": "user", "content": [{"type": "file", "value": "doc.txt"}, {"type": "text", "value": "Read it."}]}]
    [row] = _run(write, script, [asked], command=["python3", "p.py", *command], **target)
    return row.get("error") or row["candidate"]


def test_templates_name_the_prompt_the_files_and_the_attempt(write: Write, tmp_path: Path) -> None:
    script = "import json, sys\nprint(json.dumps([*sys.argv[1:], sys.stdin.read()]))"
    words = ["{{prompt}}", "{{files}}", "{{id}}-{{attempt}}"]
    assert _ask_about_messages(write, script, words) == [
        '<file path="doc.txt">\nthe content\n</file>\n\nRead it.',
        str(tmp_path / "doc.txt"),
        "c0-0",
        "",
    ]


def test_the_prompt_may_come_as_a_file(write: Write) -> None:
    script = "import sys\nprint(open(sys.argv[1]).read().upper())"
    answer = _ask_about_messages(write, script, ["{{prompt_file}}"])
    assert answer == '<FILE PATH="DOC.TXT">\nTHE CONTENT\n</FILE>\n\nREAD IT.'


_CALLS = [{"role": "assistant", "content": "", "tool_calls": [{"tool": "search", "input": {}}]}]


@pytest.mark.parametrize(
    ("written", "candidate", "facts"),
    [
        ("42", "42", {}),
        ('{"a": 1}', {"a": 1}, {}),
        ('{"text": "hi", "cost_usd": 0.5, "duration_ms": 7}', "hi", {"cost": 0.5, "latency_ms": 7}),
        (
            json.dumps({"output": [*_CALLS, {"role": "assistant", "content": "done"}], "token_usage": {"input": 2}}),
            "done",
            {"tokens": {"input": 2, "total": 2}, "trace": [*_CALLS, {"role": "assistant", "content": "done"}]},
        ),
        (json.dumps({"output_messages": _CALLS, "text": "t"}), "t", {"trace": _CALLS}),
    ],
)
def test_an_answer_in_the_form_of_agentv_is_understood(
    write: Write, written: str, candidate: Any, facts: dict[str, Any]
) -> None:
    [row] = _run(write, f"print({written!r})", [0], command=["python3", "p.py"], reply="agentv")
    known = {name: row[name] for name in ("cost", "tokens", "latency_ms", "trace") if name in facts}
    assert (row["candidate"], known) == (candidate, facts)


def test_an_answer_may_be_text_whatever_it_looks_like(write: Write) -> None:
    [row] = _run(write, "print('{\"output\":  1}')", [0], command=["python3", "p.py"], reply="text")
    assert row["candidate"] == '{"output":  1}'


def test_a_batch_may_write_rows_of_agentv_to_a_file(write: Write) -> None:
    script = (
        "import json, sys\nwith open(sys.argv[1], 'w') as out:\n  for line in sys.stdin:\n"
        "    row = json.loads(line)\n"
        "    print(json.dumps({'id': row['id'], 'text': json.dumps({'a': row['input']})}), file=out)"
    )
    rows = _run(write, script, command=["python3", "p.py", "{{output_file}}"], batch=True, reply="agentv")
    assert _outline(rows) == [1.0, 1.0, 1.0]


def test_a_healthcheck_runs_once_and_its_failure_is_the_error_of_every_case(write: Write) -> None:
    check = ["sh", "-c", "echo checked >> log; echo not today >&2; exit 3"]
    rows = _run(write, "print(1)", healthcheck=check)
    assert {row["error"]["message"] for row in rows} == {"the healthcheck exited with code 3; stderr: not today"}
    assert Path("log").read_text() == "checked\n"


def test_a_healthcheck_that_passes_changes_nothing(write: Write) -> None:
    assert _outline(_run(write, "import sys\nprint({'a': 1})", [0], healthcheck=["true"])) == [0.0]
