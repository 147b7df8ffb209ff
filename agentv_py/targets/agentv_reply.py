"""What a program for AgentV's cli provider wrote → its answer: the text, the messages as the trace, and the figures."""

from typing import Any

from agentv_py.messages import is_conversation
from agentv_py.targets.answer import Answer, build_answer

_TEXT, _MESSAGES = "text", ("output", "output_messages")
_FIGURES = {"token_usage": "tokens", "cost_usd": "cost", "duration_ms": "latency_ms"}


def has_agentv_answer(value: dict[str, Any]) -> bool:
    return isinstance(value.get(_TEXT), str) or any(map(is_conversation, _list_conversations(value)))


def read_agentv_answer(value: Any, text: str) -> Answer:
    """Read `{text | output | output_messages, token_usage, cost_usd, duration_ms}`. Raises InvalidAnswer.

    Any other object or list is itself the answer. So is any other text, also if it reads as a number.
    """
    if not (isinstance(value, dict) and has_agentv_answer(value)):
        return Answer(value if isinstance(value, dict | list) else text, {})
    facts = {name: value[key] for key, name in _FIGURES.items() if value.get(key) is not None}
    for messages in filter(is_conversation, _list_conversations(value)):
        facts["trace"] = messages
        return build_answer(_find_last_answer(messages, value.get(_TEXT)), facts)
    return build_answer(value[_TEXT], facts)


def _list_conversations(value: dict[str, Any]) -> list[Any]:
    return [value[key] for key in _MESSAGES if key in value]


def _find_last_answer(messages: list[dict[str, Any]], text: Any) -> Any:
    """Return the content of the assistant's last message that has one; else the text beside the messages."""
    for message in reversed(messages):
        if message["role"] == "assistant" and message.get("content") not in (None, ""):
            return _join_parts(message["content"])
    return text if isinstance(text, str) else ""


def _join_parts(content: Any) -> Any:
    """Return a list of texts as one text; any other content stays as it is."""
    if not (isinstance(content, list) and content):
        return content
    texts = [part.get("text", part.get("value")) if isinstance(part, dict) else part for part in content]
    return "\n".join(map(str, texts)) if all(isinstance(text, str) for text in texts) else content
