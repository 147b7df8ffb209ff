"""YAML text → its comments and empty lines, each with the line of content that it belongs to."""

from collections.abc import Iterator
from typing import NamedTuple

from agentv_py.suite.yaml_document import list_scalar_spans

_FOR_EDITORS = "yaml-language-server"


class Comment(NamedTuple):
    line: int
    """The line that it is behind, or else the next line with content."""
    text: str
    """With its #; empty for an empty line."""
    is_behind: bool


def list_comments(text: str) -> list[Comment]:
    """Return the comments of a valid document, without those that name a schema to editors."""
    masked = _mask_scalars(text)
    contents = [_split_comment(line) for line in masked.split("\n")]
    lines = text.split("\n")
    comments: list[Comment] = []
    for number, (content, start) in enumerate(contents):
        has_content = bool(content.strip())
        comment = "" if start is None else lines[number][start:].strip()
        if _FOR_EDITORS in comment or (has_content and not comment):
            continue
        later = next((n for n in range(number, len(contents)) if contents[n][0].strip()), None)
        if comment or later is not None:
            comments.append(Comment(len(contents) if later is None else later + 1, comment, has_content))
    return list(_drop_repeated_empty(comments))


def _drop_repeated_empty(comments: list[Comment]) -> Iterator[Comment]:
    """Keep one of several empty lines."""
    last: Comment | None = None
    for comment in comments:
        if comment.text or last is None or last.text or last.line != comment.line:
            yield comment
        last = comment


def _mask_scalars(text: str) -> str:
    """Replace every mark of a scalar by a letter, so that a # that is left begins a comment."""
    marks = list(text)
    for start, end in list_scalar_spans(text):
        marks[start:end] = [mark if mark == "\n" else "x" for mark in marks[start:end]]
    return "".join(marks)


def _split_comment(line: str) -> tuple[str, int | None]:
    """Return the content of a line, and where its comment starts."""
    for position, mark in enumerate(line):
        if mark == "#" and (position == 0 or line[position - 1] in " \t"):
            return line[:position], position
    return line, None
