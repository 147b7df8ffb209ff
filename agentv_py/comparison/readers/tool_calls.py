"""A trace in one of many spellings → the calls of tools in it, in order."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from agentv_py import jsontext

_NAMES = ("tool", "name", "tool_name", "toolName", "function")
_ARGUMENTS = ("args", "input", "arguments", "parameters")
_LISTS = ("tool_calls", "toolCalls")
_MESSAGES = ("output_messages", "outputMessages", "messages", "output", "steps", "calls", "trace")
_CALL_TYPES = ("tool_call", "tool_use", "function_call", "function")


class ToolCall(NamedTuple):
    tool: str
    args: Any
    """An object, in most traces; None if the trace does not tell."""


def read_tool_calls(trace: Any) -> list[ToolCall] | None:
    """Return the calls; None if the trace has no known form.

    Known are lists of calls (`{tool, args}`), of messages with `tool_calls` (OpenAI, AgentV) or with content of type
    `tool_use` (Anthropic), also under a key such as `messages`.
    """
    if isinstance(trace, dict):
        for key in (*_LISTS, *_MESSAGES):
            if isinstance(trace.get(key), list):
                return read_tool_calls(trace[key])
        return None
    if not isinstance(trace, list) or (trace and not any(map(_is_known, trace))):
        return None
    return [call for item in trace for call in _read_item(item)]


def _is_known(item: Any) -> bool:
    return _is_call(item) or (isinstance(item, dict) and ("role" in item or any(key in item for key in _LISTS)))


def _is_call(item: Any) -> bool:
    """Whether an object is a call: it has a name and arguments, or its type says so. A result has a name, too."""
    if not isinstance(item, dict) or "role" in item or _read_name(item) is None:
        return False
    if "type" in item:
        return item["type"] in _CALL_TYPES
    return "tool" in item or "function" in item or any(key in item for key in _ARGUMENTS)


def _read_item(item: Any) -> Iterator[ToolCall]:
    if _is_call(item):
        yield _read_call(item)
    elif isinstance(item, dict):
        for key in (*_LISTS, "content"):
            if isinstance(item.get(key), list):
                yield from (_read_call(call) for call in item[key] if _is_call(call))


def _read_call(item: dict[str, Any]) -> ToolCall:
    function = item["function"] if isinstance(item.get("function"), dict) else item
    args = next((function[key] for key in _ARGUMENTS if key in function), None)
    if isinstance(args, str):  # OpenAI writes arguments as text that holds JSON
        with suppress(jsontext.NotJson):
            args = jsontext.loads_text(args)
    return ToolCall(_read_name(item) or "", args)


def _read_name(item: dict[str, Any]) -> str | None:
    """Return the name of the tool; None if the object has none."""
    function = item.get("function")
    named = function if isinstance(function, dict) else item
    return next((named[key] for key in _NAMES if isinstance(named.get(key), str) and named[key]), None)
