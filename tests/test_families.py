"""The laws that every member of a family obeys; a new member is tested by existing."""

import inspect
import json
import math
import pickle
import re
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from models import Models
from pipeline import rows_of

import agentv_py
from agentv_py import evaluators, formats, targets
from agentv_py.api.match_types import NEED_NO_OPTIONS
from agentv_py.case import Case
from agentv_py.comparison import compare_value, matchers
from agentv_py.comparison.comparison import Incomparable, is_empty
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.matchers.contains import Contains
from agentv_py.comparison.matchers.one_of import OneOf
from agentv_py.comparison.matchers.regex import Regex
from agentv_py.evaluators.base import Evaluator
from agentv_py.formats import Format, render
from agentv_py.models import backends, embeddings
from agentv_py.models.backends.base import Backend
from agentv_py.models.budget import Budget, Spending
from agentv_py.models.chat import Chat
from agentv_py.models.policy import CallPolicy
from agentv_py.models.question import Question, Reply
from agentv_py.models.replies import QuestionRecorder, ReplySource, using
from agentv_py.process.persistent import stop_persistent
from agentv_py.report.diff.compute import compute_diff
from agentv_py.report.summary import Summary
from agentv_py.report.trend import compute_trend
from agentv_py.results.read import ResultsSource, reread_rows
from agentv_py.results.row import encode_row
from agentv_py.score import Score
from agentv_py.targets.base import Target

_PACKAGE = Path(agentv_py.__file__).parent
_MATCHES: list[Any] = matchers.FAMILY.models()
_EVALUATORS: list[Any] = evaluators.FAMILY.models()
_TARGETS: list[Any] = targets.FAMILY.models()
_FORMATS = get_args(Format)
_BACKEND = get_args(backends.AnyBackend)[0]
_BACKENDS: list[type[Backend]] = list(get_args(_BACKEND) or (_BACKEND,))
_BACKEND_FIELDS = {backend.model_fields["type"].default: backend.model_fields for backend in _BACKENDS}

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
texts = st.sampled_from(
    [
        "2025-01-15",
        "15-JAN-2025",
        "01/02/2025",
        "15 lip 25",
        "1er janvier 2025",
        "1,234.50",
        "$5",
        "(3)",
        "12 apples",
        "Acme Corp",
        "acme korp",
        "John Smith",
        "John A. Smith",
        "Jörg Möller GmbH",
        "\ud800",
        "Cafe\u0301",
        "\u212a",
    ]
)
values = json_values | texts
_TEXT = st.text(min_size=1).filter(lambda text: not text.isspace())
_NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
_NUMBER_TEXTS = st.decimals(allow_nan=False, allow_infinity=False, places=2).map(str)
_SIZES = st.floats(0.001, 1000)
_BOXES = st.tuples(st.floats(-1000, 1000), st.floats(-1000, 1000), _SIZES, _SIZES).map(
    lambda box: [box[0], box[1], box[0] + box[2], box[1] + box[3]]
)
_POINTS = st.lists(st.integers(-1000, 1000) | st.floats(-1000, 1000), min_size=1, max_size=3)
readable: dict[str, st.SearchStrategy[Any]] = {
    "exact": st.recursive(
        st.booleans() | _NUMBERS | st.text(min_size=1),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=8,
    ),
    "fuzzy": _TEXT,
    "name": _TEXT,
    "contains": _TEXT,
    "numeric_tolerance": _NUMBERS | _NUMBER_TEXTS,
    "within": _NUMBERS | _NUMBER_TEXTS,
    "numeric": _NUMBERS | _NUMBER_TEXTS,
    "date": st.dates().map(str),
    "one_of": st.sampled_from(["a", 1, True, [1, 2]]),
    "regex": st.text("ab", min_size=1),
    "presence": json_values,
    "semantic": _TEXT | _NUMBERS | st.lists(_TEXT),
    "iou": _BOXES,
    "distance": _POINTS,
    "ignore": json_values,
}
required_options: dict[str, dict[str, Any]] = {
    "within": {"tolerance": 0.05},
    "one_of": {"values": ["a", 1, True, [1, 2]]},
    "regex": {"pattern": "[ab]+"},
    "distance": {"threshold": 1.5},
}
more_options: dict[str, list[dict[str, Any]]] = {
    "fuzzy": [{"algorithm": "jaro_winkler"}, {"algorithm": "token_set", "threshold": 0}, {"case_sensitive": True}],
    "numeric_tolerance": [{"tolerance": 0.1}, {"tolerance": 0.1, "relative": True}],
    "within": [{"tolerance": 5, "mode": "absolute"}, {"tolerance": 0}],
    "numeric": [{"decimal": ","}],
    "date": [{"formats": ["DD/MM/YYYY"]}, {"day_first": True}, {"language": "auto"}, {"language": ["de", "fr"]}],
    "contains": [{"substring": "a", "case_sensitive": False}],
    "iou": [{"format": "xywh"}, {"format": "polygon"}, {"format": "polygon", "polygon": "exact"}],
    "distance": [{"metric": "manhattan"}, {"metric": "cosine"}, {"threshold": 0}, {"metric": "cosine", "threshold": 0}],
}


