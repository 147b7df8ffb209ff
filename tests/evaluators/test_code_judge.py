"""The wire, with real processes: what a judge is asked, what it may say, and every way to misbehave."""

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl
from pipeline import rows_of
from requirements import environment_without_coverage, require_program

from agentv_py.process.command_line import ScriptProblem, build_argv
from agentv_py.process.persistent import stop_persistent

Write = Callable[[str, Any], Path]

_GOOD = """
import json, sys
payload = json.load(sys.stdin)
print(json.dumps({"score": 1.0, "hits": ["ok"], "details": payload}))
"""
_LINE = """
import json, os, sys
for line in sys.stdin:
    payload = json.loads(line)
    exec(payload["input"] or "")
    print(json.dumps({"score": 1.0, "sequence": payload["sequence"], "details": {"pid": os.getpid()}}), flush=True)
"""


@pytest.fixture(autouse=True)
def _stopped() -> Iterator[None]:
    yield
    stop_persistent()


@pytest.fixture
def judged(write: Write) -> Callable[..., list[dict[str, Any]]]:
    """Rows of a suite with one code_judge, whose script is given as Python source."""

    def run(source: str, *cases: dict[str, Any], **options: Any) -> list[dict[str, Any]]:
        write("judge.py", source)
        others = options.pop("also", [])
        evaluator = {"type": "code_judge", "script": "judge.py", "timeout": 20, **options}
        numbered = [{"id": f"c{number}", **case} for number, case in enumerate(cases or ({"candidate": 1},))]
        return rows_of(write("s.yaml", {"evaluators": [evaluator, *others], "cases": numbered}))

    return run


def test_a_judge_gets_the_case_as_text_and_as_json_and_its_config_untouched(judged: Any) -> None:
    config = {"fields": [{"path": "a.b", "Threshold": 0.85}], "camelCase": {"z": 1, "a": None}, "threshold": 2}
    [row] = judged(
        _GOOD,
        {"input": {"q": "ü"}, "expected": {"b": 1, "a": [1.0]}, "candidate": 'Sure: {"b": 2}', "metadata": {"k": 1}},
        **config,
    )
    payload = row["evaluator_results"][0]["details"]
    assert payload == {
        "case_id": "c0",
        "candidate_answer": 'Sure: {"b": 2}',
        "reference_answer": '{"b":1,"a":[1.0]}',
        "candidate": {"b": 2},
        "expected": {"b": 1, "a": [1.0]},
        "input": {"q": "ü"},
        "question": '{"q":"ü"}',
        "metadata": {"k": 1},
        "trace": None,
        "config": config,
        "criteria": None,
        "expected_outcome": None,
        "expected_messages": [{"role": "assistant", "content": {"b": 1, "a": [1.0]}}],
        "expected_output": [{"role": "assistant", "content": {"b": 1, "a": [1.0]}}],
        "input_messages": [{"role": "user", "content": {"q": "ü"}}],
        "input_files": [],
        "guideline_files": [],
        "output": 'Sure: {"b": 2}',
        "output_messages": [{"role": "assistant", "content": 'Sure: {"b": 2}'}],
        "messages": [{"role": "assistant", "content": 'Sure: {"b": 2}'}],
        "token_usage": None,
        "cost_usd": None,
        "duration_ms": None,
    }
    assert list(payload["config"]["camelCase"]) == ["z", "a"]


def test_what_is_absent_is_null(judged: Any) -> None:
    [row] = judged(_GOOD, {"candidate": "plain text"})
    payload = row["evaluator_results"][0]["details"]
    absent = ("reference_answer", "expected", "input", "question", "metadata", "trace")
    assert ({key: payload[key] for key in absent}, payload["config"]) == (dict.fromkeys(absent), {})
    assert (payload["candidate"], payload["candidate_answer"]) == ("plain text", "plain text")


