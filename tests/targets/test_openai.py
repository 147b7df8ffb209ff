"""A chat model as a target: what it is sent, and what its reply means."""

import json
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from models import Models
from pipeline import rows_of

from agentv_py.errors import InvalidSuite

Write = Callable[[str, Any], Path]


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MODEL_KEY", "sk-model-123")


def _run(write: Write, models: Models, cases: int = 1, **target: Any) -> list[dict[str, Any]]:
    suite = {
        "cases": [{"id": f"c{n}", "input": {"text": f"t{n}"}, "expected": {"a": n}} for n in range(cases)],
        "evaluators": [{"type": "field_accuracy", "fields": [{"path": "a"}]}],
        "target": {
            "type": "openai",
            "base_url": models.url,
            "model": "m",
            "prompt": "Read {{input.text}}.",
            "backoff": 0.01,
        }
        | target,
    }
    return rows_of(write("s.yaml", suite))


def test_the_prompt_goes_out_and_the_reply_is_the_answer(write: Write, models: Models) -> None:
    models.script(("t0", [{"content": 'It is {"a": 0}'}]), ("t1", [{"content": '{"a": 1}'}]))
    prices = {"prompt": 1e6, "completion": 1e6}
    rows = _run(write, models, 2, system="You read.", api_key_env="MODEL_KEY", prices=prices)
    assert [(row["score"], row["cost"], row["tokens"]) for row in rows] == [
        (1.0, 110.0, {"input": 100, "output": 10, "total": 110})
    ] * 2
    assert rows[0]["candidate"] == 'It is {"a": 0}'
    sent = min(models.requests(), key=lambda one: json.dumps(one["body"]))
    assert sent["authorization"] == "Bearer sk-model-123"
    assert sent["body"] == {
        "model": "m",
        "temperature": 0.0,
        "messages": [{"role": "system", "content": "You read."}, {"role": "user", "content": "Read t0."}],
    }


def test_images_pdfs_and_a_schema_are_attached(write: Write, models: Models) -> None:
    models.script(("t0", [{"content": '{"a": 0}'}]))
    Path("p.png").write_bytes(b"picture")
    Path("d.pdf").write_bytes(b"pages")
    schema = {
        "type": "object",
        "properties": {"a": {"type": "integer"}},
        "required": ["a"],
        "additionalProperties": False,
    }
    write("a.schema.json", schema)
    [row] = _run(write, models, attach=["p.png", "d.pdf"], schema="a.schema.json")
    assert row["score"] == 1.0
    [sent] = models.requests()
    text, image, document = sent["body"]["messages"][0]["content"]
    assert text == {"type": "text", "text": "Read t0."}
    assert b64decode(image["image_url"]["url"].partition(",")[2]) == b"picture"
    assert document["file"]["filename"] == "d.pdf"
    assert document["file"]["file_data"].startswith("data:application/pdf;base64,")
    assert sent["body"]["response_format"]["json_schema"] == {"name": "answer", "strict": True, "schema": schema}


def test_failures_are_tried_again_and_then_err_the_case(write: Write, models: Models) -> None:
    models.script(
        ("t0", [{"status": 500}, {"content": '{"a": 0}'}]), ("t1", [{"status": 429, "headers": {"Retry-After": "0"}}])
    )
    rows = _run(write, models, 2)
    assert [row.get("error", {}).get("kind") for row in rows] == [None, "rate_limit"]
    assert len(models.requests()) == 2 + 3
    [row] = _run(write, models, attach=["none.png"])
    assert row["error"]["kind"] == "file"
    write("notes.txt", "text")
    [row] = _run(write, models, attach=["notes.txt"])
    assert row["error"] == {
        "kind": "file",
        "message": "'notes.txt' cannot be attached; valid: .png .jpg .jpeg .gif .webp .pdf",
    }


def test_a_key_that_is_not_set_is_an_error_only_for_a_target_that_runs(write: Write, models: Models) -> None:
    with pytest.raises(InvalidSuite, match=r"target\.api_key_env: the environment variable 'NO_KEY' is not set"):
        _run(write, models, api_key_env="NO_KEY")
    write("p.jsonl", '{"id": "c0", "candidate": {"a": 0}}\n')
    assert [row["score"] for row in rows_of(Path("s.yaml"), predictions=["p.jsonl"])] == [1.0]


def test_a_budget_needs_prices_of_a_target_that_is_asked(write: Write, models: Models, evalctl: Any) -> None:
    target = {"type": "openai", "base_url": models.url, "model": "m", "prompt": "{{input}}"}
    case = {"id": "c0", "input": "t0", "expected": {"a": 0}}
    suite = {"cases": [case], "target": target, "evaluators": [{"type": "field_accuracy", "fields": [{"path": "a"}]}]}
    write("s.yaml", suite)
    reason = "a model that is asked has no prices, so its cost is unknown; give it prices:"
    refused = evalctl("run", "s.yaml", "--budget", "1")
    assert (refused.returncode, refused.stderr) == (2, f"error: s.yaml: --budget: {reason}\n")
    write("s.yaml", suite | {"budget": {"cost": 1}})
    assert reason in evalctl("validate", "s.yaml").stderr
    write("p.jsonl", '{"id": "c0", "candidate": {"a": 0}}\n')
    assert evalctl("run", "s.yaml", "--predictions", "p.jsonl").returncode == 0
    assert models.requests() == []


def test_a_budget_counts_each_reply_once(write: Write, models: Models, evalctl: Any) -> None:
    models.script(("t", [{"content": '{"a": 0}'}]))
    target = {
        "type": "openai", "base_url": models.url, "model": "m", "prompt": "Read {{input}}.", "max_concurrency": 1,
        "prices": {"prompt": 1e6, "completion": 1e6},
    }  # fmt: skip
    cases = [{"id": f"c{n}", "input": f"t{n}", "expected": {"a": 0}} for n in range(4)]
    evaluators = [{"type": "field_accuracy", "fields": [{"path": "a"}]}]
    write("s.yaml", {"cases": cases, "target": target, "evaluators": evaluators})
    stopped = evalctl("run", "s.yaml", "-o", "r.jsonl", "--budget", "330")
    assert "the budget is spent (cost 330 of 330) after 3 of 4 cases" in stopped.stderr
    assert len(models.requests()) == 3
