"""Text from a server → the same without what must not be written down: keys, and what the prompt said."""

import re
from typing import Any

REDACTED = "[redacted]"

# A shorter one is no secret, but a placeholder such as `none`, and may stand in any text.
_SHORTEST_KEY = 6
# So many letters in a row that also stand in the prompt were copied from it.
_COPIED = 16
_LONGEST_MESSAGE = 300
# What could be a password or a number of somebody's, though it stands alone.
_TELLING = re.compile(r"(?=\S*\d)[^\s\"'`(){}\[\],;:]{6,}")


def without_key(value: Any, key: str | None) -> Any:
    """A JSON value, in whose texts and names the key is redacted."""
    if key is None or len(key) < _SHORTEST_KEY:
        return value
    if isinstance(value, str):
        return value.replace(key, REDACTED)
    if isinstance(value, dict):
        return {without_key(name, key): without_key(item, key) for name, item in value.items()}
    return [without_key(item, key) for item in value] if isinstance(value, list) else value


def safe_message(message: str, key: str | None, prompt: str) -> str:
    """A server's words on an error: short, on one line, without the key and without what it repeats of the prompt."""
    text = " ".join(message[: 10 * _LONGEST_MESSAGE].split())
    text = without_key(text, f"Bearer {key}" if key else None)
    text = without_key(text, key)
    text = _TELLING.sub(lambda found: REDACTED if found[0] in prompt else found[0], text)
    text = _uncopied(text, " ".join(prompt.split()))
    return text if len(text) <= _LONGEST_MESSAGE else text[:_LONGEST_MESSAGE] + "…"


def _uncopied(text: str, prompt: str) -> str:
    kept, start = list[str](), 0
    while start < len(text):
        length = _COPIED
        while start + length <= len(text) and text[start : start + length] in prompt:
            length += 1
        if length > _COPIED:
            kept.append(REDACTED)
            start += length - 1
        else:
            kept.append(text[start])
            start += 1
    return "".join(kept)
