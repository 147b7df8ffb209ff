"""A miss that two evaluators have is shown once, with both names."""

import json
from pathlib import Path
from typing import Any

import pytest
from browser import Browser
from rows import lines, row

from agentv_py.formats import Format, render
from agentv_py.report.diff.compute import compute_diff
from agentv_py.report.diff.model import Diff
from agentv_py.report.differences import list_differences
from agentv_py.report.summary import Summary
from agentv_py.results.read import ResultsSource

_MISMATCH = {"path": "total", "outcome": "mismatch", "expected": 1, "actual": 2}


def _row(*wrong: str, **more: Any) -> dict[str, Any]:
    """A row with three evaluators, of which these are wrong about `total`."""
    results = [
        {"name": name, "type": "t", "score": float(name not in wrong), "verdict": "fail" if name in wrong else "pass",
         "hits": [] if name in wrong else ["total"], "misses": ["total"] if name in wrong else [],
         "details": {"mismatches": [_MISMATCH] if name in wrong else []}}
        for name in ("header", "sums", "dates")
    ]  # fmt: skip
    values = {"expected": {"total": 1}, "candidate": {"total": 2 if wrong else 1}}
    return row("x", 0.0 if wrong else 1.0, evaluator_results=results, **values, **more)


def _summary(*rows: Any) -> Summary:
    summary = Summary(rows=lambda: iter(rows))
    for each in rows:
        summary.add(each)
    return summary


def _diff(folder: Path) -> Diff:
    for name, each in (("old.jsonl", _row()), ("new.jsonl", _row("header", "sums"))):
        (folder / name).write_text(lines(each), encoding="utf-8")
    old, new = (ResultsSource(folder / name, name) for name in ("old.jsonl", "new.jsonl"))
    return compute_diff(old, new)


def test_two_evaluators_share_one_miss_and_another_note_is_another_miss() -> None:
    assert [str(item) for item in list_differences(_row("header", "sums"))] == [
        "total: expected 1, got 2 (by header and sums)"
    ]
    assert [str(item) for item in list_differences(_row("dates"))] == ["total: expected 1, got 2"]
    other = _row("header", "sums")
    other["evaluator_results"][1] |= {"misses": ["total (type mismatch)"]}
    other["evaluator_results"][1]["details"] = {"mismatches": [_MISMATCH | {"note": "type mismatch"}]}
    assert [str(item) for item in list_differences(other)] == [
        "total: expected 1, got 2", "total: expected 1, got 2 (type mismatch)",
    ]  # fmt: skip


@pytest.mark.parametrize("form", ["console", "markdown", "junit"])
def test_reports_show_it_once(form: Format) -> None:
    text = "".join(render(_summary(_row("header", "sums")), form))
    assert text.count("by header and sums") == 1
    assert text.count("got") == 1


@pytest.mark.parametrize("form", ["console", "markdown", "junit"])
def test_diffs_show_it_once(form: Format, tmp_path: Path) -> None:
    text = "".join(render(_diff(tmp_path), form))
    assert text.count("by header and sums") == 1
    assert text.count("now 2") == 1


def test_json_keeps_a_change_per_evaluator(tmp_path: Path) -> None:
    [broken] = json.loads("".join(render(_diff(tmp_path), "json")))["broken"]
    assert [change["evaluator"] for change in broken["changed"]] == ["header", "sums"]


@pytest.mark.parametrize("hidden", [(), ("expected", "candidate")])
def test_the_page_marks_it_once(running: Browser, tmp_path: Path, hidden: tuple[str, ...]) -> None:
    shown = {key: value for key, value in _row("header", "sums").items() if key not in hidden}
    page = tmp_path / "page.html"
    page.write_text("".join(render(_summary(shown), "html")), encoding="utf-8")
    running.open(page)
    running.open_case("x")
    assert running.texts(".why") == ["≠ differs, by header and sums"]
