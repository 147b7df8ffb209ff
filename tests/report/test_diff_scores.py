"""One diff in five formats: a case has the same two scores in each of them."""

import csv
import io
import json
import re
import tempfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rows import lines, row

from agentv_py.formats import Format, render
from agentv_py.report.diff.compute import compute_diff
from agentv_py.report.diff.model import Diff
from agentv_py.results.read import ResultsSource

Scores = tuple[float | None, float | None]
Cases = dict[str, list[float | None]]

_ERROR = {"status": "error", "error": {"kind": "k", "message": "m"}}


def _row(case_id: str, score: float | None, number: int) -> dict[str, Any]:
    """A row whose only field is right at score 1; None is an error."""
    hits, misses = (["a"], []) if score == 1 else ([], ["a"])
    result = {"name": "e", "type": "t", "score": score or 0.0, "verdict": "fail", "hits": hits, "misses": misses}
    more: dict[str, Any] = {"evaluator_results": [result], "repeat": number}
    return row(case_id, score or 0.0, **more, **(_ERROR if score is None else {}))


def _diff(folder: Path, before: Cases, after: Cases) -> Diff:
    sources = []
    for name, cases in (("old.jsonl", before), ("new.jsonl", after)):
        found = [_row(case, score, number) for case, scores in cases.items() for number, score in enumerate(scores)]
        (folder / name).write_text(lines(*found), encoding="utf-8")
        sources.append(ResultsSource(folder / name, name))
    return compute_diff(*sources)


def _text(diff: Diff, form: Format) -> str:
    return "".join(render(diff, form))


def _in_json(diff: Diff) -> dict[str, Scores]:
    report = json.loads(_text(diff, "json"))
    return {case["case_id"]: (case["baseline"], case["candidate"]) for case in report["broken"] + report["fixed"]}


def _on_page(diff: Diff) -> dict[str, Scores]:
    block = re.search(r'<script type="application/json" id="index">(.*?)</script>', _text(diff, "html"), re.DOTALL)
    assert block
    index = json.loads(block[1])
    before, after = (side["score"] for side in index["sides"])
    return dict(zip(index["ids"], zip(before, after, strict=True), strict=True))


def _in_csv(diff: Diff) -> dict[str, Scores]:
    return {
        line["case_id"]: (_number(line["baseline_score"]), _number(line["candidate_score"]))
        for line in csv.DictReader(io.StringIO(_text(diff, "csv")))
    }


def _number(cell: str) -> float | None:
    return float(cell) if cell else None


def test_a_repeat_that_errs_is_in_no_format_s_mean(tmp_path: Path) -> None:
    diff = _diff(tmp_path, {"x": [1.0, None]}, {"x": [0.5, None]})
    assert _in_json(diff) == _on_page(diff) == _in_csv(diff) == {"x": (1.0, 0.5)}
    failure = ET.fromstring(_text(diff, "junit")).find(".//failure")
    assert failure is not None
    assert failure.attrib["message"] == "score 1.000 before, 0.500 now"
    assert "x  1.000 → 0.500" in _text(diff, "console")
    assert "- **x**: 1.000 → 0.500" in _text(diff, "markdown")


def test_a_case_whose_first_row_erred_shows_the_first_that_did_not(tmp_path: Path) -> None:
    diff = _diff(tmp_path, {"x": [None, 1.0]}, {"x": [None, 0.0, 0.0]})
    [change] = csv.DictReader(io.StringIO(_text(diff, "csv")))
    assert (change["change"], change["path"]) == ("broken", "a")
    [broken] = json.loads(_text(diff, "json"))["broken"]
    assert [field["path"] for field in broken["changed"]] == ["a"]


def test_a_case_without_a_row_that_did_not_err_has_no_score(tmp_path: Path) -> None:
    diff = _diff(tmp_path, {"x": [1.0]}, {"x": [None, None]})
    assert _in_json(diff) == {}
    assert _on_page(diff) == _in_csv(diff) == {"x": (1.0, None)}


_SCORES = st.dictionaries(
    st.sampled_from("xyz"), st.lists(st.sampled_from([None, 0.0, 0.25, 0.7, 1.0]), min_size=1, max_size=3), min_size=1
)


@settings(max_examples=40)
@given(_SCORES, _SCORES)
def test_json_page_and_csv_agree_on_the_scores_of_every_case(before: Cases, after: Cases) -> None:
    with tempfile.TemporaryDirectory() as folder:
        diff = _diff(Path(folder), before, after)
        on_page, in_csv, in_json = _on_page(diff), _in_csv(diff), _in_json(diff)
    assert on_page == {
        case: pytest.approx((_mean(before, case), _mean(after, case)), abs=1e-6) for case in {**before, **after}
    }
    assert in_csv == {case: pytest.approx(on_page[case], abs=1e-6) for case in in_csv}
    assert in_json == {case: pytest.approx(on_page[case], abs=1e-6) for case in in_json}


def _mean(cases: Cases, case: str) -> float | None:
    scores = [score for score in cases.get(case, ()) if score is not None]
    return sum(scores) / len(scores) if scores else None
