"""The tables of the references are the program's own models, options and keys."""

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest
import typer
from conftest import Evalctl
from documents import ROOT, read_table
from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from agentv_py import evaluators, targets
from agentv_py.cli import build_app
from agentv_py.comparison import matchers
from agentv_py.comparison.comparators import Unordered
from agentv_py.comparison.matchers.base import Match
from agentv_py.evaluators.base import Evaluator
from agentv_py.formats import BY_SUFFIX, Format
from agentv_py.inference.rules import RULES
from agentv_py.inference.suggest import STRUCTURE_RULES
from agentv_py.judge import Payload, Result
from agentv_py.models.backends import Embedding, Lexical, Llm, SentenceTransformers
from agentv_py.models.endpoint import Endpoint
from agentv_py.report.diff.gates import VALID
from agentv_py.suite.schema import CaseRow, Suite
from agentv_py.targets.base import Target
from agentv_py.targets.confidence import Confidence
from agentv_py.targets.live import LiveTarget

_SUITES, _JUDGES = "evals/README.md", "judges/README.md"
_MATCHES: list[Any] = matchers.FAMILY.models()
_EVALUATORS: list[Any] = evaluators.FAMILY.models()
_TARGETS: list[Any] = targets.FAMILY.models()
_BACKENDS = (Lexical, Embedding, Llm, SentenceTransformers)
_OPTION = ("option", "default", "meaning")


def _names(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def _show(model: type[BaseModel], name: str) -> str:
    """Return an option's default as the tables write it."""
    field = model.model_fields[name]
    if field.is_required():
        return "required"
    default = field.get_default(call_default_factory=True)
    if isinstance(default, BaseModel):
        given = default.model_dump(by_alias=True, exclude_none=True)
        values = (f"{key}: {value}" for key, value in given.items())
        return str(given.get("type", "{" + ", ".join(values) + "}" if given else "–"))
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, float):
        return f"{default:g}"
    if isinstance(default, str) and len(default) > 40:
        return "built in"
    if isinstance(default, list) and len(default) == 1:
        return str(default[0])  # as a suite writes it
    return "–" if default in (None, "", [], {}, PydanticUndefined) else str(default)


def _options(model: type[BaseModel], *without: type[BaseModel]) -> dict[str, str]:
    common = {"type", "match"}.union(*(base.model_fields for base in without if issubclass(model, base)))
    fields = ((name, field) for name, field in model.model_fields.items() if name not in common)
    return {field.alias or name: _show(model, name) for name, field in fields}


def _table(heading: str, file: str = _SUITES, header: tuple[str, ...] = _OPTION) -> dict[str, str]:
    return {_names(row[0])[0]: row[1] for row in read_table(file, heading, *header)}


@pytest.mark.parametrize("evaluator", _EVALUATORS, ids=lambda evaluator: evaluator.__name__)
def test_the_table_of_an_evaluator_is_its_model(evaluator: type[Evaluator]) -> None:
    [tag] = get_args(evaluator.model_fields["type"].annotation)
    assert _table(tag) == _options(evaluator, Evaluator, Endpoint)


@pytest.mark.parametrize("target", _TARGETS, ids=lambda target: target.__name__)
def test_the_table_of_a_target_is_its_model(target: type[Target]) -> None:
    [tag] = get_args(target.model_fields["type"].annotation)
    assert _table(tag) == _options(target, Target, LiveTarget, Endpoint)


def test_the_common_options_are_the_models() -> None:
    assert _table("Targets", header=("target that is asked", "default", "meaning")) == _options(LiveTarget, Target)
    assert _table("How a case is scored") == _options(Evaluator)
    assert _table("Match types") == _options(Match)
    assert _table("Endpoints") == _options(Endpoint)


@pytest.mark.parametrize("match", _MATCHES, ids=lambda match: match.__name__)
def test_the_table_of_match_types_is_the_models(match: type[Match]) -> None:
    tag = match.model_fields["match"].default
    rows = _table("Match types", header=("match", "options (default)", "passes when"))
    for name, default in _options(match, Match).items():
        shown = f"{match.model_fields[name].default:.1f}" if re.fullmatch(r"\d+", default) else default
        assert f"`{name}` {shown}" in rows[tag]
    assert rows.keys() == {member.model_fields["match"].default for member in _MATCHES}


@pytest.mark.parametrize("backend", _BACKENDS, ids=lambda backend: backend.__name__)
def test_the_table_of_backends_is_the_models(backend: type[BaseModel]) -> None:
    rows = _table("Backends", header=("backend", "options (default)", "similarity"))
    options = _options(backend, Endpoint)
    assert _names(rows[backend.model_fields["type"].default]) == list(options)
    assert all(f"`{name}` {default}" in rows[backend.model_fields["type"].default] for name, default in options.items())


def test_the_table_of_unordered_is_its_model() -> None:
    tables = _table("object_match")
    assert tables.keys() == {"comparators", "schema", "default", "extra_keys", "absent", "aggregate"}
    assert _table("object_match", header=("beside `unordered`", "default", "meaning")) == {
        name: default for name, default in _options(Unordered).items() if name != "unordered"
    }


def test_the_tables_of_suites_and_cases_are_the_models() -> None:
    shown = _table("The suite file", header=("key", "default", "meaning"))
    assert shown.keys() == Suite.model_fields.keys()
    assert shown == _options(Suite) | {"name": "the name of the file without its suffix"}
    cases = read_table(_SUITES, "Cases", "key", "meaning")
    assert [_names(row[0])[0] for row in cases] == list(CaseRow.model_fields)


