"""Text of users controls no terminal, no CI log and no direction of writing, in any format."""

from functools import partial
from pathlib import Path
from typing import Any, get_args

import pytest

from agentv_py.formats import FORMATS, Format, render
from agentv_py.report.diff.compute import compute_diff
from agentv_py.report.summary import Summary
from agentv_py.report.trend import compute_trend
from agentv_py.results.read import ResultsSource, reread_rows
from agentv_py.results.row import encode_row

_HOSTILE = "=a<b>|`*\x1b[31m\x07\u202eevil\u2066\u200b\x00\r\n::error::x"
_CONTROLS = "\x1b\x07\x00\r"
_DIRECTIONS = "\u202e\u2066\u200b"
_DATA = ("json", "html", "parquet")
"""Formats that hold texts as JSON or as columns; the page shows characters of direction when it draws them."""


def _row(score: float, verdict: str) -> dict[str, Any]:
    text = _HOSTILE
    mismatch = {"path": text, "outcome": "mismatch", "expected": text, "actual": text, "similarity": 0.0, "note": text}
    details = {"metrics": {text: {"tp": 0, "tn": 0, "fp": 1, "fn": 1}}, "mismatches": [mismatch]}
    result = {"name": text, "type": "field_accuracy", "score": score, "verdict": verdict, "hits": [text], "misses": [text],
              "reasoning": text, "details": details}  # fmt: skip
    error = {"kind": text, "message": text}
    failed = {
        "name": f"{text}2",
        "type": "code_judge",
        "score": 0.0,
        "verdict": "fail",
        "misses": [text],
        "error": error,
    }
    case = {"suite": text, "case_id": text, "target": text, "tags": [text], "metadata": {"k": text}, "skipped": [text],
            "input": text, "expected": {text: text}, "candidate": {text: "x"}}  # fmt: skip
    outcome = {"status": "ok", "score": score, "verdict": verdict, "misses": [text], "reasoning": text}
    return {**case, **outcome, "evaluator_results": [result, failed]}


@pytest.mark.parametrize("form", [form for form in get_args(Format) if form in FORMATS and form != "parquet"])
def test_no_format_passes_on_what_controls_a_terminal_or_turns_text_round(form: Format, tmp_path: Path) -> None:
    rows = [_row(1.0, "pass"), _row(0.5, "fail")]
    for name, row in zip("ab", rows, strict=True):
        (tmp_path / name).write_bytes(encode_row(row))
    before, after = (ResultsSource(tmp_path / name, name) for name in "ab")
    summary = Summary(rows=partial(reread_rows, [before, after]))
    for row in rows:
        summary.add(row)
    for report in (summary, compute_diff(before, after), compute_trend([before, after])):
        text = "".join(render(report, form))
        hostile = _CONTROLS if form in _DATA else _CONTROLS + _DIRECTIONS
        assert [character for character in hostile if character in text] == []
        assert "\n::error::" not in text
