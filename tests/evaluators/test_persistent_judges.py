"""A persistent judge that writes a line too many: no case is scored with another case's answer."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl
from pipeline import plan_of

from agentv_py.process.child import Command
from agentv_py.process.persistent import PersistentProcess, take_outcomes
from agentv_py.run import holdback
from agentv_py.run.session import Session, run_plans

Write = Callable[[str, Any], Path]
Run = Callable[..., tuple[Session, list[dict[str, Any]]]]

_CASES = 9
# Scores each case with a number of its own. Case `at` is answered twice: `delay` seconds late, or at the judge's end.
_JUDGE = """
import json, os, sys, threading, time
def write(answer):
    os.write(1, (json.dumps(answer) + "\\n").encode())
last = []
for line in sys.stdin:
    payload = json.loads(line)
    config = payload["config"]
    answer = {"score": payload["candidate"] / 100, "details": {"pid": os.getpid()}}
    answer |= {key: payload[key] for key in config.get("echo", [])}
    write(answer)
    if payload["candidate"] == config.get("at"):
        if config["delay"] == "end":
            last.append(answer)
        elif config["delay"]:
            threading.Timer(config["delay"], write, [answer]).start()
        else:
            write(answer)
    time.sleep(config.get("pace", 0))
for answer in last:
    write(answer)