def test_a_judge_for_agentv_gets_messages_criteria_and_files_under_its_own_names(judged: Any) -> None:
    parts = [{"type": "file", "value": "a.json"}, {"type": "text", "value": " Read it. "}]
    asked = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": parts}]
    told = [{"role": "user", "content": "?"}, {"role": "assistant", "content": "yes"}]
    metadata = {"criteria": "says yes", "expected_messages": told}
    [row] = judged(_GOOD, {"input": asked, "expected": "yes", "candidate": "no", "metadata": metadata})
    payload = row["evaluator_results"][0]["details"]
    names = ("question", "criteria", "expected_outcome", "input_messages", "input_files", "expected_messages", "output")
    assert {name: payload[name] for name in names} == {
        "question": "Be brief.\n\nRead it.",
        "criteria": "says yes",
        "expected_outcome": "says yes",
        "input_messages": asked,
        "input_files": ["a.json"],
        "expected_messages": told,
        "output": "no",
    }


@pytest.mark.parametrize(
    ("reply", "score", "hits", "misses"),
    [
        ({}, 2 / 3, ["a", "c"], ["b"]),
        ({"score": 0.25}, 0.25, ["a", "c"], ["b"]),
        ({"hits": ["own"]}, 2 / 3, ["own"], ["b"]),
    ],
)
def test_a_judge_may_answer_with_assertions(
    judged: Any, reply: dict[str, Any], score: float, hits: list[str], misses: list[str]
) -> None:
    assertions = [{"text": text, "passed": text != "b", "evidence": "e"} for text in "abc"]
    source = f"print({json.dumps(json.dumps(reply | {'assertions': assertions}))})"
    [result] = judged(source)[0]["evaluator_results"]
    assert (result["score"], result["hits"], result["misses"]) == (score, hits, misses)
    assert result["details"] == {"assertions": assertions}


@pytest.mark.parametrize("assertions", [[], [{"text": "a"}], [{"text": 1, "passed": True}], "all"])
def test_assertions_that_cannot_be_read_are_no_score(judged: Any, assertions: Any) -> None:
    [row] = judged(f"print({json.dumps(json.dumps({'assertions': assertions}))})")
    assert (row["status"], row["error"]["kind"]) == ("error", "score")


def test_details_are_kept_as_they_are(judged: Any) -> None:
    details = {"nested": [{"ü": None}, 1.0, 1], "big": 123456789012345678901234567890, "metrics": "not counts"}
    source = f"print({json.dumps(json.dumps({'score': 0.5, 'details': details, 'reasoning': 'so', 'misses': ['m']}))})"
    [row] = judged(source)
    [result] = row["evaluator_results"]
    assert (result["details"], result["score"], result["reasoning"], result["misses"]) == (details, 0.5, "so", ["m"])


@pytest.mark.parametrize(
    ("script", "content"),
    [
        ("judge.py", "print('{\"score\": 1}')"),
        ("judge.sh", "echo '{\"score\": 1}'"),
        ("judge", "#!/bin/sh\necho '{\"score\": 1}'"),
        ("judge.js", "console.log('{\"score\": 1}')"),
        (["python3", "judge.py"], "import agentv_py.judge; print('{\"score\": 1}')"),
        (["sh", "-c", "echo '{\"score\": 1}'"], ""),
        (["sh", "-c", "test $# = 1 && test -z $1 && echo '{\"score\": 1}'", "me", ""], ""),
        (["python3", "judge.py", "", "x"], "import sys; print('{\"score\": %d}' % (sys.argv[1:] == ['', 'x']))"),
        ("other.py", "#!/bin/sh\necho '{\"score\": 1}'"),
        ("mine.py", "#!/usr/bin/env -S python2.7 -u\nimport agentv_py.judge; print('{\"score\": 1}')"),
    ],
)
def test_a_script_is_argv_or_a_path_with_a_shebang_or_a_suffix(write: Write, script: Any, content: str) -> None:
    if script == "judge.js":
        require_program("node", install="apt-get install nodejs")
    write("suites/" + (script if isinstance(script, str) else "judge.py"), content)
    suite = {"evaluators": [{"type": "code_judge", "script": script}], "cases": [{"id": "x", "candidate": 1}]}
    [row] = rows_of(write("suites/s.yaml", suite))
    assert row["score"] == 1.0, row


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"script": "none.py"}, "script: 'none.py' is neither in"),
        ({"script": ["python3", "none.py"]}, "script: 'none.py' is neither in"),
        ({"script": ["no-such-program"]}, "script: program 'no-such-program' is not on the PATH"),
        ({"script": ["./none"]}, "script: './none' is neither in"),
        ({"script": ["python3", "-u", "none.py"]}, "script: 'none.py' is neither in"),
        ({"script": ["bash", "none"]}, "script: 'none' is neither in"),
        ({"script": "strange"}, "script: 'strange' names an interpreter that is not there"),
        ({"script": "judge.py", "env": {"A=B": "x"}}, "env: 'A=B' cannot be set in an environment"),
        ({"script": ["python3"], "env": {"PATH": "/nowhere"}}, ""),
        ({"script": []}, "script: must not be empty"),
        ({"script": [""]}, "script: the first word is the program, and it is empty"),
        ({"script": "judge.py", "cwd": "nowhere"}, "cwd: "),
        ({"script": "judge.py", "timeout": 0}, "timeout: must be greater than 0"),
        ({"script": "judge.py", "env": {"A": 1}}, "env.A: must be text, not 1"),
        ({}, "script: is required"),
    ],
)
def test_a_judge_that_cannot_be_started_is_a_validation_error(
    evalctl: Evalctl, write: Write, options: dict[str, Any], problem: str
) -> None:
    write("judge.py", _GOOD)
    write("strange", "#!/no/such/program\n")
    write("s.yaml", {"evaluators": [{"type": "code_judge", **options}], "cases": [{"id": "x", "candidate": 1}]})
    done = evalctl("validate", "s.yaml")
    if not problem:  # evalctl's own folder comes first, whatever the PATH
        assert done.returncode == 0, done.stderr
        return
    assert done.returncode == 2
    assert f"evaluators[0].{problem}" in done.stderr


