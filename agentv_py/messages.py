"""Chat messages, a common form of an input → their text, and the files that they name."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from agentv_py import jsontext

ROLES = ("system", "developer", "user", "assistant", "tool")


def is_conversation(value: Any) -> bool:
    """Tell whether a value is a list of messages: objects with a role, and a content or calls of tools."""
    return isinstance(value, list) and bool(value) and all(map(_is_message, value))


def list_messages(value: Any, role: str) -> list[dict[str, Any]]:
    """Return the messages of a conversation; any other value is the content of one message."""
    return value if is_conversation(value) else [{"role": role, "content": value}]


def write_text(value: Any) -> str:
    """Return the text of an input: the text of its messages, or the value itself as text or JSON."""
    if not is_conversation(value):
        return _to_text(value)
    texts = (part for message in value for part, is_file in _list_parts(message) if not is_file)
    return "\n\n".join(text for text in map(str.strip, texts) if text)


def list_files(value: Any) -> list[str]:
    """Return the files that the messages of an input name, each once."""
    messages = value if is_conversation(value) else ()
    return list(dict.fromkeys(part for message in messages for part, is_file in _list_parts(message) if is_file))


def write_prompt(value: Any, folder: Path) -> str:
    """Return an input as one text: with the content of its files, and with roles if several messages say something."""
    if not is_conversation(value):
        return _to_text(value)
    spoken = [(str(message["role"]), text) for message in value if (text := _write_message(message, folder))]
    if len(spoken) == 1 and spoken[0][0] not in ("assistant", "tool"):
        return spoken[0][1]
    return "\n\n".join(f"@[{role.capitalize()}]:\n{text}" for role, text in spoken)


def _write_message(message: dict[str, Any], folder: Path) -> str:
    parts = (_write_file(part, folder) if is_file else part.strip() for part, is_file in _list_parts(message))
    return "\n\n".join(part for part in parts if part)


def _write_file(name: str, folder: Path) -> str:
    """Return the content of a file of text; nothing for a file that is not text, such as a picture."""
    try:
        content = (folder / name).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return f'<file path="{name}">\n{content}\n</file>'


def _list_parts(message: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a message: text, or the path of a file; and whether it is a file."""
    content = message.get("content")
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, dict) and part.get("type") in ("file", "text"):
            text = part.get("value", part.get("text"))
            if isinstance(text, str):
                yield text, part["type"] == "file"
        elif part is not None:
            yield _to_text(part), False


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and value.get("role") in ROLES and ("content" in value or "tool_calls" in value)


def _to_text(value: Any) -> str:
    return value if isinstance(value, str) else jsontext.dumps(value).decode()
