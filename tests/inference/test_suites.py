"""Laws of inferred comparators, and the suites that `init --from` writes for ten kinds of documents."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentv_py.case import Case
from agentv_py.evaluators.object_match import ObjectMatch
from agentv_py.inference.example import build_example
from agentv_py.inference.json_schema import profile_schema
from agentv_py.inference.profile import profile_values
from agentv_py.inference.rules import RULES
from agentv_py.inference.suggest import STRUCTURE_RULES, suggest
from agentv_py.inference.suggestion import Suggestion
from agentv_py.inference.yaml_text import write_comparators
from agentv_py.score import Score
from agentv_py.suite.draft import draft_suite
from agentv_py.suite.yaml_document import read_yaml

_DOCUMENTS = Path(__file__).parent / "documents"
_CASES = sorted(path.name for path in _DOCUMENTS.glob("*.jsonl"))
_SCHEMAS = sorted(path.name for path in _DOCUMENTS.glob("*.schema.json"))
_IDS = {rule.__name__ for rule in RULES} | set(STRUCTURE_RULES)

_NOTHING_LABELLED = "(no expected value for any configured field)"
"""The miss of a case that has none of the places of the other cases."""

_KEYS = st.sampled_from(
    [
        "name", "id", "date", "total", "items", "steps", "match", "fields", "unordered", "ordered", "weight", "key", "value",
        "a.b", "", "bbox", "phone", "vendor", "$", "no", "0", "x: y", "# z", "é\u2028", "true",
    ]
)  # fmt: skip
_TEXTS = st.sampled_from(
    [
        "A-1", "EUR", "2025-01-15", "03/04/2025", "2019-03", "13:45", "1.234,50", "1,234", "RM9.00", "$ 5", "12", "0012",
        "a@b.org", "+34 600 123 456", "Acme Corp", "a long sentence of some words", "", "  ", "{}", "[1]", "null",
    ]
)  # fmt: skip
_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | _TEXTS
    | st.text(max_size=12)
)
_VALUES = st.recursive(
    _SCALARS,
    lambda below: (
        st.lists(below, max_size=4)
        | st.dictionaries(_KEYS | st.text(st.characters(exclude_categories=["Cs"]), max_size=4), below, max_size=5)
        | st.lists(st.floats(-5, 5), min_size=4, max_size=4)
    ),
    max_leaves=25,
)


def _score(comparators: Any, value: Any) -> Score:
    evaluator = ObjectMatch(type="object_match", comparators=comparators)
    return evaluator.evaluate(Case("a", expected=value, candidate=value))


@given(st.lists(_VALUES, min_size=1, max_size=4))
def test_inferred_comparators_score_the_data_against_itself_1(values: list[Any]) -> None:
    comparators = suggest(profile_values(values)).build_comparators()
    learned = ObjectMatch(type="object_match", default="auto").learn_values(values)
    for value in values:
        score = _score(comparators, value)
        assert score.score == 1.0 or score.misses == (_NOTHING_LABELLED,), (comparators, value)
        assert score.score == 1.0 or len(values) > 1, "a case alone has every place that was seen"
        by_default = learned.evaluate(Case("a", expected=value, candidate=value))
        assert (by_default.score, by_default.misses) == (score.score, score.misses)


@given(st.lists(_VALUES, min_size=1, max_size=3))
def test_the_yaml_of_inferred_comparators_is_what_they_are(tmp_path_factory: Any, values: list[Any]) -> None:
    suggestion = suggest(profile_values(values))
    file = tmp_path_factory.mktemp("yaml") / "suite.yaml"
    file.write_text("\n".join(write_comparators(suggestion, 0)), encoding="utf-8")
    assert read_yaml(file, "suite.yaml").value == {"comparators": suggestion.build_comparators()}


@given(st.lists(_VALUES, min_size=1, max_size=3))
def test_every_suggestion_names_its_rule_and_its_reason(values: list[Any]) -> None:
    for _, place in suggest(profile_values(values)).list_places():
        assert place.rule in _IDS
        assert place.reason


_Twin = tuple[st.SearchStrategy[Any], dict[str, Any]]
_TWINS: dict[str, _Twin] = {
    "paid": (st.booleans(), {"type": "boolean"}),
    "pages": (st.integers(1, 99), {"type": "integer"}),
    "customer_no": (st.integers(1, 99), {"type": "integer"}),
    "total": (st.integers(1, 9999).map(lambda cents: cents / 100), {"type": "number"}),
    "ratio": (st.just(0.125), {"type": "number", "multipleOf": 0.001}),
    "issued": (st.dates().map(str), {"type": "string", "format": "date"}),
    "homepage": (st.just("https://example.com/"), {"type": "string", "format": "uri"}),
    "status": (st.sampled_from(["open", "closed"]), {"enum": ["open", "closed"]}),
    "vendor": (st.just("Acme Corp"), {"type": "string"}),
    "phone": (st.just("+34 600 123 456"), {"type": ["string", "null"]}),
    "order_id": (st.just("A-1"), {"$ref": "#/$defs/code"}),
    "description": (
        st.just("Hex bolts, to be sent to the back door"),
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
    ),
    "steps": (st.lists(st.just("go"), min_size=1), {"type": "array", "items": {"type": "string"}}),
}


@given(st.data(), st.lists(st.sampled_from(sorted(_TWINS)), min_size=1, unique=True))
def test_data_and_the_schema_that_says_the_same_lead_to_the_same_comparators(data: Any, names: list[str]) -> None:
    row = st.fixed_dictionaries({name: _TWINS[name][0] for name in names})
    values = data.draw(st.lists(st.fixed_dictionaries({"header": row, "rows": st.lists(row, min_size=1)}), min_size=2))
    shape = {"type": "object", "properties": {name: _TWINS[name][1] for name in names}}
    schema = {
        "$defs": {"code": {"type": "string"}},
        "properties": {"header": shape, "rows": {"type": "array", "items": shape}},
    }
    from_data, from_schema = suggest(profile_values(values)), suggest(profile_schema(schema))
    from_data.fields["rows"].options.pop("key", None)  # only values show which key is unique
    assert from_data.build_comparators() == from_schema.build_comparators()


@pytest.mark.parametrize("name", [*_CASES, *_SCHEMAS])
def test_the_suite_of_a_document_is_the_reviewed_one(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / name).write_bytes((_DOCUMENTS / name).read_bytes())
    monkeypatch.chdir(tmp_path)
    written = draft_suite(name, (), ".").files
    golden = _DOCUMENTS / f"{name.removesuffix('.jsonl').removesuffix('.json')}.suite.yaml"
    if os.environ.get("WRITE_GOLDEN"):
        golden.write_text(written["suite.yaml"], encoding="utf-8")
    assert written["suite.yaml"] == golden.read_text(encoding="utf-8"), f"read {golden.name}, then WRITE_GOLDEN=1"


def test_the_suite_of_a_model_is_the_reviewed_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(_DOCUMENTS)
    written = draft_suite("booking:Booking", (), ".").files["suite.yaml"]
    golden = _DOCUMENTS / "booking.suite.yaml"
    if os.environ.get("WRITE_GOLDEN"):
        golden.write_text(written, encoding="utf-8")
    assert written == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", _CASES)
def test_each_document_scores_1_against_itself(name: str) -> None:
    values = [json.loads(line)["expected"] for line in (_DOCUMENTS / name).read_text(encoding="utf-8").splitlines()]
    comparators = suggest(profile_values(values)).build_comparators()
    assert [_score(comparators, value).score for value in values] == [1.0] * len(values)


def test_the_documents_use_every_rule_that_data_can_meet() -> None:
    suggestions: list[Suggestion] = []
    for name in _CASES:
        lines = (_DOCUMENTS / name).read_text(encoding="utf-8").splitlines()
        suggestions.append(suggest(profile_values(json.loads(line)["expected"] for line in lines)))
    used = {place.rule for suggestion in suggestions for _, place in suggestion.list_places()}
    only_elsewhere = {"time", "tuple", "other", "record", "map", "matrix", "recursion"}
    only_declared = {"setting", "enum", "date_format", "code_format", "number_format"}
    assert used == _IDS - only_elsewhere - only_declared


@pytest.mark.parametrize("name", _SCHEMAS)
def test_the_example_of_a_schema_scores_1_under_the_comparators_of_the_schema(name: str) -> None:
    profile = profile_schema(json.loads((_DOCUMENTS / name).read_text(encoding="utf-8")))
    score = _score(suggest(profile).build_comparators(), build_example(profile))
    assert (score.score, score.misses) == (1.0, ())