"""


@pytest.fixture
def run(write: Write, tmp_path: Path) -> Run:
    """Runs cases whose right score is their candidate / 100 past one persistent judge."""

    def run_judge(jobs: int = 1, source: str = _JUDGE, cases: Any = None, **options: Any) -> Any:
        write("judge.py", source)
        script = [sys.executable, "-I", "-S", "judge.py"]
        judge = {"name": "mine", "type": "code_judge", "script": script, "persistent": True, "timeout": 20, **options}
        cases = cases or [{"id": f"c{number}", "candidate": number} for number in range(_CASES)]
        plan = plan_of(write("s.yaml", {"evaluators": [judge], "cases": cases}))
        output = tmp_path / "r.jsonl"
        session = run_plans([plan], str(output), jobs, lambda _: None)
        return session, [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]

    return run_judge


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("echo", [[], ["sequence"], ["sequence", "case_id"]])
@pytest.mark.parametrize("at", [0, 4])
@pytest.mark.parametrize("delay", [0, 0.001, 0.004])
def test_no_row_that_is_ok_has_another_case_s_score(
    run: Run, delay: float, at: int, echo: list[str], jobs: int
) -> None:
    session, rows = run(jobs, delay=delay, at=at, echo=echo, pace=0.002)
    assert [row["case_id"] for row in rows] == [f"c{number}" for number in range(_CASES)]
    fine = [row for row in rows if row["status"] == "ok"]
    assert [row for row in fine if row["score"] != row["candidate"] / 100] == []
    kinds = {row["error"]["kind"] for row in rows if row["status"] == "error"}
    assert kinds <= ({"sequence", "no_json"} if echo else {"extra_line", "no_json"})
    assert (session.whole.cases, session.whole.totals.errors) == (_CASES, _CASES - len(fine))
    if echo:
        assert len(fine) >= _CASES - 1
    else:
        assert rows[at]["status"] == "error"


@pytest.mark.parametrize("at", [0, _CASES - 1])
def test_a_line_too_many_makes_every_case_of_its_process_an_error_that_names_the_judge(run: Run, at: int) -> None:
    session, rows = run(delay="end", at=at)
    error = {
        "kind": "extra_line",
        "message": "the judge 'mine' wrote more lines than it had questions, so its answers cannot be matched to them;"
        " let it echo 'sequence'",
    }
    for row in rows:
        [result] = row["evaluator_results"]
        del row["timestamp"], row["duration_ms"], row["fingerprint"], result["duration_ms"]
    spoiled = {
        "score": 0.0, "verdict": "fail", "hits": [], "misses": [f"(extra_line: {error['message']})"],
        "reasoning": "the evaluator failed", "error": error,
    }  # fmt: skip
    assert rows == [
        {"suite": "s", "case_id": f"c{number}", "status": "error", **spoiled, "candidate": number,
         "evaluator_results": [{"name": "mine", "type": "code_judge", "weight": 1.0, **spoiled}]}
        for number in range(_CASES)
    ]  # fmt: skip
    assert (session.whole.totals.errors, session.whole.totals.failed, session.whole.totals.passed) == (_CASES, 0, 0)


def test_a_line_too_many_after_deep_details_is_an_error_as_well(run: Run) -> None:
    deep = '{"a":' * 198 + "1" + "}" * 198
    answer = f'{{"score": 1, "details": {deep}}}'
    source = f"import sys\nfor line in sys.stdin: print({answer!r}, flush=True)\nprint(1)\n"
    _, rows = run(source=source)
    assert [row["error"]["kind"] for row in rows] == ["extra_line"] * _CASES


def test_the_exit_code_says_that_cases_erred(evalctl: Evalctl, write: Write) -> None:
    write("judge.py", _JUDGE)
    judge = {"type": "code_judge", "script": "judge.py", "persistent": True, "at": 1, "delay": "end"}
    write("s.yaml", {"evaluators": [judge], "cases": [{"id": str(n), "candidate": n} for n in range(3)]})
    done = evalctl("run", "s.yaml", "-o", "r.jsonl")
    assert done.returncode == 3
    assert "the judge 'code_judge' wrote more lines" in " ".join(done.stdout.split())


def test_a_judge_that_echoes_a_wrong_question_errs_its_case_and_is_restarted(run: Run) -> None:
    lie = _JUDGE.replace(
        "    write(answer)\n", "    if payload['candidate'] == 4: answer |= config['lie']\n    write(answer)\n", 1
    )
    for key, value in (("sequence", 1), ("sequence", True), ("sequence", "5"), ("case_id", "c3"), ("case_id", None)):
        _, rows = run(source=lie, echo=["sequence", "case_id"], lie={key: value})
        assert [row["status"] for row in rows] == ["ok"] * 4 + ["error"] + ["ok"] * 4
        assert rows[4]["error"]["kind"] == key
        assert rows[4]["error"]["message"].startswith(f"the judge answered another question; the {key} is ")
        assert len({row["evaluator_results"][0]["details"]["pid"] for row in rows if row["status"] == "ok"}) == 2


def test_a_wrong_case_id_condemns_what_the_process_answered_before_without_a_sequence(run: Run) -> None:
    lie = _JUDGE.replace(
        "    write(answer)\n", "    if payload['candidate'] == 4: answer['case_id'] = 'c3'\n    write(answer)\n", 1
    )
    _, rows = run(source=lie)
    assert [row["status"] for row in rows] == ["error"] * 5 + ["ok"] * 4


def test_unknown_keys_of_an_answer_are_harmless(run: Run) -> None:
    _, rows = run(source=_JUDGE.replace('"details"', '"version": 3, "details"', 1))
    assert {row["status"] for row in rows} == {"ok"}


def test_a_judge_that_does_not_exit_when_its_stdin_closes_is_killed_after_its_timeout(run: Run) -> None:
    _, rows = run(source=f"{_JUDGE}\ntime.sleep(600)\n", timeout=0.3)
    assert [row["score"] for row in rows] == [number / 100 for number in range(_CASES)]


def test_what_it_writes_before_it_is_killed_counts(run: Run) -> None:
    _, rows = run(source=f"{_JUDGE}\nwrite(1)\ntime.sleep(600)\n", timeout=0.3)
    assert {row["status"] for row in rows} == {"error"}


def test_a_judge_that_dies_errs_its_current_case_alone(run: Run) -> None:
    dying = _JUDGE.replace("    config", "    if payload['candidate'] == 4: os._exit(7)\n    config", 1)
    _, rows = run(source=dying)
    assert [row["status"] for row in rows] == ["ok"] * 4 + ["error"] + ["ok"] * 4


@pytest.mark.parametrize("code", [0, 7])
def test_a_judge_that_fails_after_its_last_answer_cannot_be_trusted(tmp_path: Path, code: int) -> None:
    judge = PersistentProcess(Command(("sh", "-c", f"read line; echo 1; exit {code}"), str(tmp_path), ()))
    take_outcomes()  # of judges that other tests ended
    judge.ask(b"a\n", 20)
    judge.is_unverified = True
    ended = judge.lifetime
    with suppress(ChildProcessError):  # on a busy machine its exit is noticed earlier
        os.waitid(os.P_PID, judge.pid or 0, os.WEXITED | os.WNOWAIT)
    judge.ask(b"b\n", 20)
    judge.kill()
    assert take_outcomes() == {ended: code == 0}


# Answers every case after `at` with the answer of the case before it, and fails when it has done so for case 6.
_LATE = """
import json, os, select, sys, time
def read():
    line = b""
    while not line.endswith(b"\\n"):
        line += os.read(0, 1) or sys.exit(0)
    return json.loads(line)
