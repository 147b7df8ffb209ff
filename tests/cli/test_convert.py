"""Suites of other tools, converted: the new suite is valid, runs with the same scores, and replaces nothing."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl
from models import Models
from pipeline import plan_of, rows_of
from requirements import require_program
from service import Reply, serve

from agentv_py.run.session import run_plans

_ROOT = Path(__file__).parents[2]
Write = Callable[[str, Any], Path]
_PROVIDER = """\
def call_api(prompt, options, context):
    print("a log line")
    text = f"{prompt} {context['vars']['name']}{options['config']['mark']}"
    return {"output": text, "tokenUsage": {"total": 5, "prompt": 3, "completion": 2}, "cost": 0.5}
"""
_CONFIG = """\
# how it greets
prompts: ["Say hello to"]
providers:
  - {id: "python:provider.py", label: greeter, config: {mark: "!"}}   # ours
defaultTest: {assert: [{type: cost, threshold: 0.5}]}
tests:
  - vars: {name: Ann}
    assert:
      - {type: equals, value: "Say hello to {{name}}!"}
      - {type: javascript, value: "output.endsWith('!') && context.vars.name === 'Ann'"}
      - type: javascript
        value: |
          const words = output.split(' ');
          return { pass: words.length === 4, score: 0.9, reason: `${words.length} words` };
      - {type: javascript, value: "file://check.cjs:isShort"}
      - {type: python, value: "'Ann' in output and context['vars']['name'] == 'Ann'"}
      - {type: python, value: "file://check.py"}
      - {type: levenshtein, value: Say hello to Ann, threshold: 1}
      - {type: assert-set, threshold: 0.5, assert: [{type: contains, value: Ann}, {type: contains, value: Bob}]}
  - vars: {name: Bob}
    assert: [{type: not-icontains, value: bob}, {type: python, value: "len(output) / 100"}]
"""


_HTTP_CONFIG = """\
prompts: ["Hi {{name}}"]
providers:
  - id: URL/ask
    config:
      method: POST
      headers: {X-Key: "{{env.PF_KEY}}"}
      body: {messages: [{role: user, content: "{{prompt}}"}], n: 1}
      transformResponse: json.choices[0].text
evaluateOptions: {maxConcurrency: 1}
tests:
  - {vars: {name: Ann}, assert: [{type: contains-any, value: "Ann, Bob"}, {type: equals, value: You said Hi Ann}]}
  - {vars: {name: 'Bob "q" \\'}, assert: [{type: icontains, value: 'bob "q"'}, {type: equals, value: 'You said Hi Bob'}]}
