"""Rows of results that say only what they must, and the schema of what a report says of them."""

import json
from pathlib import Path
from typing import Any

SCHEMA = json.loads((Path(__file__).parent / "report.schema.json").read_text(encoding="utf-8"))


def row(case_id: str, score: float, **more: Any) -> dict[str, Any]:
    verdict = "pass" if score >= 0.8 else "partial" if score >= 0.6 else "fail"
    result = {"name": "e", "type": "t", "score": score, "verdict": verdict, "misses": []}
    return {
        "timestamp": "2026-01-01", "suite": "s", "case_id": case_id, "status": "ok", "score": score, "verdict": verdict,
        "evaluator_results": [result],
    } | more  # fmt: skip


def lines(*rows: dict[str, Any]) -> str:
    return "".join(json.dumps(one) + "\n" for one in rows)