_TRACEBACK = "Traceback (most recent call last):\\n  File judge.py, line 3\\nKeyError: 'nope'\\n"
_STACK = (
    "judge.js:1\\nboom()\\n^\\n\\nError: nope\\n    at judge.js:1:7\\n    at " + "x" * 600 + "\\n\\nNode.js v20.1.0\\n"
)


@pytest.mark.parametrize(("stderr", "line"), [(_TRACEBACK, "KeyError: 'nope'"), (_STACK, "Error: nope")])
def test_the_exception_is_the_first_that_an_error_shows_of_stderr(judged: Any, stderr: str, line: str) -> None:
    [row] = judged(f'import sys; sys.exit("""{stderr}""")')
    assert row["error"]["message"].split("\n")[0] == f"the judge exited with code 1; stderr: {line}"


def test_a_terminal_shows_an_error_of_many_cases_once_with_its_lines(evalctl: Evalctl, write: Write) -> None:
    write("judge.py", f'import sys; sys.exit("""{_TRACEBACK}""")')
    write("other.py", "print('nothing')")
    cases = [{"id": f"c{number:02}", "candidate": 1} for number in range(12)]
    cases[3]["evaluators"] = [{"type": "code_judge", "script": "other.py"}]
    write("s.yaml", {"evaluators": [{"type": "code_judge", "script": "judge.py"}], "cases": cases})
    shown = evalctl("run", "s.yaml").stdout
    first = (
        " ! c00  error 0.000\n"
        "     code_judge: the judge exited with code 1; stderr: KeyError: 'nope'\n"
        "       Traceback (most recent call last):\n"
        "         File judge.py, line 3\n"
        "     the same error in 10 more cases\n"
        " ! c03  error 0.000\n"
    )
    assert first in shown
    assert ("c01" in shown, "more in the results" in shown) == (False, False)


