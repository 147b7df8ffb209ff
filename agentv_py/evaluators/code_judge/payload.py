"""A case → what a judge reads: our names and AgentV's; and a list of assertions, which is AgentV's reply → a score."""

from typing import Any

from agentv_py import jsontext
from agentv_py.case import ABSENT, Case
from agentv_py.messages import is_conversation, list_files, list_messages, write_text


def build_payload(case: Case, config: dict[str, Any]) -> dict[str, Any]:
    """Return the object that a judge reads from stdin."""
    expected = None if case.expected is ABSENT else case.expected
    payload = {
        "case_id": case.id,
        "candidate_answer": _to_text(case.candidate),
        "reference_answer": None if case.expected is ABSENT else _to_text(expected),
        "candidate": _parse_text(case.candidate),
        "expected": _parse_text(expected),
        "input": case.input,
        "question": None if case.input is None else write_text(case.input),
        "metadata": case.metadata,
        "trace": (case.facts or {}).get("trace"),
        "config": config,
    }
    return payload | _build_agentv_payload(case, payload)


def _build_agentv_payload(case: Case, payload: dict[str, Any]) -> dict[str, Any]:
    """Return the keys that only judges for AgentV read: the names of January 2026 and the later ones."""
    metadata, facts, trace = case.metadata or {}, case.facts or {}, payload["trace"]
    criteria = metadata.get("criteria")
    told = metadata.get("expected_messages")
    reference = told or ([] if case.expected is ABSENT else list_messages(case.expected, "assistant"))
    messages = trace if is_conversation(trace) else list_messages(payload["candidate_answer"], "assistant")
    tokens = facts.get("tokens")
    return {
        "criteria": criteria,
        "expected_outcome": criteria,
        "expected_messages": reference,
        "expected_output": reference,
        "input_messages": [] if case.input is None else list_messages(case.input, "user"),
        "input_files": list_files(case.input),
        "guideline_files": [],
        "output": payload["candidate_answer"],
        "output_messages": messages,
        "messages": messages,
        "token_usage": tokens,
        "cost_usd": facts.get("cost"),
        "duration_ms": facts.get("latency_ms"),
    }


def read_assertions(reply: dict[str, Any]) -> dict[str, Any]:
    """Return a reply with AgentV's assertions as hits and misses; without a score, the share that passed is the score.

    A reply without a valid list of assertions stays as it is.
    """
    assertions = reply.get("assertions")
    if not (isinstance(assertions, list) and assertions and all(map(_is_assertion, assertions))):
        return reply
    texts = [(item["text"], item["passed"]) for item in assertions]
    hits, misses = ([text for text, passed in texts if passed is wanted] for wanted in (True, False))
    return {
        "score": len(hits) / len(texts),
        "hits": hits,
        "misses": misses,
        "details": {"assertions": assertions},
        **reply,
    }


def _is_assertion(item: Any) -> bool:
    return isinstance(item, dict) and isinstance(item.get("text"), str) and isinstance(item.get("passed"), bool)


def _to_text(value: Any) -> str:
    return value if isinstance(value, str) else jsontext.dumps(value).decode()


def _parse_text(value: Any) -> Any:
    """Return the JSON that a text holds; a text without JSON and any other value stay as they are."""
    if not isinstance(value, str):
        return value
    try:
        return jsontext.find(value).value
    except jsontext.NotJson:
        return value
