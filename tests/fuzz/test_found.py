"""Inputs that crashed a target of the fuzzer once."""

from pathlib import Path

import fuzz
import fuzz_files
import pytest
from fuzz_targets import TARGETS

_HUGE = b"1" + b"0" * 400
_FIELD = b'"evaluators": [{"type": "field_accuracy", "fields": [{"path": "a"}]}]'
_ROW = b"""{"suite": "s", "case_id": "c", "status": "ok", "score": 0, "verdict": "fail", "evaluator_results": [{"name": "e",
"type": "t", "weight": 1, "score": 0, "verdict": "fail", "hits": [], "misses": ["a[0]"],
"details": {"metrics": {"a[]": {"tp": 0, "tn": 0, "fp": 1, "fn": 1}}, "mismatches": [{"path": "a[0]", "outcome": []}]}}]}""".replace(
    b"\n", b""
)


@pytest.mark.parametrize(
    ("target", "data"),
    [
        ("judge_replies", b'{"score": ' + _HUGE + b"}"),
        ("suites", b'{"evaluators": [{"type": "code_judge", "script": "' + b"1" * 300 + b'"}], "cases": []}'),
        ("suites", b'{"cases": [{"expected": {"a": 1}, "candidates": true}, {"expected": {}}], ' + _FIELD + b"}"),
        ("suites", b'{"cases": [], "slices": 5, ' + _FIELD + b"}"),
        ("templates", b"{{ 5.x ~ '' }}"),
        ("templates", b"{{ {}" + b"| tojson" * 50 + b" }}"),
        ("results", _ROW),
        ("results", _ROW.replace(b'"status": "ok"', b'"status": "ok", "skipped": true')),
        ("schemas", b'{"type": "object", "properties": {"a": {"type": "string", "pattern": "^[[*]0-9]+$"}}}'),
        (
            "convert",
            b"""{"tests": [{"id": "x", "input": "u", "assertions": [{"type": "tool-trajectory", "mode": "exact",
            "expected": [{"tool": "z", "args": {"a": 1}, "args_match": [[], "a"]}]}]}]}""",
        ),
        ("xlsx", b"<worksheet><sheetData><row><c t='"),
        ("target_replies", b'{"output": 1, "cost": "free"}'),
        ("target_replies", b"[" * 201 + b"]" * 201),
        ("model_replies", b'{"data": [{"index": 0, "embedding": [1e300]}, {"index": 1, "embedding": [1]}]}'),
    ],
)
def test_an_input_that_once_crashed_a_target_crashes_it_no_more(target: str, data: bytes, tmp_path: Path) -> None:
    with fuzz.prepared(tmp_path):
        TARGETS[target].run(data)


def test_a_cache_whose_schema_is_no_text_crashes_nothing(tmp_path: Path) -> None:
    with fuzz.prepared(tmp_path):
        TARGETS["cache"].run(fuzz_files.build_cache().replace(b"TABLE answers", b"TABLE\x9d\0\0\0\0\0\0\0"))
