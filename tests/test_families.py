"""The laws that every member of a family obeys; a new member is tested by existing."""

import math
import pickle
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from models import model_server

import agentv_py
from agentv_py import evaluators, formats
from agentv_py.case import Case
from agentv_py.comparison import matchers
from agentv_py.comparison.comparison import is_empty
from agentv_py.comparison.matchers.base import Incomparable, Match
from agentv_py.evaluators.base import Evaluator
from agentv_py.formats import Format, render
from agentv_py.models import backends
from agentv_py.models.backends.base import Backend
from agentv_py.process.persistent import stop_persistent
from agentv_py.report.diff.compute import compare
from agentv_py.report.summary import Summary
from agentv_py.report.trend import follow
from agentv_py.results.read import Source, rows
from agentv_py.results.row import encode
from agentv_py.score import Score

_PACKAGE = Path(agentv_py.__file__).parent
_MATCHES: list[Any] = matchers.FAMILY.models()
_EVALUATORS: list[Any] = evaluators.FAMILY.models()
_FORMATS = get_args(Format)
_BACKEND = get_args(backends.AnyBackend)[0]
_BACKENDS: list[type[Backend]] = list(get_args(_BACKEND) or (_BACKEND,))

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
        "1,234.50",
        "$5",
        "(3)",
        "12 apples",
        "Acme Corp",
        "acme korp",
        "\ud800",
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
    "date": [{"formats": ["DD/MM/YYYY"]}, {"day_first": True}],
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
def judge_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as here, model_server() as server:
        here.chdir(tmp_path_factory.mktemp("cache"))
        yield server.url


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


@pytest.mark.parametrize("member", _BACKENDS, ids=lambda member: member.__name__)
def test_a_backend_is_named_by_its_file_its_tag_and_its_class(member: type[Backend]) -> None:
    [tag] = get_args(member.model_fields["type"].annotation)
    assert (member.__module__, _tag(member.__name__)) == (f"agentv_py.models.backends.{tag}", tag)


def _members_of(folder: str) -> set[str]:
    """The names of a family's files and folders, without the family's base class and what grades by it."""
    found = {
        path.stem for path in (_PACKAGE / folder).iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()
    }
    return found - {"__init__", "base", "grade"}


@pytest.mark.parametrize("package", [matchers, evaluators], ids=lambda package: package.__name__)
def test_every_file_of_a_family_is_listed(package: Any) -> None:
    folder = package.__name__.removeprefix("agentv_py.").replace(".", "/")
    assert package.FAMILY.members.keys() == _members_of(folder)


def test_every_file_of_a_family_is_a_member() -> None:
    assert _members_of("comparison/matchers") == {member.model_fields["match"].default for member in _MATCHES}
    assert _members_of("evaluators") == {_tag(member.__name__) for member in _EVALUATORS}
    assert _members_of("models/backends") == {_tag(member.__name__) for member in _BACKENDS}
    assert _members_of("formats") == set(_FORMATS)
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


@pytest.mark.parametrize("member", [m for m in _MATCHES if m.equal_text_matches], ids=lambda member: member.__name__)
@given(text=st.text(min_size=1).filter(lambda text: not text.isspace()))
def test_where_equal_text_matches_it_does(member: type[Match], text: str) -> None:
    assert make(member).similarity(text, text) == 1.0


@pytest.mark.parametrize("member", [m for m in _MATCHES if m.equal_numbers_match], ids=lambda member: member.__name__)
@given(number=st.integers() | st.floats(allow_nan=False, allow_infinity=False))
def test_where_equal_numbers_match_they_do(member: type[Match], number: float) -> None:
    assert make(member).similarity(number, number) == 1.0


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
    }
    [tag] = get_args(member.model_fields["type"].annotation)
    evaluator = member.model_validate({"type": tag, **options[tag]})
    score = evaluator.evaluate(Case("case", expected, candidate))
    assert isinstance(score, Score)
    assert 0.0 <= score.score <= 1.0
    # As it goes to other processes, where they are not forked.
    assert pickle.loads(pickle.dumps(evaluator)) == member.model_validate({"type": tag, **options[tag]})


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
    (tmp_path / "rows.jsonl").write_bytes(encode(row) * 9)
    (tmp_path / "none.jsonl").touch()
    whole, none = (Source(tmp_path / name, name) for name in ("rows.jsonl", "none.jsonl"))
    full = Summary(rows=partial(rows, [whole]))
    for _ in range(9):
        full.add(row)
    for report in (Summary(), full, compare(whole, whole), compare(none, whole), follow([none]), follow([whole])):
        text = "".join(render(report, form))
        assert text.endswith("\n")
        assert "\x1b[31m" not in text
