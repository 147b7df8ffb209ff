"""json_quality beyond what a row of tests/conformance can say: files, backends, and typos."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl
from pipeline import plan_of, rows_of
from pydantic import Field

from agentv_py.case import Case
from agentv_py.errors import EvaluationError, InvalidSuite
from agentv_py.evaluators.json_quality import JsonQuality
from agentv_py.models.backends.base import Backend
from agentv_py.score import Score

Write = Callable[[str, Any], Path]

_WALKTHROUGH = Case(
    "walkthrough",
    {"name": "John Smith", "bio": "Senior engineer with 10 years of experience...", "status": "active"},
    {"name": "John Smyth", "bio": "Experienced senior engineer, 10+ years...", "status": "on leave"},
)


class _Told(Backend):
    """Says what it was told to say, and notes what it was asked."""

    type: str = "told"
    says: dict[str, float]
    asked: list[list[tuple[str, str]]] = Field(default_factory=list)

    def similarities(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        self.asked.append(list(pairs))
        return [self.says[left] for left, _ in pairs]


class _Down(Backend):
    type: str = "down"

    def similarities(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        raise EvaluationError("backend", f"no answer to {len(pairs)} questions")


def _evaluate(backend: Backend, case: Case, **options: Any) -> Score:
    evaluator = JsonQuality.model_validate({"type": "json_quality", **options})
    return evaluator.model_copy(update={"backend": backend}).evaluate(case)


def test_a_case_is_one_question_to_the_backend_and_equal_text_is_none() -> None:
    case = Case(
        "c", {"a": "one", "b": "two", "c": "same", "d": 1, "e": "gone"}, {"a": "1st", "b": "2nd", "c": "same", "d": 2}
    )
    backend = _Told(says={"one": 0.88, "two": 0.79})
    score = _evaluate(backend, case)
    assert backend.asked == [[("one", "1st"), ("two", "2nd")]]
    assert score.details
    assert score.details["fields"] == {
        "a": {"strategy": "SEMANTIC", "similarity": 0.88, "score": 1.0},
        "b": {"strategy": "SEMANTIC", "similarity": 0.79, "score": 0.0},
        "c": {"strategy": "SEMANTIC", "similarity": 1.0, "score": 1.0},
        "d": {"strategy": "EXACT", "similarity": 0.0, "score": 0.0},
    }


def test_the_bio_rated_by_a_model_passes_at_its_threshold() -> None:
    said = {_WALKTHROUGH.expected["bio"]: 0.88, "active": 0.1}
    score = _evaluate(_Told(says=said), _WALKTHROUGH, strategies={"name": "FUZZY", "status": "ignore"})
    assert score.score == pytest.approx(0.85)
    assert score.hits == ("name", "bio")


def test_a_backend_that_fails_is_an_error_and_not_a_zero() -> None:
    with pytest.raises(EvaluationError, match="no answer to 2 questions"):
        _evaluate(_Down(), _WALKTHROUGH, strategies={"name": "FUZZY"})


def test_strategies_and_blocked_words_come_from_files_beside_the_suite(write: Write) -> None:
    write("sub/fields.json", b'\xef\xbb\xbf{"a": "fuzzy", "b": "IGNORE"}')
    write("sub/words.txt", "# not these\n\n  you idiot \nfool\n")
    suite = write(
        "sub/suite.yaml",
        "evaluators: [{type: json_quality, strategies_file: fields.json, strategies: {b: exact},\n"
        "  safety: {blocklist: [dunce], blocklist_file: words.txt}}]\n"
        "cases: [{id: c, expected: {a: John Smith, b: x}, candidate: {a: John Smyth, b: 'X', z: You idiot dunce}}]\n",
    )
    [row] = rows_of(suite)
    details = row["evaluator_results"][0]["details"]
    assert {key: one["strategy"] for key, one in details["fields"].items()} == {"a": "FUZZY", "b": "EXACT"}
    assert row["misses"] == ["z (unexpected)", "safety (z: you idiot)", "safety (z: dunce)"]


@pytest.mark.parametrize(
    ("file", "content", "problem"),
    [
        ("fields.json", '{"a": "EXACT",\n "b": "LIKE"}', "'fields.json' line 2: b: Invalid strategy: 'LIKE'; valid: EXACT, FUZZY, SEMANTIC, NUMERIC, DATE, NAME, UNORDERED, IGNORE"),
        ("fields.json", "[1]", "'fields.json' must hold an object from field names to strategies"),
        ("fields.json", "{", "'fields.json' is not valid JSON: Expecting property name enclosed in double quotes at column 2"),
        ("fields.json", b"\xff", "'fields.json' is not valid UTF-8: byte 0xff"),
        ("other.json", "{}", "'fields.json' cannot be read: No such file or directory"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_of_strategies_is_said_at_its_place(
    file: str, content: Any, problem: str, write: Write
) -> None:
    write(file, content)
    suite = write(
        "s.yaml",
        "evaluators:\n  - type: json_quality\n    strategies_file: fields.json\ncases: [{expected: {}, candidate: {}}]",
    )
    with pytest.raises(InvalidSuite) as caught:
        plan_of(suite)
    assert str(caught.value) == f"{suite}:3:22: evaluators[0].strategies_file: {problem}"


def test_a_file_of_blocked_words_that_holds_none_is_an_error(write: Write) -> None:
    write("words.txt", "# nothing\n\u200b\n")
    suite = write(
        "s.yaml",
        "evaluators: [{type: json_quality, safety: {blocklist_file: words.txt}}]\ncases: [{expected: {}, candidate: {}}]",
    )
    with pytest.raises(InvalidSuite, match=r"evaluators\[0\].safety.blocklist_file: 'words.txt' holds no word"):
        plan_of(suite)


def test_a_strategy_for_a_field_that_no_case_has_is_an_error(evalctl: Evalctl, write: Write) -> None:
    write("strategies.json", {"name": "EXACT", "nmae": "EXACT", "kept": "IGNORE"})
    cases = "cases: [{id: a, expected: {name: x}, candidate: {name: x}}, {id: b, expected: {name: y}, candidate: {}}]"
    write("s.yaml", f"evaluators: [{{type: json_quality, strategies: {{nmae: FUZZY, kept: IGNORE}}}}]\n{cases}")
    done = evalctl("run", "s.yaml")
    what = "no case's expected value has 'nmae'; did you mean 'name'?"
    assert (done.returncode, done.stderr) == (2, f"error: s.yaml:1:48: evaluators[0].strategies.nmae: {what}\n")
    write("s.yaml", f"evaluators: [{{type: json_quality, strategies_file: strategies.json}}]\n{cases}")
    done = evalctl("validate", "s.yaml")
    assert (done.returncode, done.stderr) == (0, f"warning: s.yaml:1:35: evaluators[0].strategies_file: {what}\n")


def test_strategies_are_inferred_ready_to_name_in_a_suite(evalctl: Evalctl, write: Write) -> None:
    write(
        "cases.jsonl",
        '{"expected": {"n": 1, "größe": "12"}, "candidate": {}}\n{"expected": {"größe": "zwölf", "x": ""}}\n',
    )
    write("s.yaml", "evaluators: [{type: json_quality}]\ndataset: cases.jsonl\n")
    for source in ("cases.jsonl", "s.yaml"):
        done = evalctl("strategies", "infer", source, "-o", "fields.json")
        assert (done.returncode, done.stdout) == (0, ""), done.stderr
        assert done.stderr == "warning: 'x' is empty in every case, so it is left out\n"
        write("t.yaml", "evaluators: [{type: json_quality, strategies_file: fields.json}]\ndataset: cases.jsonl\n")
        assert evalctl("validate", "t.yaml").returncode == 0
    assert evalctl("strategies", "infer", "s.yaml").stdout == '{\n  "n": "NUMERIC",\n  "größe": "FUZZY"\n}\n'


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("d.jsonl", "", "d.jsonl: no case has an expected object with a value in it"),
        ("d.jsonl", '{"expected": 1}\nnot json\n', "d.jsonl:2: not valid JSON"),
        ("d.json", "{", "d.json:"),
        ("d.yaml", "a: [", "d.yaml:"),
        ("d.csv", b"id\xff", "d.csv:1:3: byte 0xff is not valid UTF-8"),
        ("s.yaml", "evaluators: [{type: json_quality, strategy: {}}]\ncases: []", "s.yaml:1:35: evaluators[0].strategy: unknown key"),
    ],
)  # fmt: skip
def test_what_strategies_cannot_be_inferred_from_is_exit_2(
    name: str, content: Any, problem: str, evalctl: Evalctl, write: Write
) -> None:
    write(name, content)
    done = evalctl("strategies", "infer", name)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"error: {problem}" in done.stderr


def test_expected_values_that_a_strategy_cannot_read_are_a_warning(write: Write) -> None:
    write("fields.json", {"date": "DATE", "tags": "UNORDERED", "note": "FUZZY"})
    suite = write(
        "s.yaml",
        "evaluators: [{type: json_quality, strategies_file: fields.json, strategies: {total: NUMERIC}}]\n"
        "cases:\n  - {expected: {total: 1, date: 2025-01-15, tags: [], note: 5}, candidate: {}}\n"
        "  - {expected: {total: abc, date: soon, tags: x, note: y}, candidate: {}}\n",
    )
    assert [str(warning) for warning in plan_of(suite).warnings] == [
        f"{suite}:4:5: expected.total: 1 of 2 values is not a number: 'abc'",
        f"{suite}:4:5: expected.date: 1 of 2 values is not a date: 'soon'",
        f"{suite}:4:5: expected.tags: 1 of 2 values is not a list: 'x'",
    ]
