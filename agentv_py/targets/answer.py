"""What a target gave back → an answer: its value, and what is known about it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agentv_py import jsontext
from agentv_py.case import Case
from agentv_py.models.endpoint import Prices
from agentv_py.models.redaction import redact_keys
from agentv_py.models.usage import compute_cost, is_count

FACTS = ("latency_ms", "cost", "tokens", "trace", "confidence")
"""What an answer may tell about itself besides its value."""

_ENVELOPE = frozenset({"output", *FACTS})
_TOKEN_NAMES = {
    "input": ("input", "input_tokens", "prompt", "prompt_tokens"),
    "output": ("output", "output_tokens", "completion", "completion_tokens"),
    "total": ("total", "total_tokens"),
}


class InvalidAnswer(ValueError):  # noqa: N818  a finding about an answer
    """The target gave something that is not an answer; the message says why."""


@dataclass(frozen=True, slots=True)
class Answer:
    output: Any
    facts: Mapping[str, Any]
    """By name, those of FACTS that are known."""

    def encode(self) -> bytes:
        return jsontext.dumps({"output": self.output, **self.facts})

    def redact(self, secrets: Sequence[str]) -> "Answer":
        """Return the answer without these texts, wherever they are in it."""
        return Answer(redact_keys(self.output, secrets), redact_keys(dict(self.facts), secrets)) if secrets else self


def decode_answer(data: bytes) -> Answer | None:
    """Read an answer that was encoded; None if the data is damaged."""
    try:
        value = jsontext.loads(data, jsontext.MAX_DEPTH + 1)  # the answer is a level below
        return read_answer(value) if isinstance(value, dict) and "output" in value else None
    except (jsontext.NotJson, InvalidAnswer):
        return None


def read_answer(value: Any) -> Answer:
    """Read `{output, cost, tokens, latency_ms, trace, confidence}`; any other value is the output. Raise InvalidAnswer.

    An object is only read so if it has `output` and no other keys than these.
    """
    if not (isinstance(value, dict) and "output" in value and _ENVELOPE.issuperset(value)):
        return Answer(value, {})
    return build_answer(value["output"], {name: value[name] for name in FACTS if value.get(name) is not None})


def build_answer(output: Any, facts: Mapping[str, Any]) -> Answer:
    """Check the facts, and give tokens the names of results. Raise InvalidAnswer."""
    checked = dict(facts)
    for name in ("latency_ms", "cost"):
        if name in checked and not (type(checked[name]) in (int, float) and 0 <= checked[name] < float("inf")):
            raise InvalidAnswer(f"{name} is not a number of at least 0")
    if "tokens" in checked:
        checked["tokens"] = read_tokens(checked["tokens"])
    return Answer(output, checked)


def complete(answer: Answer, seconds: float, prices: Prices | None) -> Answer:
    """Add the latency and the cost, unless the target told them."""
    facts: dict[str, Any] = {"latency_ms": round(seconds * 1000, 3), **answer.facts}
    tokens = facts.get("tokens", {})
    if prices is not None and "cost" not in facts and "input" in tokens:
        facts["cost"] = compute_cost(tokens["input"], tokens.get("output", 0), prices.prompt, prices.completion)
    return Answer(answer.output, {name: facts[name] for name in FACTS if name in facts})


def build_prediction(case: Case, answers: Sequence[Answer]) -> dict[str, Any]:
    """Return the row of predictions that holds these answers to a case."""
    if len(answers) == 1:
        return {"id": case.id, "candidate": answers[0].output, **answers[0].facts}
    repeats = [dict(answer.facts) for answer in answers]
    return {"id": case.id, "candidates": [answer.output for answer in answers], "repeats": repeats}


def read_tokens(given: Any) -> dict[str, int]:
    """Return the counts of tokens under the names of results: input, output, total. Raise InvalidAnswer."""
    if is_count(given):
        return {"total": given}
    counts: dict[str, int] = {}
    for name, spellings in _TOKEN_NAMES.items():
        found = [given[word] for word in spellings if word in given] if isinstance(given, dict) else []
        if found:
            counts[name] = found[0]
    if not counts or not all(map(is_count, counts.values())):
        raise InvalidAnswer("tokens is neither a count nor an object with counts such as input and output")
    if "total" not in counts:
        counts["total"] = sum(counts.values())
    return counts
