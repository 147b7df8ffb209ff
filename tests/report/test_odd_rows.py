"""Rows that no run writes and that a results file may hold all the same: every command shows them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl

Write = Callable[[str, Any], Path]

_DIGITS = "9" * 4_301
_RESULT = {"name": "n", "type": "t", "score": 0.5, "verdict": "fail", "hits": [], "misses": []}
_ROW = {"timestamp": "", "suite": "s", "case_id": "c", "status": "ok", "score": 0.5, "verdict": "fail"}
_VALUES = {"expected": {"a": [1]}, "candidate": {"a": [1]}, "hits": [], "misses": [], "reasoning": ""}


def _row(result: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return _ROW | _VALUES | more | {"evaluator_results": [_RESULT | (result or {})]}


def _coco(**more: Any) -> dict[str, Any]:
    image = {"label": "x", "confidence": [0.5], "matched": [0], "ignored": [0], "objects": [1, 1, 0, 0]}
    return _row({"type": "detection", "details": {"coco": [image | more]}})


_ODD = {
    "a number for objects": _coco(objects=1),
    "a text for objects": _coco(objects="abcd"),
    "objects by name": _coco(objects={"a": 1, "b": 1, "c": 1, "d": 1}),
    "an endless duration": _row(duration_ms=10**400),
    "the longest float": _row(duration_ms=1.7e308),
    "an index of 4,301 digits": _row({"hits": [f"a[{_DIGITS}]", f"a.{_DIGITS}", _DIGITS]}),
    "a paired index of 4,301 digits": _row({"hits": [f"a[{_DIGITS}]"], "details": {"alignment": {"a": [[0, 0]]}}}),
    "a miss of 4,301 digits": _row({"misses": [f"a[{_DIGITS}]", f"{_DIGITS} (wrong)"]}),
}


@pytest.mark.parametrize("odd", _ODD.values(), ids=_ODD)
def test_an_odd_row_is_shown_like_any_other(write: Write, evalctl: Evalctl, odd: dict[str, Any]) -> None:
    write("r.jsonl", odd)
    for form in ("csv", "junit"):
        done = evalctl("report", "r.jsonl", "--format", form)
        assert (done.returncode, done.stderr, "inf" in done.stdout) == (0, "", False)
    write("other.jsonl", _row({"misses": ["a[0]"]}))
    done = evalctl("diff", "other.jsonl", "r.jsonl", "--format", "csv")
    assert (done.returncode, done.stderr) == (0, "")