# name → (source, error kind or None, part of the message)
_HOSTILE: dict[str, tuple[str, str | None, str]] = {
    "says nothing": ("pass", "no_json", "answered nothing"),
    "says prose": ("print('looks good to me')", "no_json", "is not JSON: 'looks good"),
    "logs before its JSON": ("print('loading'); print('{\"score\": 1}')", "no_json", "logs go to stderr"),
    "says two objects": ('print(\'{"score": 1} {"score": 0}\')', "no_json", "not JSON"),
    "says a list": ("print('[1]')", "no_json", "not a JSON object"),
    "says half an object": ("print('{\"score\": 1')", "no_json", "not JSON"),
    "says Latin-1": ('sys.stdout.buffer.write(b\'{"score": 1, "reasoning": "caf\\xe9"}\')', "no_json", "not JSON"),
    "nests without end": ("print('[' * 100000)", "no_json", "not JSON"),
    "has no score": ("print('{}')", "score", "not a number from 0 to 1: null"),
    "scores a text": ('print(\'{"score": "1"}\')', "score", "not a number"),
    "scores true": ("print('{\"score\": true}')", "score", "not a number"),
    "scores NaN": ("print('{\"score\": NaN}')", "score", "not a number"),
    "scores 1.5": ("print('{\"score\": 1.5}')", "score", "from 0 to 1: 1.5"),
    "scores below 0": ("print('{\"score\": -0.1}')", "score", "from 0 to 1: -0.1"),
    "scores 1e400": ("print('{\"score\": 1e400}')", "score", "not a number"),
    "has details that are a list": ('print(\'{"score": 1, "details": []}\')', "details", "details is not an object"),
    "has hits that are no texts": ('print(\'{"score": 1, "hits": [1]}\')', "hits", "hits is not a list of texts"),
    "has misses that are a text": ('print(\'{"score": 1, "misses": "x"}\')', "misses", "misses is not a list"),
    "has reasoning that is a number": ('print(\'{"score": 1, "reasoning": 1}\')', "reasoning", "reasoning is not text"),
    "exits with 3": ("print('why', file=sys.stderr); sys.exit(3)", "exit", "code 3; stderr: why"),
    "answers and exits with 3": ("print('{\"score\": 1}'); sys.exit(3)", "exit", "code 3"),
    "raises": ("raise ValueError('no key')", "exit", "ValueError: no key"),
    "kills itself": ("os.kill(os.getpid(), 9)", "signal", "signal 9"),
    "crashes": ("os.kill(os.getpid(), 11)", "signal", "signal 11"),
    "sleeps": ("time.sleep(600)", "timeout", "longer than 2 s"),
    "answers and sleeps": ("print('{\"score\": 1}', flush=True); time.sleep(600)", "timeout", "longer than 2 s"),
    "ignores SIGTERM": ("signal.signal(15, signal.SIG_IGN); time.sleep(600)", "timeout", "longer"),
    "stops itself": ("os.kill(os.getpid(), signal.SIGSTOP)", "timeout", "longer"),
    "closes its pipes and sleeps": ("os.close(0); os.close(1); os.close(2); time.sleep(600)", "timeout", "longer"),
    "floods stderr for ever": ("while True: sys.stderr.write('x' * 65536)", "timeout", "longer"),
    "floods stdout": ("for _ in range(1600): sys.stdout.write('x' * 65536)", "output", "more than 10 MiB"),
    "waits for its own child": ("subprocess.run(['sleep', '600'])", "timeout", "longer"),
    # These are odd, but no errors.
    "floods stderr and answers": ("sys.stderr.write('x' * 20_000_000); print('{\"score\": 1}')", None, ""),
    "never reads": ("print('{\"score\": 1}')", None, ""),
    "closes stdin": ("os.close(0); print('{\"score\": 1}')", None, ""),
    "leaves a child that holds its pipes": ("subprocess.Popen(['sleep', '600']); print('{\"score\": 1}')", None, ""),
    "leaves a daemon": (
        "subprocess.Popen(['setsid', 'sleep', '600'], start_new_session=True); time.sleep(0.2); print('{\"score\": 1}')",
        None,
        "",
    ),
    "says null where nothing is": ('print(\'{"score": 1, "hits": null, "details": null}\')', None, ""),
}


