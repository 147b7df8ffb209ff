"""Servers, caches and environments that once ended in a traceback."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl
from models import Models
from pipeline import plan_of
from rows import lines, row

from agentv_py.models.cache import FOLDER
from agentv_py.run.session import run_plans

Write = Callable[[str, Any], Path]


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _run(write: Write, backend: dict[str, Any]) -> dict[str, Any]:
    field = {"path": "a", "match": "semantic", "threshold": 0, "backend": backend}
    case = {"id": "x", "expected": {"a": "one"}, "candidate": {"a": "two"}}
    path = write("s.yaml", {"evaluators": [{"type": "field_accuracy", "fields": [field]}], "cases": [case]})
    run_plans([plan_of(path)], "r.jsonl", 1, lambda _cases: None)
    [found] = map(json.loads, Path("r.jsonl").read_text(encoding="utf-8").splitlines())
    return dict(found)


@pytest.mark.parametrize("kind", ["llm", "embedding"])
def test_tokens_that_nobody_can_have_counted_are_estimated(write: Write, models: Models, kind: str) -> None:
    usage = {"prompt_tokens": 10**400, "completion_tokens": 10**400}
    data = [{"index": index, "embedding": [1.0, index]} for index in range(2)]
    said = {"data": data, "usage": usage} if kind == "embedding" else None
    models.script(("", [{"usage": usage} | ({"json": said} if said else {})]))
    found = _run(write, models.llm(type=kind, prices={"prompt": 1, "completion": 2}))["evaluator_results"][0]["usage"]
    assert 0 < found["prompt_tokens"] < 1_000
    assert 0 < found["cost"] < 0.01


@pytest.mark.parametrize("damaged", ["text", None, 7, 1.5, b"\xff\x00"])
@pytest.mark.parametrize("kind", ["llm", "embedding"])
def test_an_answer_that_is_damaged_in_the_cache_is_asked_for_anew(
    write: Write, models: Models, kind: str, damaged: Any
) -> None:
    fresh = _run(write, models.llm(type=kind))
    with sqlite3.connect(FOLDER / "answers.sqlite") as file:
        file.execute("UPDATE answers SET answer = ?", (damaged,))
    file.close()
    assert _run(write, models.llm(type=kind))["score"] == fresh["score"]
    assert len(models.requests()) == 2


def test_a_cost_that_no_float_holds_is_no_cost(evalctl: Evalctl, write: Write) -> None:
    result = row("x", 1.0)["evaluator_results"][0] | {"usage": {"calls": 1, "prompt_tokens": 5, "cost": 10**400}}
    write("r.jsonl", lines(row("x", 1.0, evaluator_results=[result])))
    done = evalctl("report", "r.jsonl", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    assert "cost" not in json.dumps(json.loads(done.stdout).get("usage", {}))


@pytest.mark.parametrize(
    ("name", "value"), [("HTTP_PROXY", "foo://x"), ("SSL_CERT_FILE", "none.pem"), ("ALL_PROXY", "socks5://[")]
)
def test_an_environment_that_no_client_can_use_is_named(
    evalctl: Evalctl, write: Write, models: Models, name: str, value: str
) -> None:
    judge = models.llm(type="llm_judge", rubric="good") | {"base_url": "https://localhost:1/v1"}
    write("s.yaml", {"evaluators": [judge], "cases": [{"id": "x", "candidate": "a"}]})
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", **{name: value})
    assert (done.returncode, done.stderr.partition(":")[0]) == (2, "error")
    assert "proxies and certificates that the environment names" in done.stderr
    assert models.requests() == []


def test_a_name_that_no_resolver_takes_errs_the_case(write: Write) -> None:
    backend = {"type": "llm", "base_url": f"http://{'a' * 64}.example/v1", "model": "m", "retries": 0}
    assert _run(write, backend)["error"]["kind"] == "connection"


def test_an_embedding_beyond_every_short_float_is_malformed(write: Write, models: Models) -> None:
    data = [{"index": index, "embedding": [1e300, index]} for index in range(2)]
    models.script(("", [{"json": {"data": data}}]))
    assert _run(write, models.embedding())["error"]["kind"] == "malformed"