def test_the_table_of_confidence_is_its_model() -> None:
    rows = read_table(_SUITES, "Confidence", "key of `confidence`", "default", "meaning")
    assert [_names(row[0])[0] for row in rows] == list(Confidence.model_fields)


def test_the_tables_of_the_wire_are_the_sdk() -> None:
    question, answer = (read_table(_JUDGES, f"The {part}", "key", "value") for part in ("question", "answer"))
    assert {_names(row[0])[0] for row in question} == {*Payload.__dataclass_fields__, "sequence"}
    assert [name for row in answer for name in _names(row[0])] == [
        *Result.__dataclass_fields__, "sequence", "case_id",
    ]  # fmt: skip


def test_the_table_of_a_judge_s_errors_has_every_kind_of_the_program() -> None:
    sources = [
        (ROOT / "agentv_py" / file).read_text(encoding="utf-8")
        for file in ("evaluators/code_judge/__init__.py", "models/program_error.py", "run/holdback.py")
    ]
    kinds = {kind for text in sources for kind in re.findall(r'(?:Error\(|_error\(|"kind": )"(\w+)"', text)}
    keys = {"hits", "misses", "reasoning", "details", "sequence", "case_id"}  # a wrong value is an error of its key
    rows = read_table(_JUDGES, "Errors", "kind", "reason")
    assert {name for row in rows for name in _names(row[0])} == kinds | keys


@pytest.mark.parametrize(
    "name",
    [
        "run",
        "report",
        "diff",
        "trend",
        "validate",
        "score",
        "explain",
        "merge",
        "baseline set",
        "accept",
        "strategies infer",
        "schema",
        "init",
    ],
)
def test_the_table_of_a_command_is_its_options(name: str) -> None:
    command: Any = typer.main.get_command(build_app())
    for word in name.split():
        command = command.commands[word]
    options = {max(one.opts, key=len) for one in command.params if one.param_type_name == "option"}
    rows = read_table(_SUITES, f"evalctl {name}", "option", "meaning") if options else []
    assert {_names(row[0])[0] for row in rows} == options


def test_every_command_has_a_section() -> None:
    command: Any = typer.main.get_command(build_app())
    assert set(command.commands) == {
        "run", "report", "diff", "trend", "validate", "score", "explain", "merge", "baseline", "accept", "strategies",
        "schema", "init", "convert", "guide",
    }  # fmt: skip


def test_the_table_of_formats_is_the_program_s() -> None:
    rows = read_table(_SUITES, "Formats", "format", "suffix", "holds")
    assert {row[1]: _names(row[0])[0] for row in rows if row[1] != "–"} == BY_SUFFIX
    assert [_names(row[0])[0] for row in rows] == list(get_args(Format))


def test_the_table_of_diff_gates_is_the_program_s() -> None:
    rows = read_table(_SUITES, "evalctl diff", "gate", "applies if")
    assert [gate for row in rows for gate in _names(row[0])] == VALID.split(", ")


def test_the_keys_of_a_row_are_those_that_a_run_writes(evalctl: Evalctl, tmp_path: Path) -> None:
    shipped = map(
        str, (ROOT / "evals" / f"{name}.yaml" for name in ("invoices", "repeats", "detection", "answer_checks"))
    )
    suite = "evaluators: [{type: field_accuracy, fields: [{path: a}]}]\ncases: [{expected: {a: 1}}]\n"
    (tmp_path / "no_candidate.yaml").write_text(suite, encoding="utf-8")
    answer = {
        "id": "case-1",
        "candidate": {"a": 1},
        "latency_ms": 1,
        "cost": 1,
        "tokens": 1,
        "trace": [],
        "confidence": 1,
    }
    (tmp_path / "a.json").write_text(json.dumps([answer]), encoding="utf-8")
    (tmp_path / "target.yaml").write_text(f"{suite}target: {{type: recorded, predictions: a.json}}\n", encoding="utf-8")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("0" * 40, encoding="utf-8")
    wrapped = suite.replace("{a: 1}}]", "{a: 1}, candidate: {a: {_confidence: 1}}}]") + "confidence: {wrapper: {}}\n"
    (tmp_path / "wrapped.yaml").write_text(wrapped, encoding="utf-8")
    flags = ("--limit", "99", "--label", "x")
    evalctl("run", *shipped, "no_candidate.yaml", "target.yaml", "wrapped.yaml", "-o", "results.jsonl", *flags)
    rows = [json.loads(line) for line in (tmp_path / "results.jsonl").read_text(encoding="utf-8").splitlines()]
    shown = [name for row in read_table(_SUITES, "Results", "key", "value") for name in _names(row[0])]
    assert {key for row in rows for key in row} == set(shown)


def test_the_tables_of_suites_and_judges_that_ship_are_the_files() -> None:
    suites = [_names(row[0])[0] for row in read_table(_SUITES, "Suites that ship", "suite", "shows")]
    judges = [_names(row[0])[0] for row in read_table(_JUDGES, "Judges that ship", "script", "config", "score")]
    assert sorted(suites) == sorted(path.name for path in (ROOT / "evals").glob("*.yaml"))
    assert sorted(judges) == sorted(path.name for path in (ROOT / "judges").glob("*.[ps][yh]"))


def test_the_table_of_rules_is_the_program_s() -> None:
    rows = read_table(_SUITES, "evalctl init", "rule", "fits", "comparator")
    assert [_names(row[0])[0] for row in rows] == [*(rule.__name__ for rule in RULES), *STRUCTURE_RULES]