previous = None
while True:
    payload = read()
    number, config = payload["candidate"], payload["config"]
    answer = {"score": number / 100}
    is_late = previous is not None and number > config["at"]
    os.write(1, (json.dumps(previous if is_late else answer) + "\\n").encode())
    previous = answer
    if number == 6:
        select.select([0], [], [])
        time.sleep(600) if config["fails"] == "hangs" else os._exit(7)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell whether a question was read")
@pytest.mark.parametrize("fails", ["hangs", "dies"])
def test_a_judge_that_fails_over_a_case_that_seems_answered_is_not_trusted(run: Run, fails: str) -> None:
    _, rows = run(source=_LATE, at=2, fails=fails, timeout=0.5)
    assert [row["status"] for row in rows] == ["error"] * 8 + ["ok"]
    assert rows[7]["error"]["kind"] == ("timeout" if fails == "hangs" else "exit")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell whether a question was read")
def test_an_answer_that_comes_before_its_question_is_read_is_not_trusted(tmp_path: Path) -> None:
    script = "read line; echo 1; sleep 0.2; echo 1; exec sleep 600"
    judge = PersistentProcess(Command(("sh", "-c", script), str(tmp_path), (("PATH", os.environ["PATH"]),)))
    take_outcomes()  # of judges that other tests ended
    judge.ask(b"a\n", 20)
    judge.is_unverified = True
    ended = judge.lifetime
    judge.ask(b"b\n", 20)
    judge.ask(b"c\n", 20)
    judge.kill()
    assert (take_outcomes(), judge.lifetime != ended) == ({ended: False}, True)


@pytest.mark.parametrize("jobs", [1, 2])
def test_rows_are_held_back_for_a_bounded_number_of_cases(run: Run, jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holdback, "_MOST_CASES", 3)
    cases = [{"id": f"c{number}", "candidate": number} for number in range(40)]  # more than workers take ahead
    _, rows = run(jobs, cases=cases, at=1, delay="end")
    assert [row["case_id"] for row in rows] == [case["id"] for case in cases]
    assert [row["score"] for row in rows[-2:]] == [0.38, 0.39]
    assert {row["status"] for row in rows[:2]} >= {"error"}


def test_repeats_of_one_case_err_together(run: Run) -> None:
    _, [row] = run(cases=[{"id": "c", "candidates": [1, 2, 3]}], at=2, delay="end")
    [result] = row["evaluator_results"]
    assert (row["status"], row["score"], row["repeats"], result["repeats"]) == ("error", 0.0, [0.0] * 3, [0.0] * 3)
    assert row["error"] == result["error"]