_ECHO = "import sys\nfor line in sys.stdin.buffer: print('{\"score\": 0.5}', flush=True)"


@pytest.fixture(autouse=True, scope="module")
def _stopped() -> Iterator[None]:
    yield
    stop_persistent()


@pytest.fixture(scope="module")
def judge_url(tmp_path_factory: pytest.TempPathFactory, all_models: Iterator[Models]) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as here:
        here.chdir(tmp_path_factory.mktemp("cache"))
        yield next(all_models).url


def make(member: type[Match], **options: Any) -> Match:
    return member(**required_options.get(member.model_fields["match"].default, {}) | options)


def _tag(name: str) -> str:
    return re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


@pytest.mark.parametrize("member", _MATCHES, ids=lambda member: member.__name__)
def test_a_match_type_is_named_by_its_file_its_tag_and_its_class(member: type[Match]) -> None:
    tag = member.model_fields["match"].default
    assert (member.__module__, _tag(member.__name__)) == (f"agentv_py.comparison.matchers.{tag}", tag)


@pytest.mark.parametrize("member", _EVALUATORS, ids=lambda member: member.__name__)
def test_an_evaluator_is_named_by_its_file_its_tag_and_its_class(member: type[Evaluator]) -> None:
    [tag] = get_args(member.model_fields["type"].annotation)
    assert (member.__module__, _tag(member.__name__)) == (f"agentv_py.evaluators.{tag}", tag)


@pytest.mark.parametrize("member", _TARGETS, ids=lambda member: member.__name__)
def test_a_target_is_named_by_its_file_its_tag_and_its_class(member: type[Target]) -> None:
    [tag] = get_args(member.model_fields["type"].annotation)
    assert (member.__module__, _tag(member.__name__)) == (f"agentv_py.targets.{tag}", tag)


_TARGET_OPTIONS: dict[str, dict[str, Any]] = {
    "recorded": {"predictions": "answers.jsonl"},
    "python": {"function": "family_member:run"},
    "command": {"command": "target.py"},
    "http": {"url": "http://127.0.0.1:9/", "retries": 0, "body": {"text": "{{input.text}}"}},
    "openai": {"base_url": "http://127.0.0.1:9", "model": "m", "prompt": "{{input.text}}", "retries": 0},
}


