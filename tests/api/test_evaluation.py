"""What a result of `evaluate` and of `explain` shows: in a shell, in a notebook, in a frame and in files."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import agentv_py
from agentv_py import compare, evaluate, exact, explain, fuzzy, unordered
from agentv_py.formats import BY_SUFFIX

_CASES: list[dict[str, Any]] = [
    {"id": "<b>", "input": 1, "expected": {"total": 1.25, "name": "Acme"}, "candidate": {"total": 2, "name": "Acme"}},
    {"id": "y", "expected": {"total": 1, "name": "Bob"}, "candidate": {"total": 1, "name": "Bob"}},
]


def test_values_are_compared_by_the_rules_if_nothing_says_how() -> None:
    expected = {"invoice_date": "2025-01-15", "total": 120.5, "tags": ["a", "b"]}
    actual = {"invoice_date": "15 January 2025", "total": "120.50", "tags": ["b", "a"]}
    assert compare(expected, actual).score == 1.0
    assert compare(expected, actual, default="exact").score < 1.0
    assert compare({"a": "Ab"}, {"a": "ab"}, {"a": fuzzy}).score == 1.0
    assert compare('{"a": 1}', 'It is {"a": 1}').verdict == "pass"
    assert evaluate([{"expected": expected, "candidate": actual}]).passed == 1


def test_a_schema_gives_comparators_and_is_read_again_at_each_call(tmp_path: Path) -> None:
    file = tmp_path / "s.json"
    for match, passed in (("exact", 0), ("ignore", 1)):
        file.write_text(json.dumps({"properties": {"a": {"type": "string", "x-evalctl": match}}}), encoding="utf-8")
        cases = [{"expected": {"a": "x", "b": 1}, "candidate": {"a": "y", "b": 1}}]
        assert evaluate(cases, schema=file).passed == passed
    with pytest.raises(ValueError, match=r"schema: .* cannot be read: No such file or directory"):
        compare({"a": 1}, {"a": 1}, schema=tmp_path / "none.json")


def test_a_result_is_short_in_a_shell_and_has_its_metrics() -> None:
    result = evaluate(_CASES)
    assert repr(result) == "<Evaluation: 1 of 2 passed, mean_score=0.750, accuracy=0.750>"
    total = result.metrics["attributes"]["total"]
    assert total.pop("intervals").keys() == {"precision", "recall", "f1"}
    assert total == {
        "tp": 1, "tn": 0, "fp": 1, "fn": 1, "precision": 0.5, "recall": 0.5, "f1": 0.5, "support": 2
    }  # fmt: skip
    assert result.metrics["micro"]["f1"] == 0.75
    assert evaluate([]).metrics["attributes"] == {}


def test_a_notebook_shows_the_summary_and_escapes_what_users_write() -> None:
    shown = evaluate(_CASES)._repr_html_()
    for part in (
        "2 cases",
        "1 pass",
        "1 fail",
        "<td>total</td><td>0.500</td>",
        "&lt;b&gt;",
        "total: expected 1.25, got 2",
    ):
        assert part in shown
    assert "<b><b>" not in shown
    assert "<script" not in shown
    assert "0 cases" in evaluate([])._repr_html_()


@pytest.mark.parametrize("suffix", BY_SUFFIX)
def test_a_report_has_the_format_of_its_suffix(tmp_path: Path, suffix: str) -> None:
    file = evaluate(_CASES).report(tmp_path / "deep" / f"r{suffix}")
    text = file.read_text(encoding="utf-8")
    assert text
    assert "\x1b" not in text


def test_a_report_of_an_unknown_suffix_names_the_valid_ones(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"the suffix selects the format; valid: \.json"):
        evaluate(_CASES).report(tmp_path / "r.docx")


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_frame_has_a_line_for_each_case_or_comparison(library: Any) -> None:
    pytest.importorskip(library)
    result = evaluate([*_CASES, {"id": "z", "expected": {"total": 1}}])
    cases = _read_lines(result.to_frame(library=library))
    assert [(line["case_id"], line["verdict"], line["score"], line["hits"], line["misses"]) for line in cases] == [
        ("<b>", "fail", 0.5, 1, 1), ("y", "pass", 1.0, 2, 0), ("z", "fail", 0.0, 0, 1),
    ]  # fmt: skip
    assert (cases[0]["expected"], cases[2]["error"]) == (
        '{"total":1.25,"name":"Acme"}', "no_candidate: the case has no candidate"
    )  # fmt: skip
    wrong = [line for line in _read_lines(result.to_frame("comparisons", library)) if line["outcome"] == "mismatch"]
    assert [(line["case_id"], line["path"], line["expected"], line["actual"]) for line in wrong] == [
        ("<b>", "total", "1.25", "2")
    ]
    assert len(evaluate([]).to_frame(library=library)) == 0


def _read_lines(frame: Any) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = frame.to_dict("records") if hasattr(frame, "iloc") else frame.to_dicts()
    return lines


def test_a_frame_without_a_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agentv_py.api.frame.find_spec", lambda _name: None)
    with pytest.raises(ImportError, match="a data frame needs pandas or polars: pip install pandas"):
        evaluate(_CASES).to_frame()
    with pytest.raises(ImportError, match="a data frame needs polars: pip install polars"):
        evaluate(_CASES).to_frame(library="polars")
    with pytest.raises(ValueError, match=r"kind cannot be 'case'; did you mean 'cases'\?"):
        evaluate(_CASES).to_frame("case")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="library cannot be 'arrow'; valid: pandas, polars"):
        evaluate(_CASES).to_frame(library="arrow")  # type: ignore[arg-type]


def test_an_executor_that_raises_is_named_and_so_is_an_answer_that_is_no_json() -> None:
    def answer(number: int) -> Any:
        if number == 1:
            raise ValueError("no model")
        if number == 2:
            raise KeyError
        return {1, 2}

    cases = [{"input": number, "expected": {"a": 1}} for number in (1, 2, 3)]
    rows = evaluate(cases, {"a": exact}, answer).cases
    assert [row["error"] for row in rows] == [
        {"kind": "executor", "message": "the executor raised ValueError: no model"},
        {"kind": "executor", "message": "the executor raised KeyError"},
        {"kind": "executor", "message": "the executor's answer cannot be used: set is not a JSON value"},
    ]
    assert [(row["status"], row["misses"], "candidate" in row) for row in rows] == [
        ("error", ["candidate (missing)"], False)
    ] * 3


def test_an_explanation_tells_the_rule_the_gap_and_the_way_to_pass() -> None:
    told = explain({"total": 120.5, "tags": ["x", "y"]}, {"total": 125, "tags": ["y", "x"]})
    assert repr(told) == "<Explanation: fail 0.500, 1 finding>"
    [finding] = told.findings
    assert (finding.path, finding.expected, finding.actual) == ("total", 120.5, 125)
    assert "a tolerance of at least 4.5 would" in " ".join(str(told).split())
    assert "\x1b" not in str(told)
    assert told._repr_html_().startswith("<pre")
    assert told.to_dict()["to_pass"] == {"paths": ["total"], "score": 1.0, "verdict": "pass"}
    assert (told.score, told.verdict) == (0.5, "fail")
    assert explain([1], [1, 2], unordered(exact)).findings[0].note == "unexpected"


def test_the_names_are_shown_and_loaded_when_they_are_used() -> None:
    assert set(agentv_py.__all__) <= set(dir(agentv_py))
    assert {"compare", "evaluate", "explain", "Evaluation", "Explanation"} <= set(agentv_py.__all__)
    assert agentv_py.Evaluation is sys.modules["agentv_py.api.evaluation"].Evaluation


def test_a_page_is_text_inside_a_notebook_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)  # rich would display the page and return nothing
    assert "to pass" in str(explain({"a": 1.5}, {"a": 2}))