def test_judges_that_share_a_process_err_together_and_others_do_not(write: Write, tmp_path: Path) -> None:
    write("judge.py", _JUDGE)
    judge = {"type": "code_judge", "script": "judge.py", "persistent": True}
    evaluators = [
        judge | {"name": "one", "at": 1, "delay": "end"},
        judge | {"name": "two"},
        judge | {"name": "three", "env": {"A": "1"}},
    ]
    cases = [{"id": str(number), "candidate": number} for number in range(3)]
    plan = plan_of(write("s.yaml", {"evaluators": evaluators, "cases": cases}))
    run_plans([plan], str(tmp_path / "r.jsonl"), 1, lambda _: None)
    for line in (tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        assert row["status"] == "error"
        assert [one["name"] for one in row["evaluator_results"] if "error" in one] == ["one", "two"]


def test_the_sdk_s_rows_are_written_one_by_one_and_a_silent_judge_s_when_they_are_known_to_be_right(
    write: Write, tmp_path: Path
) -> None:
    wait = "while payload.candidate == 2: pass"
    write("echo.py", f"from agentv_py import judge\ndef score(payload):\n    {wait}\n    return 1\njudge.run(score)\n")
    write("silent.py", "import sys\nfor number, line in enumerate(sys.stdin):\n"
          "    if number == 2: open('reached', 'x').close(); sys.stdin.read()\n    print('{\"score\": 1}', flush=True)\n")  # fmt: skip
    for name in ("echo", "silent"):
        judge = {"type": "code_judge", "script": f"{name}.py", "persistent": True}
        cases = [{"id": str(number), "candidate": number} for number in range(4)]
        write(f"{name}.yaml", {"evaluators": [judge], "cases": cases})
    echo = _killed("echo", tmp_path, lambda: _lines(tmp_path / "echo.jsonl") == 2)
    silent = _killed("silent", tmp_path, (tmp_path / "reached").exists)
    assert [json.loads(line)["case_id"] for line in echo] == ["0", "1"]
    assert silent == []


def _killed(name: str, folder: Path, reached: Callable[[], bool]) -> list[str]:
    command = [sys.executable, "-m", "agentv_py", "run", f"{name}.yaml", "-q", "-o", f"{name}.jsonl", "-j", "1"]
    process = subprocess.Popen(command, cwd=folder)
    while not reached():
        assert process.poll() is None
        os.sched_yield()
    process.send_signal(signal.SIGKILL)
    process.wait()
    return (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.parametrize("persistent", [True, False])
@pytest.mark.parametrize(
    "answer", ['{"score": 0, "score": 1}', r'{"score": 1, "details": {"a": [{"b": 1, "\u0062": 1}]}}']
)
def test_a_key_twice_in_an_answer_is_an_error_of_its_case(run: Run, answer: str, persistent: bool) -> None:
    source = f"import sys\nfor line in sys.stdin: print({answer!r}, flush=True)\n"
    _, [row] = run(source=source, cases=[{"id": "c", "candidate": 1}], persistent=persistent)
    key = "b" if "b" in answer else "score"
    message = f"the judge's answer has a key twice in one object: {key!r}"
    assert (row["status"], row["error"]) == ("error", {"kind": "repeated_key", "message": message})


_ANSWER_AT_END = "import sys; questions = sys.stdin.readlines(); print('{\"score\": 1}')"
_UNFLUSHED = "import sys\nfor line in sys.stdin: print('{\"score\": 1}')"
_NEVER_WRITES = "import sys\nfor line in sys.stdin: pass"
_NEVER_READS = "import time; time.sleep(600)"
_SLOW = "import sys, time\nfor line in sys.stdin: time.sleep(600)"


@pytest.mark.parametrize(
    ("source", "kind", "message"),
    [
        (_ANSWER_AT_END, "no_line", "the judge read the question but wrote no line until stdin was closed, in 1 s; "),
        (_UNFLUSHED, "no_line", "the judge read the question but wrote no line until stdin was closed, in 1 s; "),
        (
            _NEVER_WRITES,
            "no_line",
            "the judge read the question but wrote nothing, also when stdin was closed, in 1 s; ",
        ),
        (_NEVER_READS, "no_line", "the judge did not read the question, in 1 s; "),
        (_SLOW, "timeout", "the judge took longer than 1 s"),
    ],
)
def test_a_judge_that_breaks_the_rule_of_lines_is_told_apart_from_a_slow_one(
    run: Run, source: str, kind: str, message: str
) -> None:
    _, [row] = run(source=source, timeout=1, cases=[{"id": "x", "candidate": 1}])
    rule = "a persistent program answers each line of stdin with one line, and flushes stdout"
    assert row["error"] == {"kind": kind, "message": message + (rule if kind == "no_line" else "")}
