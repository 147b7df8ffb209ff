"""Prose that a model wrote → the JSON in it."""

import re
from typing import Any

from agentv_py.jsontext.read import NotJson, build_decoder, check_depth, loads_text

# Where an object or array can begin: prose is full of brackets, and each attempt takes time.
_OPENING = re.compile(r"\{\s*[\"}]|\[\s*[\"{\[\]0-9tfnNI-]")
_FENCE = re.compile(r"```[^\n`]*\n(.*?)```", re.DOTALL)
_MOST_OPENINGS = 10_000


def find(text: str) -> Any:
    """Read the whole text, else a fenced block, else the first balanced object or array. Raises NotJson."""
    try:
        return loads_text(text.strip())
    except NotJson:
        pass
    for block in _FENCE.finditer(text):
        try:
            value = loads_text(block[1].strip())
        except NotJson:
            continue
        if isinstance(value, dict | list):
            return value
    return _find_first_balanced(text)


def _find_first_balanced(text: str) -> Any:
    decoder = build_decoder()
    for attempt, opening in enumerate(_OPENING.finditer(text)):
        if attempt == _MOST_OPENINGS:
            break
        try:
            value, end = decoder.raw_decode(text, opening.start())
            return check_depth(value, end)
        except (ValueError, RecursionError):
            continue
    raise NotJson("no JSON in the text")