def test_no_judge_can_hang_crash_or_slow_the_rest(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    token = str(uuid.uuid4())
    cases: list[dict[str, Any]] = []
    for number, (name, (source, _, _)) in enumerate(_HOSTILE.items()):
        write(f"{number}.py", f"import os, signal, subprocess, sys, time\n{source}\n")
        judge = {"type": "code_judge", "script": f"{number}.py", "timeout": 2, "env": {"TOKEN": token}}
        # More than a pipe holds, so that whoever does not read is noticed.
        cases.append({"id": name, "candidate": "x" * 300_000, "evaluators": [judge]})
        cases.append({"id": f"after {name}", "candidate": 1, "evaluators": [judge | {"script": "good.py"}]})
    write("good.py", _GOOD)
    write("s.yaml", {"cases": cases})
    started = time.monotonic()
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "-j", "4", "--no-data")
    assert time.monotonic() - started < 60
    assert done.returncode == 3, done.stderr
    rows = {
        row["case_id"]: row for row in map(json.loads, (tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines())
    }
    assert list(rows) == [case["id"] for case in cases]
    for name, (_, kind, message) in _HOSTILE.items():
        row = rows[name]
        assert (row.get("error") or {}).get("kind") == kind, row
        assert message in (row.get("error") or {"message": ""})["message"]
        assert (row["status"], row["score"]) == (("ok", 1.0) if kind is None else ("error", 0.0)), row
        assert rows[f"after {name}"]["score"] == 1.0
    assert _bearing(token) == []


def test_a_persistent_judge_serves_many_cases_from_one_process(judged: Any) -> None:
    rows = judged(_LINE, *({"candidate": n} for n in range(20)), persistent=True)
    assert len({row["evaluator_results"][0]["details"]["pid"] for row in rows}) == 1


@pytest.mark.parametrize(
    ("deed", "kind"),
    [
        ("os._exit(0)", "exit"),
        ("os._exit(7)", "exit"),
        ("os.kill(os.getpid(), 9)", "signal"),
        ("import time; time.sleep(600)", "timeout"),
        ("print('a log line', flush=True)", "no_json"),
        ("print('a log line\\nand', end='', flush=True); import time; time.sleep(600)", "no_json"),
        ("sys.stdout.write('x' * 20_000_000)", "output"),
        ("print('{\"score\": 7}', flush=True); os._exit(0)", "score"),
    ],
)
def test_a_persistent_judge_that_fails_is_restarted_and_only_its_case_errs(judged: Any, deed: str, kind: str) -> None:
    rows = judged(
        _LINE, {"candidate": 1}, {"candidate": 1, "input": deed}, {"candidate": 1}, {"candidate": 1},
        persistent=True, timeout=2,
    )  # fmt: skip
    assert [row["status"] for row in rows] == ["ok", "error", "ok", "ok"], rows
    assert rows[1]["error"]["kind"] == kind
    pids = [row["evaluator_results"][0]["details"]["pid"] for row in rows if row["status"] == "ok"]
    assert pids[0] != pids[1]
    assert pids[1] == pids[2]


def test_what_a_persistent_judge_says_unasked_answers_nothing(judged: Any) -> None:
    twice = _LINE + """    import time; time.sleep(0.05); print('{"score": 0.25}', flush=True)\n"""
    pause = {"type": "code_judge", "name": "pause", "script": ["sh", "-c", """sleep 0.3; echo '{"score": 1}'"""]}
    rows = judged(twice, *({"candidate": n} for n in range(3)), persistent=True, also=[pause])
    assert [row["evaluator_results"][0]["score"] for row in rows] == [1.0, 1.0, 1.0]


def test_equal_judges_share_a_process_and_others_do_not(write: Write) -> None:
    write("judge.py", _LINE)
    judge = {"type": "code_judge", "script": "judge.py", "persistent": True}
    evaluators = [
        judge | {"name": "one"},
        judge | {"name": "two", "config": 5},
        judge | {"name": "three", "env": {"A": "1"}},
    ]
    [row] = rows_of(write("s.yaml", {"evaluators": evaluators, "cases": [{"id": "x", "candidate": 1}]}))
    one, two, three = (result["details"]["pid"] for result in row["evaluator_results"])
    assert one == two != three


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("persistent", [True, False])
def test_ctrl_c_ends_judges_too(write: Write, tmp_path: Path, jobs: str, persistent: bool) -> None:
    token = str(uuid.uuid4())
    write("judge.py", "import sys, time\nopen('started', 'a').close()\ntime.sleep(600)\n")
    judge = {"type": "code_judge", "script": "judge.py", "persistent": persistent, "env": {"TOKEN": token}}
    cases = [{"id": str(number), "candidate": 1} for number in range(4)]
    write("s.yaml", {"evaluators": [judge], "cases": cases})
    process = subprocess.Popen(
        [sys.executable, "-m", "agentv_py", "run", "s.yaml", "-q", "-o", "r.jsonl", "-j", jobs],
        cwd=tmp_path, env=environment_without_coverage(), stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    while not (tmp_path / "started").exists():
        assert process.poll() is None
        os.sched_yield()
    os.killpg(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr.strip()) == (130, "interrupted")
    assert _bearing(token) == []


def test_rows_of_judges_are_written_one_by_one(write: Write, tmp_path: Path) -> None:
    write(
        "judge.py",
        "import json, sys, time\np = json.load(sys.stdin)\nif p['case_id'] == '1': time.sleep(600)\nprint('{\"score\": 1}')\n",
    )
    judge = {"type": "code_judge", "script": "judge.py"}
    write("s.yaml", {"evaluators": [judge], "cases": [{"id": str(n), "candidate": 1} for n in range(2)]})
    command = [sys.executable, "-m", "agentv_py", "run", "s.yaml", "-q", "-o", "r.jsonl", "-j", "1"]
    environment = environment_without_coverage()
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL)
    results = tmp_path / "r.jsonl"
    while not (results.exists() and results.stat().st_size):
        assert process.poll() is None
        os.sched_yield()
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=60) == 143
    assert json.loads(results.read_text(encoding="utf-8"))["case_id"] == "0"


