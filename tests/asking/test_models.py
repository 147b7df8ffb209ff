"""Models asked over a real wire, with every way it can fail."""

import json
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from commands import Commands
from conftest import Evalctl
from models import Models
from pipeline import plan_of

from agentv_py.models.retry import LONGEST_WAIT, compute_wait
from agentv_py.run.session import run_plans

Write = Callable[[str, Any], Path]

_KEY = "sk-planted-0123456789"


@pytest.fixture
def rows(
    write: Write, evalctl: Evalctl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., list[dict[str, Any]]]:
    """Rows of a suite with one semantic field, a case for each pair of texts; with arguments, of the real command."""
    monkeypatch.chdir(tmp_path)

    def run(backend: Any, *pairs: tuple[str, str], arguments: tuple[str, ...] = ()) -> list[dict[str, Any]]:
        field = {"path": "a", "match": "semantic", "threshold": 0, "backend": backend}
        cases = [{"id": f"c{n}", "expected": {"a": e}, "candidate": {"a": c}} for n, (e, c) in enumerate(pairs)]
        path = write("s.yaml", {"evaluators": [{"type": "field_accuracy", "fields": [field]}], "cases": cases})
        if arguments:
            assert evalctl("run", "s.yaml", "-o", "r.jsonl", *arguments).returncode == 1
        else:
            run_plans([plan_of(path)], "r.jsonl", 1, lambda _cases: None)
        return [json.loads(line) for line in (tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()]

    return run


@pytest.mark.parametrize("kind", ["lexical", "embedding", "llm"])
def test_identical_text_is_wholly_alike_without_asking(rows: Any, models: Models, kind: str) -> None:
    backend = "lexical" if kind == "lexical" else models.llm(type=kind)
    [row] = rows(backend, ("Same text", "Same text"))
    assert (row["score"], models.requests()) == (1.0, [])


def test_a_chat_model_rates_each_pair(rows: Any, models: Models) -> None:
    models.script(("engineer", [{"score": 0.88}]))
    found = rows(models.llm(), ("an engineer", "somebody"), ("a", "b"))
    assert [row["score"] for row in found] == [0.88, 0.5]
    bodies = [request["body"] for request in models.requests()]  # both are under way at once, in either order
    for body in bodies:
        assert body["response_format"]["json_schema"]["schema"]["properties"]["score"]["maximum"] == 1
        assert (body["model"], body["temperature"]) == ("tester", 0.0)
    prompts = ['{"expected":"a","actual":"b"}', '{"expected":"an engineer","actual":"somebody"}']
    assert sorted(body["messages"][1]["content"] for body in bodies) == prompts


def test_embeddings_are_asked_for_in_batches_each_text_once(rows: Any, models: Models) -> None:
    pairs = [("listen", "silent"), ("listen", "zebra"), ("abc", "bca"), ("abc", "abcd")]
    found = rows(models.embedding(batch_size=3), *pairs)
    assert [round(row["score"], 2) for row in found] == [1.0, 0.19, 1.0, 0.87]
    assert [len(one["body"]["input"]) for one in models.requests()] == [3, 3]
    assert sorted(text for one in models.requests() for text in one["body"]["input"]) == sorted(
        {text for pair in pairs for text in pair}
    )


def test_several_requests_are_under_way_and_never_more_than_asked_for(rows: Any, models: Models) -> None:
    models.script(("", [{"gather": 4, "delay": 0.05}]))
    rows(models.llm(max_concurrency=4), *((f"{n}", "x") for n in range(12)))
    assert models.most_under_way() == 4


def test_unordered_lists_are_paired_by_what_the_model_says(write: Write, evalctl: Evalctl, models: Models) -> None:
    models.script(
        ('cat\\",\\"actual\\":\\"feline', [{"score": 0.9}]),
        ('dog\\",\\"actual\\":\\"hound', [{"score": 0.8}]),
        ("", [{"score": 0.1}]),
    )
    comparators = {"pets": {"unordered": {"match": "semantic", "threshold": 0.5, "backend": models.llm()}}}
    case = {"id": "x", "expected": {"pets": ["cat", "dog"]}, "candidate": {"pets": ["hound", "feline"]}}
    write("s.yaml", {"evaluators": [{"type": "object_match", "comparators": comparators}], "cases": [case]})
    done = evalctl("run", "s.yaml", "-o", "-")
    row = json.loads(done.stdout)
    assert row["score"] == pytest.approx(0.85)
    assert row["evaluator_results"][0]["usage"]["calls"] == 4


_HICCUPS: dict[str, dict[str, Any]] = {
    "429 with Retry-After": {"status": 429, "headers": {"Retry-After": "0.01"}},
    "429 with a date": {"status": 429, "headers": {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}},
    "500": {"status": 500, "text": "<html>oops"},
    "503 with Retry-After": {"status": 503, "headers": {"Retry-After": "0"}},
    "a reset": {"fault": "reset"},
    "truncated JSON": {"fault": "truncated"},
    "another content type": {"text": "<html>hello</html>", "headers": {"Content-Type": "text/html"}},
    "an answer without JSON": {"content": "I would say nearly alike."},
    "a score beyond 1": {"score": 7},
    "a score that is text": {"answer": {"score": "0.5"}},
    "a further key": {"answer": {"score": 0.5, "because": "so"}},
    "no choices": {"json": {"choices": []}},
    "a refusal": {"json": {"choices": [{"message": {"content": None, "refusal": "no"}}]}},
    "a list": {"json": [1]},
}


@pytest.mark.parametrize("hiccup", _HICCUPS)
def test_what_can_pass_is_asked_again(rows: Any, models: Models, hiccup: str) -> None:
    models.script(("", [_HICCUPS[hiccup], {"score": 0.75}]))
    [row] = rows(models.llm(), ("a", "b"))
    assert (row["status"], row["score"]) == ("ok", 0.75)
    assert row["evaluator_results"][0]["usage"]["calls"] == 2


@pytest.mark.parametrize(
    ("step", "kind", "calls", "message"),
    [
        ({"status": 401, "text": '{"error": {"message": "bad key"}}'}, "auth", 1, "401: bad key"),
        ({"status": 403}, "auth", 1, "403"),
        ({"status": 400, "text": '{"error": "no such model"}'}, "request", 1, "400: no such model"),
        ({"status": 404, "text": "no tester-4o-mini here"}, "request", 1, "404: no tester-4o-mini here"),
        ({"status": 429, "headers": {"Retry-After": "0.01"}}, "rate_limit", 3, "429"),
        ({"status": 429, "headers": {"Retry-After": "3600"}}, "rate_limit", 1, "asks to wait 3600 seconds, longer than the timeout of 10"),
        ({"status": 502, "headers": {"Retry-After": "0.01"}}, "server", 3, "502"),
        ({"status": 302, "headers": {"Location": "http://127.0.0.1:1/"}}, "request", 1, "302"),
        ({"fault": "reset"}, "connection", 3, ""),
        ({"fault": "drip"}, "timeout", 3, "no reply within 0.1 seconds"),
        ({"fault": "truncated"}, "malformed", 2, "the reply is not JSON"),
        ({"content": '{"score": 0.9'}, "malformed", 2, "the model's reply holds no JSON"),
        ({"content": '{"score": NaN}'}, "malformed", 2, "the model's reply does not follow the schema: score"),
        ({"content": ""}, "malformed", 2, "the model's reply holds no JSON"),
    ],
)  # fmt: skip
def test_a_failure_is_an_errored_case_that_says_which(
    rows: Any, models: Models, step: Any, kind: str, calls: int, message: str
) -> None:
    models.script(("bad", [step]))
    options = {"timeout": 0.1} if step.get("fault") == "drip" else {}
    bad, good = rows(models.llm(retries=2, model="tester-4o-mini", **options), ("bad", "b"), ("good", "b"))
    [result] = bad["evaluator_results"]
    assert (bad["status"], bad["score"], result["error"]["kind"]) == ("error", 0.0, kind)
    assert message in result["error"]["message"]
    assert (result["usage"]["calls"], good["status"]) == (calls, "ok")


@pytest.mark.parametrize(
    "said",
    [
        {"data": [{"index": 0, "embedding": [1.0]}]},
        {"data": [{"index": 0, "embedding": [1.0]}, {"index": 0, "embedding": [1.0]}]},
        {"data": [{"index": 0, "embedding": []}, {"index": 1, "embedding": [1.0]}]},
        {"data": [{"index": 0, "embedding": [None]}, {"index": 1, "embedding": ["x"]}]},
        {"data": [{"index": 0, "embedding": [[1]]}, {"index": 1, "embedding": [1e300]}]},
        {"data": [{"index": 0, "embedding": [1.0, 2.0]}, {"index": 1, "embedding": [1.0]}]},
        {"data": "none"},
        [],
    ],
)
def test_embeddings_that_are_none_are_errors(rows: Any, models: Models, said: Any) -> None:
    models.script(("", [{"json": said}]))
    [row] = rows(models.embedding(), ("a", "b"))
    assert row["evaluator_results"][0]["error"]["kind"] == "malformed"


def test_an_endpoint_that_knows_no_schema_is_asked_without_one(rows: Any, models: Models) -> None:
    refusal = {"status": 400, "text": '{"error": {"message": "response_format is not supported"}}'}
    models.script(("response_format", [refusal]), ("", [{"content": 'Sure:\n```json\n{"score": 0.7}\n```'}]))
    assert [row["score"] for row in rows(models.llm(max_concurrency=1), ("a", "b"), ("c", "d"))] == [0.7, 0.7]
    assert ["response_format" in one["body"] for one in models.requests()] == [True, False, False]


def test_nobody_there_is_an_error_of_the_connection(rows: Any) -> None:
    backend = {"type": "llm", "base_url": "http://127.0.0.1:9/v1", "model": "m", "retries": 1, "backoff": 0}
    [row] = rows(backend, ("a", "b"))
    assert row["evaluator_results"][0]["error"]["kind"] == "connection"


def test_a_second_run_asks_nothing_and_two_runs_share(rows: Any, models: Models) -> None:
    first = rows(models.llm(), ("a", "b"), ("c", "d"), ("a", "b"))
    assert [row["evaluator_results"][0]["usage"]["calls"] for row in first] == [1, 1, 0]
    second = rows(models.llm(max_concurrency=1), ("a", "b"), ("c", "d"))
    assert len(models.requests()) == 2
    assert [row["evaluator_results"][0]["usage"] for row in second] == [
        {"calls": 0, "cached": 1, "prompt_tokens": 0, "completion_tokens": 0}
    ] * 2
    rows(models.llm(), ("a", "b"), arguments=("--no-cache",))
    rows(models.llm(), ("a", "b"), ("a", "b"), arguments=("--refresh",))
    assert len(models.requests()) == 4
    rows(models.llm(temperature=0.5), ("a", "b"))
    rows(models.llm(prompt="Compare."), ("a", "b"))
    rows(models.llm(parameters={"seed": 1}), ("a", "b"))
    assert len(models.requests()) == 7


def test_fresh_and_kept_embeddings_score_the_same(rows: Any, models: Models) -> None:
    [first] = rows(models.embedding(), ("some text", "another text"))
    [second] = rows(models.embedding(), ("some text", "another text"))
    assert (first["score"], len(models.requests())) == (second["score"], 1)


def test_errors_are_not_kept(rows: Any, models: Models) -> None:
    models.script(("", [{"status": 400}, {"score": 0.6}]))
    assert [rows(models.llm(), ("a", "b"))[0]["status"] for _ in range(2)] == ["error", "ok"]


def test_runs_at_the_same_time_share_the_cache(
    write: Write, models: Models, tmp_path: Path, commands: Commands
) -> None:
    field = {"path": "a", "match": "semantic", "threshold": 0, "backend": models.llm()}
    cases = [{"id": f"c{n}", "expected": {"a": f"{n}"}, "candidate": {"a": "x"}} for n in range(40)]
    write("s.yaml", {"evaluators": [{"type": "field_accuracy", "fields": [field]}], "cases": cases})
    command = [str(commands.program), "run", "s.yaml", "-q", "--exit-zero", "-o"]
    runs = [subprocess.Popen([*command, f"{n}.jsonl"], cwd=tmp_path) for n in range(4)]
    assert [run.wait() for run in runs] == [0] * 4
    subprocess.run([*command, "last.jsonl"], cwd=tmp_path, check=True)
    asked = len(models.requests())
    assert 40 <= asked <= 160
    usage = [
        json.loads(line)["evaluator_results"][0]["usage"] for line in (tmp_path / "last.jsonl").read_text().splitlines()
    ]
    assert {one["cached"] for one in usage} == {1}


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_rows_do_not_depend_on_the_processes(rows: Any, models: Models, jobs: str) -> None:
    pairs = [(f"text {n % 70}", "x") for n in range(150)]
    found = rows(models.llm(), *pairs, arguments=("-j", jobs, "--no-cache"))
    assert [row["case_id"] for row in found] == [f"c{n}" for n in range(150)]
    usages = [row["evaluator_results"][0]["usage"] for row in found]
    assert sum(one["calls"] for one in usages) == len(models.requests())


def test_models_and_judges_in_one_suite(write: Write, evalctl: Evalctl, models: Models, tmp_path: Path) -> None:
    script = "import sys; open('calls', 'a').write('x'); print('{\"score\": 1}')"
    judge = {"type": "code_judge", "script": ["python3", "-c", script]}
    field = {"path": "a", "match": "semantic", "threshold": 0, "backend": models.llm()}
    cases = [{"id": f"c{n}", "expected": {"a": f"{n}"}, "candidate": {"a": "x"}} for n in range(5)]
    write("s.yaml", {"evaluators": [judge, {"type": "field_accuracy", "fields": [field]}], "cases": cases})
    done = evalctl("run", "s.yaml", "-j", "2", "--format", "json")
    assert json.loads(done.stdout)["usage"]["calls"] == 5
    assert (tmp_path / "calls").read_text() == "x" * 5


def test_usage_and_cost_are_added_up(write: Write, evalctl: Evalctl, models: Models) -> None:
    field = {"path": "a", "match": "semantic", "backend": models.llm(prices={"prompt": 2, "completion": 10})}
    cases = [{"id": f"c{n}", "expected": {"a": f"{n}"}, "candidate": {"a": "x"}} for n in range(3)]
    write("s.yaml", {"evaluators": [{"type": "field_accuracy", "fields": [field]}], "cases": cases})
    usage = {"calls": 3, "cached": 0, "prompt_tokens": 300, "completion_tokens": 30, "cost": 0.0009}
    summary = json.loads(evalctl("run", "s.yaml", "--format", "json", "-o", "r.jsonl").stdout)
    assert (summary["usage"], summary["evaluators"][0]["usage"]) == (usage, usage)
    line = "3 calls, 0 cached · 300 + 30 tokens · cost 0.0009"
    for form in ("console", "markdown"):
        assert line in evalctl("report", "r.jsonl", "--format", form).stdout


def test_an_answer_that_counts_no_tokens_is_counted_by_its_letters(rows: Any, models: Models) -> None:
    models.script(("", [{"usage": None}]))
    [row] = rows(models.llm(), ("a", "b"))
    assert row["evaluator_results"][0]["usage"]["prompt_tokens"] > 50


def test_no_key_header_or_prompt_is_written_anywhere(
    write: Write, evalctl: Evalctl, models: Models, tmp_path: Path
) -> None:
    models.script(
        ("one", [{"status": 401, "echo": "you sent"}]),
        ("six", [{"status": 400, "text": "neither swordfish nor 4711"}]),
        ("two", [{"status": 500, "echo": "boom", "headers": {"Retry-After": "0"}}]),
        ("three", [{"answer": {"reasoning": f"the key is {_KEY}", "score": 0.5}}]),
        ("four", [{"content": f"{_KEY} is no JSON"}]),
    )
    prompt = "The passwords are hunter2-planted and swordfish. {{ input }} {{ candidate }}"
    judge = models.llm(type="llm_judge", api_key_env="TEST_KEY", rubric="Rubric.", prompt=prompt)
    cases = [
        {"id": n, "input": "secret-input-77 4711;", "candidate": n} for n in ("one", "two", "three", "four", "six")
    ]
    write("suites/s.yaml", {"evaluators": [judge], "cases": cases})
    said = ""
    for form in ("console", "json", "markdown"):
        done = evalctl("run", "suites/s.yaml", "-o", "out/r.jsonl", "--format", form, TEST_KEY=_KEY)
        said += done.stdout + done.stderr
        assert done.returncode == 3
    assert {one["authorization"] for one in models.requests()} == {f"Bearer {_KEY}"}
    files = [path for path in tmp_path.rglob("*") if path.is_file() and "suites" not in path.parts]
    assert any("cache" in path.parts for path in files)
    kept = b'"input":"secret-input-77 4711;"'  # a row keeps the input of its case
    for secret in (_KEY, "hunter2-planted", "swordfish", "secret-input-77", "4711;", "nor 4711", "Bearer"):
        assert secret not in said
        assert not [path for path in files if secret.encode() in path.read_bytes().replace(kept, b"")]
    assert "[redacted]" in said


@pytest.mark.parametrize(
    ("backend", "problem"),
    [
        ({"type": "llm", "model": "m"}, "s.yaml:3:83: evaluators[0].fields[0].backend.base_url: is required"),
        ({"type": "llm", "base_url": "ftp://x", "model": "m"}, "backend.base_url: must be an http:// or https:// address"),
        ({"type": "llm", "base_url": "http://u:p@h/v1", "model": "m"}, "backend.base_url: must hold no name, password"),
        ({"type": "llm", "base_url": "http://h", "model": "m", "api_key_env": "NOT_SET"}, "backend.api_key_env: the environment variable 'NOT_SET' is not set"),
        ({"type": "llm", "base_url": "http://h", "model": "m", "api_key_env": "EMPTY"}, "the environment variable 'EMPTY' is not set"),
        ({"type": "llm", "base_url": "http://h", "model": "m", "api_key_env": "ODD"}, "the environment variable 'ODD' holds characters"),
        ({"type": "llm", "base_url": "http://h", "model": "m", "timeout": 0}, "backend.timeout: must be greater than 0"),
        ({"type": "llm", "base_url": "http://h", "model": "m", "retrys": 1}, "unknown key 'retrys'; did you mean 'retries'?"),
        ({"type": "llm", "base_url": "http://h", "model": "m", "parameters": {"model": "x"}}, "backend.parameters: 'model' is set by evalctl"),
        ({"type": "embeding", "base_url": "http://h", "model": "m"}, "did you mean 'embedding'?"),
        ("llm", "is required"),
        ("sentence_transformers", "sentence-transformers is not installed; pip install 'agentv-py[local]'"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_backend_is_said_before_anything_runs(
    write: Write, evalctl: Evalctl, backend: Any, problem: str
) -> None:
    field = {"path": "a", "match": "semantic", "backend": backend}
    suite = f"cases: [{{id: a}}]\nevaluators:\n  - {{type: field_accuracy, fields: [{json.dumps(field)}]}}\n"
    write("s.yaml", suite)
    done = evalctl("validate", "s.yaml", EMPTY=" ", ODD="kéy-geheim")
    assert done.returncode == 2
    assert problem in done.stderr
    assert "geheim" not in done.stderr


def test_a_local_model_is_loaded_and_asked_in_batches(write: Write, evalctl: Evalctl, tmp_path: Path) -> None:
    package = """
class SentenceTransformer:
    def __init__(self, name):
        open("loaded", "a").write(name + " ")
    def encode(self, texts, batch_size, show_progress_bar):
        open("loaded", "a").write(f"{len(texts)} ")
        return [[text.count("a"), text.count("b"), 1.0] for text in texts]
"""
    write("fake/sentence_transformers/__init__.py", package)
    field = {
        "path": "a",
        "match": "semantic",
        "threshold": 0,
        "backend": {"type": "sentence_transformers", "model": "tiny", "batch_size": 2},
    }
    cases = [
        {"id": "x", "expected": {"a": "aab"}, "candidate": {"a": "aba"}},
        {"id": "y", "expected": {"a": "b"}, "candidate": {"a": "aab"}},
    ]
    write("s.yaml", {"evaluators": [{"type": "field_accuracy", "fields": [field]}], "cases": cases})
    for _ in range(2):
        done = evalctl("run", "s.yaml", "-o", "r.jsonl", PYTHONPATH=str(tmp_path / "fake"))
        scores = [json.loads(line)["score"] for line in (tmp_path / "r.jsonl").read_text().splitlines()]
        assert scores == pytest.approx([1.0, 2 / (2**0.5 * 6**0.5)]), done.stderr
    assert (tmp_path / "loaded").read_text() == "tiny 2 1 "


def test_a_local_model_that_cannot_be_loaded_is_an_error(write: Write, evalctl: Evalctl, tmp_path: Path) -> None:
    write(
        "fake/sentence_transformers/__init__.py", "def SentenceTransformer(name): raise OSError(name + ' is not there')"
    )
    field = {"path": "a", "match": "semantic", "backend": "sentence_transformers"}
    write(
        "s.yaml",
        {
            "evaluators": [{"type": "field_accuracy", "fields": [field]}],
            "cases": [{"id": "x", "expected": {"a": "1"}, "candidate": {"a": "2"}}],
        },
    )
    done = evalctl("run", "s.yaml", "-o", "-", PYTHONPATH=str(tmp_path / "fake"))
    assert done.returncode == 3
    assert json.loads(done.stdout)["error"]["message"] == "all-MiniLM-L6-v2: all-MiniLM-L6-v2 is not there"


def test_a_cache_that_cannot_be_used_is_said_plainly(write: Write, evalctl: Evalctl, models: Models) -> None:
    write(".evalctl/cache/answers.sqlite", b"this is no database at all" * 100)
    field = {"path": "a", "match": "semantic", "threshold": 0, "backend": models.llm()}
    write(
        "s.yaml",
        {
            "evaluators": [{"type": "field_accuracy", "fields": [field]}],
            "cases": [{"id": "x", "expected": {"a": "1"}, "candidate": {"a": "2"}}],
        },
    )
    done = evalctl("run", "s.yaml")
    assert (
        done.returncode,
        "cannot be used: file is not a database; remove it, or run with --no-cache" in done.stderr,
    ) == (2, True)
    assert evalctl("run", "s.yaml", "--no-cache", "--exit-zero").returncode == 0


def test_from_python_models_are_asked_as_well(models: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from agentv_py import compare, evaluate, semantic

    monkeypatch.chdir(tmp_path)
    like = semantic(backend=models.llm(), threshold=0.4)
    assert compare({"a": "x"}, {"a": "y"}, {"a": like}).score == 0.5
    models.script(("", [{"gather": 6}]))
    result = evaluate([{"expected": {"a": f"{n}"}, "candidate": {"a": "x"}} for n in range(6)], {"a": like})
    assert (result.mean_score, models.most_under_way()) == (0.5, 6)
    assert result.cases[0]["evaluator_results"][0]["usage"]["calls"] == 1
    [row] = evaluate([{"expected": {"a": "p"}, "candidates": [{"a": "q"}, {"a": "r"}]}], {"a": like}).cases
    assert (row["repeats"], row["consistency"], row["evaluator_results"][0]["usage"]["calls"]) == ([0.5, 0.5], 0.5, 4)


def test_every_answer_of_a_case_is_asked_about_beforehand(
    write: Write, models: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    models.script(("", [{"gather": 3}]))
    judge = models.llm(type="llm_judge", rubric="R")
    cases = [{"id": "x", "expected": "e", "candidates": ["one", "two", "three"]}]
    run_plans([plan_of(write("s.yaml", {"evaluators": [judge], "cases": cases}))], "r.jsonl", 1, lambda _cases: None)
    row = json.loads((tmp_path / "r.jsonl").read_text(encoding="utf-8"))
    assert (row["repeats"], models.most_under_way()) == ([0.5] * 3, 3)
    assert row["evaluator_results"][0]["usage"]["calls"] == 3


def test_a_wait_doubles_and_is_bounded_and_the_server_is_heard() -> None:
    assert all(0.5 * 2**n / 2 <= compute_wait(n, 0.5, None) <= 0.5 * 2**n for n in range(6))
    assert compute_wait(40, 0.5, None) <= LONGEST_WAIT
    assert (compute_wait(0, 0.5, "2.5"), compute_wait(0, 0.5, "1e9")) == (2.5, 1e9)
    soon = datetime.now(UTC) + timedelta(seconds=30)
    assert 25 < compute_wait(0, 0.5, format_datetime(soon, usegmt=True)) <= 30
    assert compute_wait(0, 0.5, "Wed, 21 Oct 2015 07:28:00 GMT") == 0.0
    for nonsense in ("", "soon", "nan", "-1"):
        assert compute_wait(0, 0.5, nonsense) <= 0.5
