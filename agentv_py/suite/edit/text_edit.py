"""A text of JSON or YAML, the spans of its values, and changes → the text with these changes."""

from collections.abc import Sequence

from agentv_py.suite.edit.json_spans import locate_json
from agentv_py.suite.edit.json_text import add_json_key, find_style, replace_json
from agentv_py.suite.edit.span import Change, Span, Steps
from agentv_py.suite.edit.yaml_spans import locate_yaml
from agentv_py.suite.edit.yaml_text import add_yaml_key, replace_yaml

Edit = tuple[int, int, str]
"""The first and the last character that are replaced, and the new text."""


def edit_json(text: str, changes: Sequence[Change], root: Steps = (), start: int = 0) -> str:
    """Change values below `root` in JSON text. Raises LookupError if there is no such value."""
    span, style = locate_json(text, start), find_style(text)
    edits: list[Edit] = []
    for steps, value in changes:
        found = span.find((*root, *steps))
        if found is None:
            at, written = add_json_key(text, _find_object(span, (*root, *steps[:-1])), str(steps[-1]), value, style)
            edits.append((at, at, written))
        else:
            edits.append((found.start, found.end, replace_json(text, found, value, style)))
    return _apply(text, edits)


def edit_yaml(text: str, changes: Sequence[Change], root: Steps) -> str:
    """Change values below `root` in YAML text. Raises LookupError if there is no such value."""
    span = locate_yaml(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    edits: list[Edit] = []
    for steps, value in changes:
        found = span.find((*root, *steps))
        if found is None:
            at, written = add_yaml_key(text, _find_object(span, (*root, *steps[:-1])), str(steps[-1]), value)
            edits.append((at, at, written.replace("\n", newline)))
        else:
            end = found.last_end
            written = replace_yaml(found, text[found.start : end], value)
            edits.append((found.start, end, written.replace("\n", newline)))
    return _apply(text, edits)


def _find_object(span: Span, steps: Steps) -> Span:
    found = span.find(steps)
    if found is None or not isinstance(found.below, dict):
        raise LookupError(steps)
    return found


def _apply(text: str, edits: Sequence[Edit]) -> str:
    """Apply the edits from the end to the start; new keys at one place stay in their order."""
    for _, (start, end, written) in sorted(enumerate(edits), key=lambda item: (item[1][0], item[0]), reverse=True):
        text = text[:start] + written + text[end:]
    return text