def _bearing(token: str) -> list[str]:
    """The processes that inherited a token, given the moment that a killed one takes to vanish."""
    found: list[str] = []
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        found = [path.parent.name for path in Path("/proc").glob("[0-9]*/environ") if token.encode() in _bytes(path)]
        if not found:
            break
    return found


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_a_judge_s_details_cannot_break_a_summary(evalctl: Evalctl, write: Write) -> None:
    odd = [
        {"metrics": {"a": {"tp": 1, "tn": 0, "fp": 0, "fn": -2}}},
        {"metrics": {"a": {"tp": 10**400, "tn": 0, "fp": 1 - 10**400, "fn": 0}}},
        {"metrics": {"a": 5, "b": {"tp": True}}},
        {"mismatches": [{"path": "a", "note": None, "expected": 1}, {"path": ["x"]}, 5, {"path": "m", "note": 5}]},
        {"mismatches": {"a": 1}, "alignment": 5},
    ]
    for number, details in enumerate(odd):
        write(
            f"{number}.py", f"print({json.dumps(json.dumps({'score': 0, 'misses': ['a', 'm'], 'details': details}))})"
        )
    cases = [
        {"id": str(n), "candidate": 1, "evaluators": [{"type": "code_judge", "script": f"{n}.py"}]}
        for n in range(len(odd))
    ]
    write("s.yaml", {"cases": cases})
    for form in ("console", "json", "markdown", "csv"):
        done = evalctl("run", "s.yaml", "-o", "r.jsonl", "--format", form)
        assert (done.returncode, done.stderr) == (1, "results: r.jsonl\n")
        assert evalctl("report", "r.jsonl", "--format", form).returncode == 0


def test_an_ignored_sigchld_does_not_make_failing_judges_pass(write: Write, tmp_path: Path) -> None:
    write("judge.py", """print('{"score": 1}'); raise SystemExit(3)\n""")
    write(
        "s.yaml", {"evaluators": [{"type": "code_judge", "script": "judge.py"}], "cases": [{"id": "x", "candidate": 1}]}
    )
    code = (
        "import os, signal, sys\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "os.execv(sys.executable, [sys.executable, '-m', 'agentv_py', 'run', 's.yaml', '-q'])"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=False).returncode == 3


def test_the_word_run_of_bun_and_deno_is_no_file(tmp_path: Path) -> None:
    for name in ("bun", "deno", "g.ts"):
        (tmp_path / name).write_text("#!/bin/sh\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    found, search = str(tmp_path / "g.ts"), str(tmp_path)
    assert build_argv(["bun", "run", "g.ts", "x"], tmp_path, search) == ["bun", "run", found, "x"]
    assert build_argv(["deno", "run", "-A", "g.ts"], tmp_path, search) == ["deno", "run", "-A", found]
    assert build_argv(["bun", "run", "grade"], tmp_path, search) == ["bun", "run", "grade"]
    for argv in (["bun", "run", "none.ts"], ["bun", "none"], ["deno", "g.js"]):
        with pytest.raises(ScriptProblem, match="is neither in"):
            build_argv(argv, tmp_path, search)