@pytest.mark.parametrize("member", _TARGETS, ids=lambda member: member.__name__)
def test_a_target_that_fails_on_an_empty_case_errs_it_and_the_run_goes_on(
    member: type[Target], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    Path("answers.jsonl").write_text('{"id": "other", "candidate": {"a": 1}}\n')
    Path("family_member.py").write_text("def run(given):\n    return given['text']\n")
    Path("target.py").write_text("import json, sys\nprint(json.load(sys.stdin)['text'])\n")
    [tag] = get_args(member.model_fields["type"].annotation)
    suite = {
        "cases": [{"id": "empty", "expected": {"a": 1}}, {"id": "other", "input": {}, "expected": {"a": 1}}],
        "evaluators": [{"type": "field_accuracy", "fields": [{"path": "a"}]}],
        "target": {"type": tag, **_TARGET_OPTIONS[tag]},
    }
    Path("s.yaml").write_text(json.dumps(suite))
    rows = rows_of(Path("s.yaml"))
    assert [(row["case_id"], row["status"], row["target"]) for row in rows] == [
        ("empty", "error", tag),
        ("other", "ok" if tag == "recorded" else "error", tag),
    ]
    assert rows[0]["error"]["message"]


@pytest.mark.parametrize("member", _BACKENDS, ids=lambda member: member.__name__)
def test_a_backend_is_named_by_its_file_its_tag_and_its_class(member: type[Backend]) -> None:
    [tag] = get_args(member.model_fields["type"].annotation)
    assert (member.__module__, _tag(member.__name__)) == (f"agentv_py.models.backends.{tag}", tag)


def _members_of(folder: str) -> set[str]:
    """The names of a family's files and folders, without its base classes and what grades by it."""
    found = {
        path.stem for path in (_PACKAGE / folder).iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()
    }
    return found - {"__init__", "base", "grade", "adjustment", "learning"}


@pytest.mark.parametrize("package", [matchers, evaluators], ids=lambda package: package.__name__)
def test_every_file_of_a_family_is_listed(package: Any) -> None:
    folder = package.__name__.removeprefix("agentv_py.").replace(".", "/")
    assert package.FAMILY.members.keys() == _members_of(folder)


def test_every_file_of_a_family_is_a_member() -> None:
    assert _members_of("comparison/matchers") == {member.model_fields["match"].default for member in _MATCHES}
    assert _members_of("evaluators") == {_tag(member.__name__) for member in _EVALUATORS}
    assert _members_of("models/backends") == {_tag(member.__name__) for member in _BACKENDS}
    assert (
        _members_of("formats")
        - {
            "text",
            "diff_sentence",
            "parquet_file",
            "changed_cases",
            "sections",
            "group_figures",
            "slice_changes",
            "slice_figures",
            "rule_words",
            "story_words",
        }
        == set(_FORMATS)
        == set(formats.FORMATS)
    )
    assert formats.__doc__


@pytest.mark.parametrize("member", _MATCHES, ids=lambda member: member.__name__)
@given(data=st.data())
def test_a_value_is_wholly_similar_to_itself(member: type[Match], data: st.DataObject) -> None:
    match = make(member)
    value = data.draw(readable[match.match])  # type: ignore[attr-defined]
    assert match.similarity(value, value) == 1.0
    assert match.passes_at <= 1.0


@pytest.mark.parametrize("member", _MATCHES, ids=lambda member: member.__name__)
@given(expected=values, actual=values)
def test_similarity_is_a_share_or_the_values_are_incomparable(member: type[Match], expected: Any, actual: Any) -> None:
    try:
        similarity = make(member).similarity(expected, actual)
    except Incomparable as why:
        assert why.note
    else:
        assert 0.0 <= similarity <= 1.0
        assert math.isfinite(similarity)


@pytest.mark.parametrize("member", _MATCHES, ids=lambda member: member.__name__)
@given(data=st.data())
def test_the_matrix_agrees_with_the_similarity_of_each_pair(member: type[Match], data: st.DataObject) -> None:
    tag = member.model_fields["match"].default
    match = make(member, **data.draw(st.sampled_from([{}, *more_options.get(tag, [])])))
    some = st.lists((values | readable[tag]).filter(lambda value: not is_empty(value)), min_size=1, max_size=5)
    expecteds, actuals = data.draw(some), data.draw(some)
    matrix = match.matrix(expecteds, actuals)
    for row, expected in enumerate(expecteds):
        for column, actual in enumerate(actuals):
            try:
                similarity = match.similarity(expected, actual)
            except Incomparable:
                assert math.isnan(matrix[row, column]) or matrix[row, column] == 0.0
            else:
                # rapidfuzz sums in another order when it does many at once.
                assert matrix[row, column] == pytest.approx(similarity, abs=1e-12), (expected, actual)


@pytest.mark.parametrize("member", _MATCHES, ids=lambda member: member.__name__)
@given(data=st.data())
def test_what_a_match_type_cannot_read_matches_nothing_else(member: type[Match], data: st.DataObject) -> None:
    match, tag = make(member), member.model_fields["match"].default
    good = data.draw(readable[tag].filter(lambda value: not is_empty(value)))
    assert match.explain_unreadable(good) == ""
    value = data.draw(values.filter(lambda value: not is_empty(value)))
    if match.equal_values_match and match.explain_unreadable(value):
        try:
            assert match.similarity(value, good) < match.passes_at
        except Incomparable as why:
            assert why.note


@pytest.mark.parametrize(
    "match",
    [
        Regex(pattern="[ab]+"), Regex(pattern="[ab]+", search=True), Contains(substring="a"),
        Contains(substring="A", case_sensitive=False), OneOf(values=["a", 1]),
    ],
    ids=repr,
)  # fmt: skip
@given(value=(st.text("abA ", min_size=1) | values).filter(lambda value: not is_empty(value)))
def test_a_value_that_breaks_a_rule_of_its_own_type_is_named_before_the_run(match: Match, value: Any) -> None:
    try:
        keeps_rule = match.similarity(value, value) == 1.0
    except Incomparable:
        keeps_rule = False
    assert (match.explain_unreadable(value) == "") is keeps_rule


_EQUAL_MATCH = [member for member in _MATCHES if make(member).equal_values_match and not member.is_ignored]


@pytest.mark.parametrize("member", _EQUAL_MATCH, ids=lambda member: member.__name__)
@given(value=_TEXT | texts | _NUMBERS | st.booleans())
def test_a_match_type_gives_equal_values_no_similarity_but_1(member: type[Match], value: Any) -> None:
    # Where the type cannot read them, `compare_leaf` lets them match; the matrices and the fast paths rely on it.
    with suppress(Incomparable):
        assert make(member).similarity(value, value) == 1.0


@pytest.mark.parametrize("member", _EQUAL_MATCH, ids=lambda member: member.__name__)
@given(value=_TEXT | texts | _NUMBERS | st.booleans())
def test_a_value_against_itself_is_1_under_every_match_type(member: type[Match], value: Any) -> None:
    match = make(member)
    if isinstance(value, str):
        for spelling in ("NFC", "NFD"):
            assert compare_value(match, value, unicodedata.normalize(spelling, value)).score == 1.0
    assert compare_value(match, value, value).score == 1.0


@pytest.mark.parametrize("member", _MATCHES, ids=lambda member: member.__name__)
@given(expected=_TEXT | texts, actual=_TEXT | texts)
def test_canonically_equivalent_texts_are_the_same_text(member: type[Match], expected: str, actual: str) -> None:
    match = make(member)
    first = compare_value(match, expected, actual)
    for spelling in ("NFC", "NFD"):
        other = compare_value(match, *(unicodedata.normalize(spelling, text) for text in (expected, actual)))
        assert (other.outcome, other.score, other.similarity, other.note) == (
            first.outcome,
            first.score,
            first.similarity,
            first.note,
        )


@pytest.mark.parametrize("member", _EVALUATORS, ids=lambda member: member.__name__)
@given(expected=values, candidate=values)
def test_an_evaluator_scores_whatever_it_is_given(
    member: type[Evaluator], judge_url: str, expected: Any, candidate: Any
) -> None:
    options: dict[str, Any] = {
        "field_accuracy": {"fields": [{"path": "$"}, {"path": "a[*].b"}, {"path": "a.b"}]},
        "json_quality": {"strategies": {"": "fuzzy"}, "ignore": ["0"], "safety": {"blocklist": ["a b"]}},
        "iou_score": {"bbox_path": "$", "threshold": 0.5, "matching": "optimal", "aggregation": "median"},
        "coordinate_distance": {"point_path": "$", "matching": "greedy", "metric": "cosine"},
        "detection": {"format": "polygon"},
        "code_judge": {"script": ["python3", "-c", _ECHO], "persistent": True},
        "llm_judge": {"base_url": judge_url, "model": "m", "rubric": "Be right."},
        "object_match": {
            "comparators": {"": {"unordered": {"a": "fuzzy"}}},
            "default": "exact",
            "extra_keys": "penalize",
        },
        "composite": {"members": [{"type": "contains", "value": "a", "negate": True}, {"type": "equals"}]},
        "tool_trajectory": {"expected": [{"tool": "search", "args": {"q": {"match": "fuzzy", "value": "a"}}}]},
        "latency": {"max_ms": 5},
        "cost": {"max": 0.5},
        "token_usage": {"max_total": 10, "max_output": 5},
        "equals": {"path": "a", "case_sensitive": False},
        "contains": {"case_sensitive": False},
        "regex": {"value": "(a|b)+$", "case_sensitive": False},
        "is_json": {"anywhere": True},
        "json_schema": {"schema": {"type": "object", "properties": {"a": {"format": "date"}}}},
        "rules": {
            "rules": [{"that": "candidate.a > 1 or len(candidate) < 5"}, {"that": "number(candidate) == expected"}]
        },
    }
    facts = {"latency_ms": 5, "cost": 1, "tokens": {"input": 5, "output": 5}, "trace": [{"tool": "search", "args": {}}]}
    [tag] = get_args(member.model_fields["type"].annotation)
    evaluator = member.model_validate({"type": tag, **options[tag]})
    score = evaluator.evaluate(Case("case", expected, candidate, facts=facts))
    assert isinstance(score, Score)
    assert 0.0 <= score.score <= 1.0
    # As it goes to other processes, where they are not forked.
    assert pickle.loads(pickle.dumps(evaluator)) == member.model_validate({"type": tag, **options[tag]})


_ENDPOINT = {"base_url": "http://127.0.0.1:9/v1", "model": "m"}
_MODEL_BACKENDS = [backend.model_fields["type"].default for backend in _BACKENDS if backend.uses_model]


def _options_that_ask(backend: str) -> dict[str, dict[str, Any]]:
    """Of each evaluator that asks models: options with which it does."""
    options = {"type": backend, **(_ENDPOINT if "base_url" in _BACKEND_FIELDS[backend] else {})}
    semantic = {"match": "semantic", "backend": options, "threshold": 0.5}
    columns = {"x": semantic, "y": "exact", "z": {"unordered": semantic}}
    comparators = {
        "a": semantic,
        "rows": {"unordered": columns, "threshold": 0.6},
        "others": {"unordered": columns, "matching": "greedy"},
    }
    items = ["be", {"id": "title", "text": "right", "required": True}]
    return {
        "llm_judge": {**_ENDPOINT, "rubric": items},
        "json_quality": {"backend": options, "safety": {"llm": _ENDPOINT}},
        "object_match": {"comparators": comparators, "default": semantic},
        "field_accuracy": {"fields": [{"path": "a", **semantic}, {"path": "rows[*].x", **semantic}]},
    }


@cache
def _evaluator_that_asks(tag: str, backend: str) -> Evaluator:
    [member] = [member for member in _EVALUATORS if _tag(member.__name__) == tag]
    evaluator: Evaluator = member.model_validate({"type": tag, **_options_that_ask(backend)[tag]})
    return evaluator


@pytest.fixture(scope="module")
def _local_models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A package of the name, so that its backend can be chosen."""
    folder = tmp_path_factory.mktemp("packages")
    (folder / "sentence_transformers.py").touch()
    with pytest.MonkeyPatch.context() as here:
        here.syspath_prepend(folder)
        yield


def _replies_to(question: Question) -> st.SearchStrategy[Any]:
    if isinstance(question.model, Chat):
        return _replies_of(question.payload.schema)
    return st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0]), min_size=2, max_size=2).map(embeddings.read_vector)


def _replies_of(schema: Any) -> st.SearchStrategy[dict[str, Any]]:
    kinds: dict[Any, st.SearchStrategy[Any]] = {
        float: st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]),
        bool: st.booleans(),
        str: st.just("so"),
    }
    return st.fixed_dictionaries(
        {
            field.alias or name: kinds[kind] if (kind := field.annotation) in kinds else _replies_of(kind)
            for name, field in schema.model_fields.items()
        }
    )


_SOME_TEXT = st.sampled_from(["a cat", "a dog", "some other text", "A cat", ""])
_ROWS = st.lists(
    st.fixed_dictionaries({"x": _SOME_TEXT, "y": st.integers(0, 1), "z": st.lists(_SOME_TEXT, max_size=2)}), max_size=3
)
_ANSWERS = st.fixed_dictionaries({"a": _SOME_TEXT, "b": _SOME_TEXT, "rows": _ROWS, "others": _ROWS})


def test_every_evaluator_that_asks_a_model_is_held_to_the_contract_below() -> None:
    asking = {_tag(member.__name__) for member in _EVALUATORS if member.models is not Evaluator.models}
    assert asking == _options_that_ask("llm").keys()


@pytest.mark.usefixtures("_local_models")
@pytest.mark.parametrize("backend", _MODEL_BACKENDS)
@pytest.mark.parametrize("tag", _options_that_ask("llm"))
@settings(max_examples=30)
@given(data=st.data())
def test_an_evaluator_survives_the_recording_pass_and_then_asks_only_what_it_recorded(
    tag: str, backend: str, data: st.DataObject
) -> None:
    evaluator = _evaluator_that_asks(tag, backend)
    case = Case("case", data.draw(_ANSWERS), data.draw(_ANSWERS))
    with using(QuestionRecorder()) as recorder:
        assert isinstance(evaluator.evaluate(case), Score)
    replies = {key: Reply(data.draw(_replies_to(question))) for key, question in recorder.questions.items()}
    # A question that was not recorded would have to be sent, which this budget forbids.
    with using(ReplySource(CallPolicy("off", Spending(Budget(calls=0))), replies)):
        assert isinstance(evaluator.evaluate(case), Score)


@pytest.mark.usefixtures("_local_models")
@pytest.mark.parametrize("backend", _MODEL_BACKENDS)
@pytest.mark.parametrize(
    ("tag", "places", "judgements"),
    [("llm_judge", 0, 1), ("json_quality", 2, 1), ("object_match", 4, 0), ("field_accuracy", 2, 0)],
)
def test_the_recording_pass_records_the_questions_of_every_place_that_asks(
    tag: str, places: int, judgements: int, backend: str
) -> None:
    expected = {"a": "a cat", "b": "a dog", "rows": [{"x": "one row", "y": 1, "z": ["item"]}]}
    candidate = {"a": "cats", "b": "dogs", "rows": [{"x": "a row", "y": 1, "z": ["thing"]}]}
    with using(QuestionRecorder()) as recorder:
        _evaluator_that_asks(tag, backend).evaluate(Case("case", expected, candidate))
    questions_of_a_pair = 1 if backend == "llm" else 2
    assert len(recorder.questions) == places * questions_of_a_pair + judgements


@pytest.mark.parametrize("member", _MATCHES, ids=lambda member: member.__name__)
def test_every_match_type_is_a_function_of_the_package_whose_parameters_are_its_options(member: type[Match]) -> None:
    tag, options = member.model_fields["match"].default, member.model_fields
    assert tag in agentv_py.__all__
    function, given_options = getattr(agentv_py, tag), required_options.get(tag, {})
    parameters = inspect.signature(function).parameters
    assert parameters.keys() == options.keys() - {"match", "path"}  # the place in the tree is the path
    required = {option for option, parameter in parameters.items() if parameter.default is parameter.empty}
    assert required == {option for option, field in options.items() if field.is_required()}
    assert (function in NEED_NO_OPTIONS) == (not required)
    defaults = {option: parameter.default for option, parameter in parameters.items() if option not in required}
    assert function(**given_options | defaults) == function(**given_options) == member(**given_options)


@pytest.mark.parametrize("form", _FORMATS)
def test_a_format_renders_an_empty_and_a_full_report_of_every_kind(form: Format, tmp_path: Path) -> None:
    row = {
        "suite": "s", "case_id": "<c>|\x1b[31m", "status": "ok", "score": 0.5, "verdict": "fail",
        "evaluator_results": [
            {"name": "e", "type": "field_accuracy", "score": 0.5, "verdict": "fail", "misses": ["a", "b (unexpected)"],
             "details": {"metrics": {"a": {"tp": 0, "tn": 0, "fp": 1, "fn": 1}},
                         "mismatches": [{"path": "a", "expected": "<x>", "actual": [1]}]}},
            {"name": "f", "type": "field_accuracy", "score": 0.0, "verdict": "fail", "misses": ["(ValueError: no)"],
             "error": {"kind": "ValueError", "message": "no"}},
        ],
    }  # fmt: skip
    (tmp_path / "rows.jsonl").write_bytes(encode_row(row) * 9)
    (tmp_path / "none.jsonl").touch()
    whole, none = (ResultsSource(tmp_path / name, name) for name in ("rows.jsonl", "none.jsonl"))
    full = Summary(rows=partial(reread_rows, [whole]))
    for _ in range(9):
        full.add(row)
    for report in (
        Summary(),
        full,
        compute_diff(whole, whole),
        compute_diff(none, whole),
        compute_trend([none]),
        compute_trend([whole]),
    ):
        text = "".join(render(report, form))
        assert text.endswith("\n")
        assert "\x1b[31m" not in text
