"""A row of AgentV's results → the same row with evalctl's keys."""

from typing import Any

from agentv_py.score import verdict

_IDS = ("test_id", "eval_id")
_SUITES = ("suite", "dataset", "eval_set")
_ANSWERS = ("candidate_answer", "answer", "output")
_RESULTS = ("evaluator_results", "scores")
_VERDICTS = {"pass": "pass", "borderline": "partial", "partial": "partial", "fail": "fail"}
# AgentV's own thresholds; evalctl's defaults are the same.
_PASS_AT, _PARTIAL_AT = 0.8, 0.6


def is_agentv(row: dict[str, Any]) -> bool:
    return "case_id" not in row and any(key in row for key in _IDS)


def translate(row: dict[str, Any]) -> dict[str, Any]:
    """Return the row with evalctl's keys. Wrong values stay as they are; the check of rows finds them."""
    has_error = bool(row.get("error")) or row.get("execution_status") == "execution_error"
    translated: dict[str, Any] = {
        "timestamp": row.get("timestamp", ""),
        "suite": _find_first(row, _SUITES) or "",
        "case_id": _find_first(row, _IDS),
        "status": "error" if has_error else "ok",
    }
    translated |= _translate_outcome(row) | {
        "evaluator_results": [_translate_result(result) for result in _as_list(_find_first(row, _RESULTS))]
    }
    if has_error:
        translated["error"] = {"kind": "agentv", "message": str(row.get("error") or row["execution_status"])}
    if (answer := _find_first(row, _ANSWERS)) is not None:
        translated["candidate"] = answer
    return translated | {key: row[key] for key in ("target", "metadata", "tags") if row.get(key) is not None}


def _translate_result(result: Any) -> Any:
    if not isinstance(result, dict):
        return result
    kind = result.get("type", "")
    known = {key: result[key] for key in ("weight", "details") if result.get(key) is not None}
    return {"name": result.get("name", kind), "type": kind} | _translate_outcome(result) | known


def _translate_outcome(value: dict[str, Any]) -> dict[str, Any]:
    """Return score, verdict, hits, misses and reasoning of a row or a result; later versions have `assertions`."""
    score = value.get("score")
    assertions = [assertion for assertion in _as_list(value.get("assertions")) if isinstance(assertion, dict)]
    hits = [str(assertion.get("text", "")) for assertion in assertions if assertion.get("passed")]
    misses = [str(assertion.get("text", "")) for assertion in assertions if not assertion.get("passed")]
    return {
        "score": score,
        "verdict": _VERDICTS.get(str(value.get("verdict"))) or _decide_verdict(score),
        "hits": value.get("hits", hits),
        "misses": value.get("misses", misses),
        "reasoning": value.get("reasoning") or "",
    }


def _decide_verdict(score: Any) -> str:
    return verdict(score, _PASS_AT, _PARTIAL_AT) if type(score) in (int, float) else "fail"


def _find_first(row: dict[str, Any], keys: tuple[str, ...]) -> Any:
    return next((row[key] for key in keys if row.get(key) is not None), None)


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
