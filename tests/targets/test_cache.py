"""Answers of targets on disk: kept, replayed, repeated, and never paid for twice."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from kills import answer, check_killed_run
from pipeline import rows_of
from service import Reply, Service, serve

Write = Callable[[str, Any], Path]


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def service() -> Iterator[Service]:
    with serve(lambda call: Reply({"a": call.json()["n"]})) as service:
        yield service


def _write_suite(write: Write, service: Service, **target: Any) -> Path:
    write("doc.txt", "first")
    suite = {
        "cases": [{"id": f"c{n}", "input": {"n": n, "file": "doc.txt"}, "expected": {"a": n}} for n in range(3)],
        "evaluators": [{"type": "field_accuracy", "fields": [{"path": "a"}]}],
        "target": {"type": "http", "name": "api", "url": service.url, "backoff": 0.01} | target,
    }
    return write("s.yaml", suite)


def _strip(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    changing = ("timestamp", "duration_ms", "evaluator_results", "fingerprint")
    return [{key: value for key, value in row.items() if key not in changing} for row in rows]


def test_an_answer_is_asked_for_once_and_keeps_its_first_latency(write: Write, service: Service) -> None:
    suite = _write_suite(write, service)
    first = rows_of(suite)
    assert _strip(rows_of(suite)) == _strip(first)
    assert len(service.calls) == 3
    rows_of(suite, no_cache=True)
    assert len(service.calls) == 6
    rows_of(suite, refresh=True)
    assert len(service.calls) == 9


def test_whatever_shapes_an_answer_is_in_its_key(write: Write, service: Service) -> None:
    service.reply = lambda _: Reply({"a": 0})
    options: list[dict[str, Any]] = [
        {}, {"headers": {"X-Mode": "b"}}, {"method": "PUT"}, {"body": {"n": "{{input.n}}"}}, {"url": service.url + "/x"},
        {"files": {"d": "{{input.file}}"}}, {"response": {"output": "a"}},
    ]  # fmt: skip
    for number, option in enumerate(options, 1):
        rows_of(_write_suite(write, service, **option), cases=["c0"])
        assert len(service.calls) == number, option
    suite = _write_suite(write, service, files={"d": "{{input.file}}"})
    write("doc.txt", "second")
    rows_of(suite, cases=["c0"])
    assert len(service.calls) == len(options) + 1
    rows_of(_write_suite(write, service, headers={"Authorization": "another key"}), cases=["c0"])
    assert len(service.calls) == len(options) + 1  # a key identifies the user, and does not shape the answer


def test_two_targets_that_differ_in_name_only_are_asked_apart(write: Write, service: Service) -> None:
    service.reply = lambda _: Reply({"a": len(service.calls)})
    suite = _write_suite(write, service)
    document = {key: value for key, value in yaml.safe_load(suite.read_text()).items() if key != "target"}
    targets = [{"type": "http", "name": name, "url": service.url, "backoff": 0.01} for name in ("a", "b")]
    suite = write("s.yaml", document | {"targets": targets})
    first = rows_of(suite)
    assert len(service.calls) == 6
    assert len({row["candidate"]["a"] for row in first}) == 6
    assert _strip(rows_of(suite)) == _strip(first)
    assert len(service.calls) == 6


def test_an_error_is_never_kept(write: Write, service: Service) -> None:
    suite = _write_suite(write, service)
    service.reply = lambda _: Reply("no", 400)
    assert {row["status"] for row in rows_of(suite)} == {"error"}
    service.reply = lambda call: Reply({"a": call.json()["n"]})
    assert {row["status"] for row in rows_of(suite)} == {"ok"}


def test_repeats_are_separate_answers_that_the_cache_keeps_apart(write: Write, service: Service) -> None:
    numbers = iter(range(100))
    service.reply = lambda _: Reply({"output": {"a": next(numbers)}, "cost": 0.5, "tokens": 7})
    suite = _write_suite(write, service)
    [row] = rows_of(suite, cases=["c1"], repeat=3)
    assert sorted(answer["output"]["a"] for answer in row["candidates"]) == [0, 1, 2]
    assert len(row["repeats"]) == 3
    assert _strip(rows_of(suite, cases=["c1"], repeat=3)) == _strip([row])
    assert len(service.calls) == 3
    rows_of(suite, cases=["c1"], repeat=4)
    assert len(service.calls) == 4


def test_a_record_gives_the_same_rows_again_without_the_target(write: Write, service: Service, evalctl: Any) -> None:
    paths = {"output": "result", "cost": "cost", "tokens": "tokens", "trace": "steps"}
    service.reply = lambda call: Reply({"result": {"a": call.json()["n"]}, "cost": 0.25, "tokens": 3, "steps": [1]})
    suite = _write_suite(write, service, response=paths)
    asked = evalctl("run", "s.yaml", "-o", "r.jsonl", "--record", "answers/p.jsonl", "--repeat", "2")
    assert (asked.returncode, "target api: 6 asked, 0 from the cache" in asked.stderr) == (0, True)
    replayed = evalctl("run", "s.yaml", "-o", "r2.jsonl", "--predictions", "api=answers/p.jsonl")
    assert replayed.returncode == 0, replayed
    rows, again = (
        [json.loads(line) for line in Path(name).read_text().splitlines()] for name in ("r.jsonl", "r2.jsonl")
    )
    assert _strip(rows) == _strip(again)
    assert rows[0] | {"cost": 0.5, "tokens": {"total": 6}, "trace": [1], "target": "api"} == rows[0]
    wrong = evalctl("run", "s.yaml", "--record", "answers/p.jsonl", "--predictions", "api=answers/p.jsonl")
    assert (wrong.returncode, wrong.stderr) == (
        2,
        "error: --record: no target is asked, so there is nothing to record\n",
    )
    del suite


def test_a_budget_ends_the_run_and_resume_continues_it(write: Write, service: Service, evalctl: Any) -> None:
    paths = {"output": "result", "cost": "cost"}
    service.reply = lambda call: Reply({"result": {"a": call.json()["n"]}, "cost": 1.0})
    _write_suite(write, service, response=paths, max_concurrency=1)
    stopped = evalctl("run", "s.yaml", "-o", "r.jsonl", "--budget", "2")
    assert stopped.returncode == 3
    assert "the budget is spent (cost 2 of 2) after 2 of 3 cases" in stopped.stderr
    again = evalctl("run", "s.yaml", "-o", "r.jsonl", "--resume", "--budget", "2")
    assert "the budget is spent (cost 2 of 2) after 2 of 3 cases" in again.stderr
    assert len(service.calls) == 2
    assert evalctl("run", "s.yaml", "-o", "r.jsonl", "--resume", "--budget", "9").returncode == 0
    assert len(service.calls) == 3


def test_a_killed_run_continues_without_paying_twice(tmp_path: Path) -> None:
    with serve(answer) as service:
        assert check_killed_run(tmp_path, service, seed=1, kills=2) >= 1
