"""An HTTP service as a target: what it is sent, what its answers mean, and what happens when it fails."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pipeline import rows_of
from service import Call, Reply, serve

from agentv_py.models import exchange

Write = Callable[[str, Any], Path]

_CASES = [{"id": f"c{n}", "input": {"text": f"t{n}", "file": "doc.txt"}, "expected": {"a": n}} for n in range(3)]
_SECRET = "sk-planted-4711"


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EXTRACT_KEY", _SECRET)


def _run(write: Write, target: dict[str, Any], cases: list[dict[str, Any]] | None = None, **options: Any) -> list[Any]:
    (Path("data")).mkdir(exist_ok=True)
    write("data/d.jsonl", "".join(json.dumps(case) + "\n" for case in cases or _CASES))
    write("data/doc.txt", "the document")
    suite = {
        "dataset": "data/d.jsonl",
        "evaluators": [{"type": "field_accuracy", "fields": [{"path": "a"}]}],
        "target": {"type": "http", "name": "api", "backoff": 0.01, "timeout": 5} | target,
    }
    return rows_of(write("s.yaml", suite), **options)


def _number(call: Call) -> int:
    return int(call.json()["text"].removeprefix("t"))


def test_the_input_goes_as_json_and_the_response_is_the_answer(write: Write) -> None:
    with serve(lambda call: Reply({"a": _number(call)})) as service:
        rows = _run(write, {"url": service.url, "headers": {"Authorization": "Bearer ${EXTRACT_KEY}"}})
        assert [(row["score"], row["target"], row["latency_ms"] > 0) for row in rows] == [(1.0, "api", True)] * 3
        assert sorted(call.json()["text"] for call in service.calls) == ["t0", "t1", "t2"]
        assert {call.headers["authorization"] for call in service.calls} == {f"Bearer {_SECRET}"}


def test_templates_keep_types_and_paths_of_the_response_are_read(write: Write) -> None:
    def reply(call: Call) -> Reply:
        sent = call.json()
        usage = {"cost": 0.5, "total_tokens": 9}
        return Reply({"data": {"result": {"a": int(sent["words"][1:])}}, "usage": usage, "trace": [sent]})

    body = {"words": "{{input.text}}", "all": "{{ input }}", "note": "id {{id}}"}
    paths = {"output": "data.result", "cost": "usage.cost", "tokens": "usage.total_tokens", "trace": "trace"}
    with serve(reply) as service:
        rows = _run(write, {"url": f"{service.url}/x?id={{{{id}}}}", "method": "PUT", "body": body, "response": paths})
        assert [row["score"] for row in rows] == [1.0] * 3
        assert rows[0] | {"cost": 0.5, "tokens": {"total": 9}} == rows[0]
        assert rows[0]["trace"] == [{"words": "t0", "all": _CASES[0]["input"], "note": "id c0"}]
        assert {(call.method, call.path) for call in service.calls} == {("PUT", f"/x?id=c{n}") for n in range(3)}


def test_files_are_sent_as_a_form_and_looked_up_beside_the_dataset(write: Write) -> None:
    with serve(lambda _: Reply({"a": 0})) as service:
        target = {"url": service.url, "files": {"document": "{{input.file}}"}, "body": {"lang": "de", "n": 5}}
        rows = _run(write, target, _CASES[:1])
        assert rows[0]["score"] == 1.0
        assert service.calls[0].form() == {
            "lang": (None, b"de"),
            "n": (None, b"5"),
            "document": ("doc.txt", b"the document"),
        }
        missing = [_CASES[0] | {"input": {"file": "none.pdf"}}]
        [row] = _run(write, target, missing)
        assert row["error"]["kind"] == "file"
        assert row["error"]["message"].startswith("'none.pdf' cannot be read: No such file or directory")


def test_polling_waits_until_the_expression_holds(write: Write) -> None:
    steps = iter([{"status": "running"}, {"status": "running"}, {"status": "succeeded", "result": {"a": 0}}])

    def reply(call: Call) -> Reply:
        if call.method == "POST":
            return Reply(None, 202, {"Operation-Location": "/operations/7"}, body=b"")
        return Reply(next(steps))

    with serve(reply) as service:
        poll = {
            "url": service.url + "{{response.headers['operation-location']}}",
            "until": "status in ['succeeded', 'failed']",
            "every": 0.01,
        }
        target = {"url": service.url, "poll": poll, "response": {"output": "result"}, "headers": {"X-Key": "k"}}
        [row] = _run(write, target, _CASES[:1])
        assert row["score"] == 1.0
        assert [(call.method, call.path) for call in service.calls] == [("POST", "/")] + [("GET", "/operations/7")] * 3
        assert {call.headers["x-key"] for call in service.calls} == {"k"}
        steps = iter([{"status": "failed"}])
        [row] = _run(write, target, [_CASES[1]])
        assert row["error"] == {"kind": "response", "message": f"{service.url[7:]}: the response has no 'result'"}


@pytest.mark.parametrize(
    ("bad", "kind", "calls", "words"),
    [
        (Reply({"error": "slow down"}, 429, {"Retry-After": "0.01"}), "rate_limit", 3, "429: slow down"),
        (Reply({"error": "slow down"}, 429, {"Retry-After": "90"}), "rate_limit", 1,
         "429: slow down; it asks to wait 90 seconds, longer than the timeout of 5"),
        (Reply("oops", 500), "server", 3, "500"),
        (Reply(fault="reset"), "connection", 3, ""),
        (Reply({"error": {"message": f"bad key {_SECRET}"}}, 401), "auth", 1, "401: bad key [redacted]"),
        (Reply(status=404, body=b"not here"), "request", 1, "404: not here"),
        (Reply(body=b'{"a": 1'), "malformed", 2, "the reply is not JSON"),
        (Reply({"b": 1}, fault="truncated"), "connection", 3, ""),
        (Reply(fault="drip"), "timeout", 3, "no reply within 0.2 seconds"),
        (Reply(fault="endless"), "malformed", 2, "the reply is larger than 0 MiB"),
        (Reply({"tokens": -5}), "answer", 1, "tokens is neither a count nor an object"),
    ],
)  # fmt: skip
def test_a_failure_is_an_errored_case_and_the_run_goes_on(
    write: Write, monkeypatch: pytest.MonkeyPatch, bad: Reply, kind: str, calls: int, words: str
) -> None:
    monkeypatch.setattr(exchange, "_LARGEST", 2**19)
    with serve(lambda call: bad if _number(call) == 1 else Reply({"a": _number(call)})) as service:
        timeout = {"timeout": 0.2} if bad.fault == "drip" else {}
        paths = {"response": {"tokens": "tokens"}} if kind == "answer" else {}
        rows = _run(write, {"url": service.url, "headers": {"X-Key": "${EXTRACT_KEY}"}} | timeout | paths)
        assert [row["status"] for row in rows] == ["ok", "error", "ok"]
        assert (rows[1]["error"]["kind"], rows[1]["score"]) == (kind, 0.0)
        assert words in rows[1]["error"]["message"]
        assert _SECRET not in json.dumps(rows)
        assert sum(_number(call) == 1 for call in service.calls) == calls


def test_a_failure_that_passes_is_tried_again(write: Write) -> None:
    seen = set[int]()

    def reply(call: Call) -> Reply:
        number = _number(call)
        again = number in seen
        seen.add(number)
        return Reply({"a": number}) if again else Reply("busy", 503)

    with serve(reply) as service:
        assert [row["score"] for row in _run(write, {"url": service.url})] == [1.0] * 3
        assert len(service.calls) == 6


def test_a_redirect_is_followed_but_a_key_never_goes_to_another_host(write: Write) -> None:
    with serve(lambda _: Reply({"a": 0})) as other, serve(lambda _: Reply()) as service:
        elsewhere = other.url.replace("127.0.0.1", "localhost")
        key = {"headers": {"X-Key": "${EXTRACT_KEY}", "Authorization": "Bearer ${EXTRACT_KEY}"}}
        steps = {
            "/same": Reply(status=307, headers={"Location": "/end"}),
            "/end": Reply({"a": 0}),
            "/see": Reply(status=303, headers={"Location": f"{elsewhere}/result"}),
            "/keep": Reply(status=307, headers={"Location": f"{elsewhere}/steal"}),
            "/loop": Reply(status=302, headers={"Location": "/loop"}),
        }
        service.reply = lambda call: steps[call.path]
        rows = [
            _run(write, {"url": service.url + path} | key, _CASES[:1])[0]
            for path in ("/same", "/see", "/keep", "/loop")
        ]
        assert [row.get("error", {}).get("kind") for row in rows] == [None, None, "redirect", "redirect"]
        assert [(call.method, call.path) for call in other.calls] == [("GET", "/result")]
        assert _SECRET not in str([(call.headers, call.body) for call in other.calls])
        assert service.calls[1].headers["x-key"] == _SECRET
        assert service.calls[1].body == service.calls[0].body


def test_polling_at_another_host_carries_no_key(write: Write) -> None:
    with (
        serve(lambda _: Reply({"status": "done", "a": 0})) as other,
        serve(lambda _: Reply({"status": "new"})) as service,
    ):
        poll = {"url": other.url.replace("127.0.0.1", "localhost"), "until": "status == 'done'", "every": 0}
        [row] = _run(write, {"url": service.url, "headers": {"X-Key": "${EXTRACT_KEY}"}, "poll": poll}, _CASES[:1])
        assert row["score"] == 1.0
        assert "x-key" not in other.calls[0].headers


def test_many_answers_are_under_way_at_once_but_not_more_than_the_limit(write: Write) -> None:
    def reply(call: Call) -> Reply:
        return Reply({"a": _number(call)}, delay=0.05)

    cases = [{"id": f"c{n}", "input": {"text": f"t{n}"}, "expected": {"a": n}} for n in range(12)]
    with serve(reply) as service:
        rows = _run(write, {"url": service.url, "max_concurrency": 3}, cases)
        assert [row["case_id"] for row in rows] == [case["id"] for case in cases]
        assert [row["score"] for row in rows] == [1.0] * 12
        assert service.most_under_way == 3


def test_a_variable_that_is_not_set_is_an_error_at_its_line(write: Write, evalctl: Any) -> None:
    write("d.jsonl", '{"id": "x", "expected": {"a": 1}}\n')
    text = "evaluators: [{type: field_accuracy, fields: [{path: a}]}]\ndataset: d.jsonl\ntargets:\n"
    text += "  - type: http\n    url: http://localhost:1/\n    headers:\n      X-Key: ${NOT_SET_AT_ALL}\n"
    write("s.yaml", text)
    done = evalctl("run", "s.yaml")
    assert (done.returncode, done.stderr) == (
        2,
        "error: s.yaml:7:14: targets[0].headers.X-Key: the environment variable 'NOT_SET_AT_ALL' is not set\n",
    )


def test_a_secret_is_redacted_as_the_service_repeats_it(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = 'planted 4711/"ü&x'
    monkeypatch.setenv("EXTRACT_KEY", secret)
    with serve(lambda call: Reply({"a": 0, "path": call.path, "raw": json.dumps(call.path), secret: 1})) as service:
        [row] = _run(write, {"url": service.url + "/x?key=${EXTRACT_KEY}"}, _CASES[:1])
        assert service.calls[0].path.startswith("/x?key=planted%20")
        assert row["candidate"] == {"a": 0, "path": "/x?key=[redacted]", "raw": '"/x?key=[redacted]"', "[redacted]": 1}
