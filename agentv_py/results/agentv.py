"""A row of AgentV's results → the same row in our words."""

from typing import Any

from agentv_py.score import verdict

_IDS = ("test_id", "eval_id")
_SUITES = ("suite", "dataset", "eval_set")
_ANSWERS = ("candidate_answer", "answer", "output")
_RESULTS = ("evaluator_results", "scores")
_VERDICTS = {"pass": "pass", "borderline": "partial", "partial": "partial", "fail": "fail"}
# AgentV's own thresholds, which are our defaults.
_PASS_AT, _PARTIAL_AT = 0.8, 0.6


def is_agentv(row: dict[str, Any]) -> bool:
    return "case_id" not in row and any(key in row for key in _IDS)


def translate(row: dict[str, Any]) -> dict[str, Any]:
    """What it says in our words; what it says wrongly stays as it is, for whoever checks rows to find."""
    erred = bool(row.get("error")) or row.get("execution_status") == "execution_error"
    ours: dict[str, Any] = {
        "timestamp": row.get("timestamp", ""),
        "suite": _first(row, _SUITES) or "",
        "case_id": _first(row, _IDS),
        "status": "error" if erred else "ok",
    }
    ours |= _result(row) | {"evaluator_results": [_evaluator(one) for one in _list(_first(row, _RESULTS))]}
    if erred:
        ours["error"] = {"kind": "agentv", "message": str(row.get("error") or row["execution_status"])}
    if (answer := _first(row, _ANSWERS)) is not None:
        ours["candidate"] = answer
    return ours | {key: row[key] for key in ("target", "metadata", "tags") if key in row}


def _evaluator(result: Any) -> Any:
    if not isinstance(result, dict):
        return result
    kind = result.get("type", "")
    known = {key: result[key] for key in ("weight", "details") if result.get(key) is not None}
    return {"name": result.get("name", kind), "type": kind} | _result(result) | known


def _result(value: dict[str, Any]) -> dict[str, Any]:
    """Score, verdict, hits, misses and reasoning, of a row or of an evaluator; later versions say `assertions`."""
    score = value.get("score")
    made = [one for one in _list(value.get("assertions")) if isinstance(one, dict)]
    hits = [str(one.get("text", "")) for one in made if one.get("passed")]
    misses = [str(one.get("text", "")) for one in made if not one.get("passed")]
    return {
        "score": score,
        "verdict": _VERDICTS.get(str(value.get("verdict"))) or _verdict(score),
        "hits": value.get("hits", hits),
        "misses": value.get("misses", misses),
        "reasoning": value.get("reasoning") or "",
    }


def _verdict(score: Any) -> str:
    return verdict(score, _PASS_AT, _PARTIAL_AT) if type(score) in (int, float) else "fail"


def _first(row: dict[str, Any], keys: tuple[str, ...]) -> Any:
    return next((row[key] for key in keys if row.get(key) is not None), None)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