"""


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _outline(rows: list[dict[str, Any]]) -> list[tuple[str, Any]]:
    return [
        (row["case_id"], [(result["name"], result["score"]) for result in row["evaluator_results"]]) for row in rows
    ]


def test_a_configuration_of_promptfoo_is_converted_and_runs(write: Write, evalctl: Evalctl) -> None:
    require_program("node", install="apt-get install nodejs")
    write("promptfooconfig.yaml", _CONFIG)
    write("provider.py", _PROVIDER)
    write("check.py", "def get_assert(output, context):\n    return {'pass_': True, 'score': 0.8, 'reason': 'fine'}\n")
    write("check.cjs", "module.exports = { isShort: (output) => output.length < 40 };")
    done = evalctl("convert", "promptfooconfig.yaml", "-o", "new/suite.yaml")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "wrote new/suite.yaml and 8 scripts for it\nnow: evalctl run new/suite.yaml\n"
    text = Path("new/suite.yaml").read_text()
    assert "# how it greets\ntargets:" in text
    rows = rows_of(Path("new/suite.yaml"))
    assert _outline(rows) == [
        (
            "test-1",
            [
                ("cost", 1.0), ("equals", 1.0), ("javascript", 1.0), ("javascript-2", 0.9), ("javascript-3", 1.0),
                ("python", 1.0), ("python-2", 0.8), ("levenshtein", 1.0), ("assert-set", 0.5),
            ],
        ),
        ("test-2", [("cost", 1.0), ("not-icontains", 0.0), ("python", 0.17)]),
    ]  # fmt: skip
    assert [(row["verdict"], row["tokens"]["total"]) for row in rows] == [("pass", 5), ("fail", 5)]
    assert [result["verdict"] for result in rows[1]["evaluator_results"]] == ["pass", "fail", "pass"]


def test_an_http_provider_of_promptfoo_is_converted_and_asked(
    write: Write, evalctl: Evalctl, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PF_KEY", "s3cret")
    with serve(
        lambda call: Reply({"choices": [{"text": f"You said {call.json()['messages'][0]['content']}"}]})
    ) as service:
        write("promptfooconfig.yaml", _HTTP_CONFIG.replace("URL", service.url))
        done = evalctl("convert", "promptfooconfig.yaml", "-o", "suite.yaml", PF_KEY="s3cret")
        assert (done.returncode, done.stderr) == (0, "")
        rows = rows_of(Path("suite.yaml"))
    assert [(row["candidate"], row["verdict"]) for row in rows] == [
        ("You said Hi Ann", "pass"),
        ('You said Hi Bob "q" \\', "fail"),
    ]
    assert [(call.json(), call.headers["x-key"]) for call in service.calls] == [
        ({"messages": [{"role": "user", "content": text}], "n": 1}, "s3cret") for text in ("Hi Ann", 'Hi Bob "q" \\')
    ]


def test_a_suite_of_agentv_is_converted_to_another_folder_and_scores_the_same(tmp_path: Path, evalctl: Evalctl) -> None:
    shutil.copytree(_ROOT / "judges", tmp_path / "judges")
    shutil.copytree(_ROOT / "evals" / "agentv", tmp_path / "evals" / "agentv")
    done = evalctl("convert", "evals/agentv/field_accuracy.yaml", "-o", "other/place/suite.yaml")
    assert (done.returncode, done.stderr) == (0, "")
    text = Path("other/place/suite.yaml").read_text()
    assert "  # The case's own evaluators replace those of the suite.\n  - id: dash-in-a-name\n" in text
    before, after = (rows_of(Path(path)) for path in ("evals/agentv/field_accuracy.yaml", "other/place/suite.yaml"))
    assert _outline(after) == _outline(before)


def test_a_file_that_exists_stays(write: Write, evalctl: Evalctl) -> None:
    write("s.yaml", "assertions: [{type: is-json}]\ntests: [{id: a, input: u}]")
    write("s.evalctl.yaml", "mine")
    done = evalctl("convert", "s.yaml")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: s.evalctl.yaml: exists already; name another file with -o\n"
    assert Path("s.evalctl.yaml").read_text() == "mine"


def test_the_suite_goes_to_stdout_unless_it_needs_scripts(write: Write, evalctl: Evalctl) -> None:
    write("s.yaml", "# c\nassertions: [{type: is-json}]\ntests: [{id: a, input: u}]")
    shown = "# c\nevaluators: [{type: is_json}]\ncases: [{id: a, input: [{role: user, content: u}]}]\n"
    assert evalctl("convert", "s.yaml", "-o", "-").stdout == shown
    write("p.yaml", _CONFIG)
    write("provider.py", _PROVIDER)
    write("check.py", "")
    write("check.cjs", "")
    done = evalctl("convert", "p.yaml", "-o", "-")
    assert (done.returncode, done.stdout) == (2, "")
    assert "name a file with -o FILE" in done.stderr


def test_a_suite_in_our_own_spelling_is_not_converted(write: Write, evalctl: Evalctl) -> None:
    write("s.yaml", "cases: []")
    done = evalctl("convert", "s.yaml")
    assert done.returncode == 2
    assert "neither a suite of AgentV nor a configuration of promptfoo" in done.stderr


def test_a_new_suite_that_is_not_valid_here_is_written_and_its_problem_is_shown(write: Write, evalctl: Evalctl) -> None:
    write("s.yaml", "assertions: [{name: j, type: script, command: none-such-program}]\ntests: [{id: a, input: u}]")
    done = evalctl("convert", "s.yaml")
    assert done.returncode == 2
    assert "s.evalctl.yaml:2:" in done.stderr
    assert "none-such-program" in done.stderr
    assert "none-such-program" in Path("s.evalctl.yaml").read_text()


def test_models_and_schemas_of_promptfoo_work_after_the_conversion(
    write: Write, evalctl: Evalctl, models: Models, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key-for-tests")
    models.script(
        ("about cats", [{"answer": {"reasoning": "so", "score": 0.9}}]),
        ("Describe", [{"content": '{"animal": "cat"}'}]),
    )
    endpoint = {"apiBaseUrl": models.url}
    judge = {"id": "openai:chat:judge", "config": endpoint}
    embedder = {"id": "openai:embedding:e", "config": endpoint}
    config = {
        "prompts": ["Describe a {{animal}}."],
        "providers": [{"id": "openai:chat:writer", "label": "writer", "config": endpoint}],
        "tests": [
            {
                "vars": {"animal": "cat"},
                "assert": [
                    {"type": "is-json", "value": {"type": "object", "required": ["animal"]}},
                    {"type": "contains-json", "value": "file://dog.json"},
                    {"type": "llm-rubric", "value": "is about {{animal}}s", "provider": judge},
                    {"type": "similar", "value": "{{animal}}", "threshold": 0.01, "provider": embedder},
                ],
            }
        ],
    }
    write("promptfooconfig.yaml", config)
    write("dog.json", {"properties": {"animal": {"const": "dog"}}})
    done = evalctl("convert", "promptfooconfig.yaml", OPENAI_API_KEY="key-for-tests")
    assert (done.returncode, done.stderr) == (0, "")
    run_plans([plan_of(Path("promptfooconfig.evalctl.yaml"))], "r.jsonl", 1, lambda _cases: None)
    rows = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()]
    [(_, scores)] = _outline(rows)
    similar = pytest.approx(0.745, abs=0.001)
    assert scores == [("is-json", 1.0), ("contains-json", 0.0), ("llm-rubric", 0.9), ("similar", similar)]
    assert [result["verdict"] for result in rows[0]["evaluator_results"]] == ["pass", "fail", "pass", "pass"]
    assert (rows[0]["verdict"], rows[0]["target"]) == ("fail", "writer")
