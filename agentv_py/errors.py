"""What a user can fix → one line each, place first."""

import re
from collections.abc import Sequence
from typing import NamedTuple

# What CI systems take for commands in a job's log: "::" where a line begins, whatever colour it has, and "##[" or
# "##vso[" anywhere.
_COMMAND = re.compile(r"^((?:[^\S\n]|\x1b\[[0-9;]*m|\x1b\]8;[^\x1b]*\x1b\\)*):(?=:)|#(?=#\w*\[)", re.MULTILINE)
IN_TEXT, IN_JSON, IN_XML = "\\x{:02x}", "\\u{:04x}", "&#{};"
"""How `without_commands` spells a character: readers of JSON and XML get the same text."""


class Problem(NamedTuple):
    what: str
    where: str = ""
    file: str = ""
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part not in (None, ""))
        return ": ".join(part for part in (place, self.where, self.what) if part)


class UserError(Exception):
    """Something a user can fix; the command ends with `exit_code` and shows every problem."""

    exit_code = 2

    def __init__(self, *problems: Problem | str, omitted: int = 0) -> None:
        self.problems: Sequence[Problem] = [
            problem if isinstance(problem, Problem) else Problem(problem) for problem in problems
        ]
        self.omitted = omitted
        super().__init__("\n".join(map(str, self.problems)))


class InvalidSuite(UserError):  # noqa: N818  the suite is the subject, as in "invalid suite: ..."
    """The suite file, its datasets or its predictions are wrong; nothing ran."""


class NothingSelected(UserError):  # noqa: N818  it is what happened, as in "nothing selected"
    exit_code = 5


class InputChanged(UserError):  # noqa: N818  it is what happened, as in "an input changed"
    """A file that the run reads is no longer the file that was checked."""


class Unwritable(UserError):  # noqa: N818  it is what happened, as in "results are unwritable"
    """The results cannot go where they were asked to go."""


class EvaluationError(Exception):
    """An evaluator, or a model that it asks, failed: the case is errored, which is not a score of 0."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def did_you_mean(word: str, known: Sequence[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(word.lower(), known, n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""


def printable(text: str) -> str:
    """A user's text without the control characters that would steer a terminal or break a line."""
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def without_commands(text: str, escape: str = IN_TEXT) -> str:
    """Text of which no CI system takes a line for a command; `escape` spells the character that would make it one."""
    if "::" not in text and "##" not in text:
        return text
    return _COMMAND.sub(lambda found: (found[1] or "") + escape.format(ord(found[0][-1])), text)
