"""Problems that a user can fix → one line each, place first."""

import re
from collections.abc import Sequence
from typing import NamedTuple

# CI systems read these as commands in the log of a job: "::" at the start of a line, also behind colours, and "##["
# or "##vso[" anywhere.
_COMMAND = r"(?m)^((?:[^\S\n]|\x1b\[[0-9;]*m|\x1b\]8;[^\x1b]*\x1b\\)*):(?=:)|#(?=#\w*\[)"
IN_TEXT, IN_JSON, IN_XML = "\\x{:02x}", "\\u{:04x}", "&#{};"
"""How `escape_commands` spells a character: readers of JSON and XML get the same text."""


class Problem(NamedTuple):
    what: str
    where: str = ""
    file: str = ""
    line: int | None = None
    column: int | None = None
    kind: str = ""
    """What equal problems of many rows have in common, if their texts differ; it is not shown."""

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part not in (None, ""))
        return ": ".join(part for part in (place, self.where, self.what) if part)


class UserError(Exception):
    """A user can fix this; the command prints every problem and ends with `exit_code`."""

    exit_code = 2

    def __init__(self, *problems: Problem | str, omitted: int = 0) -> None:
        self.problems: Sequence[Problem] = [
            problem if isinstance(problem, Problem) else Problem(problem) for problem in problems
        ]
        self.omitted = omitted
        super().__init__("\n".join(map(str, self.problems)))


class InvalidSuite(UserError):  # noqa: N818  the suite is the subject, as in "invalid suite: ..."
    """The suite file, its datasets or its predictions are wrong; nothing ran."""


class NothingSelected(UserError):  # noqa: N818  the name states an event, as in "nothing selected"
    exit_code = 5


class InputChanged(UserError):  # noqa: N818  the name states an event, as in "an input changed"
    """A file that the run reads is no longer the file that was checked."""


class Unwritable(UserError):  # noqa: N818  the name states an event, as in "results are unwritable"
    """The results file cannot be written."""


class EvaluationError(Exception):
    """An evaluator, or a model that it asks, failed: the case is errored, which is not a score of 0."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def find_nearest(word: str, known: Sequence[str]) -> str | None:
    """Return the known word that is spelled most like another one, if any is."""
    from difflib import get_close_matches

    by_lower = {text.lower(): text for text in reversed(known)}
    return next((by_lower[near] for near in get_close_matches(word.lower(), list(by_lower), n=1, cutoff=0.6)), None)


def did_you_mean(word: str, known: Sequence[str]) -> str:
    near = find_nearest(word, known)
    return "" if near is None else f"; did you mean {near!r}?"


def make_printable(text: str) -> str:
    """Escape the control characters of a user's text, which could control the terminal or break a line."""
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def escape_commands(text: str, escape: str = IN_TEXT) -> str:
    """Escape one character of each command of a CI system in a text; `escape` spells that character."""
    if "::" not in text and "##" not in text:
        return text
    return re.sub(_COMMAND, lambda match: (match[1] or "") + escape.format(ord(match[0][-1])), text)
