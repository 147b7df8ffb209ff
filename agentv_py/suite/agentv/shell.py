"""A shell command of AgentV, with placeholders such as {PROMPT} → the words of a command line, with our templates."""

import re
import shlex
from collections.abc import Mapping

_PLACEHOLDER = re.compile(r"\{([A-Z_]+)\}")
_PLAIN_WORD = re.compile(r"[\w./:@%+,=^-]+")
_MARKS = ("{{", "{%", "{#")


class UnknownPlaceholder(ValueError):  # noqa: N818  a finding about a command
    """The command names a placeholder that has no meaning here."""


def split_command(command: str) -> list[str]:
    """Return the words of a command without placeholders: its own words if it needs no shell, else a call of sh."""
    words = _split_plain_words(command)
    return words if words is not None else ["sh", "-c", command]


def translate_command(command: str, names: Mapping[str, str]) -> list[str]:
    """Return the words of a command. `names` gives our name for each placeholder. Raises UnknownPlaceholder.

    A command that needs a shell gets the values as variables, so that no value can be read as a command.
    """
    for placeholder in _PLACEHOLDER.findall(command):
        if placeholder not in names:
            known = ", ".join("{" + name + "}" for name in names)
            raise UnknownPlaceholder(f"unknown placeholder {{{placeholder}}}; known: {known}")
    words = _split_plain_words(_PLACEHOLDER.sub(r"\1", command))
    if words is not None:
        return [_fill_word(word, names) for word in shlex.split(command)]
    used = list(dict.fromkeys(_PLACEHOLDER.findall(command)))
    single = [name for name in used if names[name] != "files"]
    assignments = "".join(f"{name}=${number}; " for number, name in enumerate(single, 1))
    start = f"{assignments}shift {len(single)}; " if single else ""
    values = ["{{" + names[name] + "}}" for name in single] + ["{{files}}" for name in used if names[name] == "files"]
    return ["sh", "-c", _escape_marks(start + _quote_placeholders(command, names)), "sh", *values]


def _split_plain_words(command: str) -> list[str] | None:
    """Return the words of a command that a shell would only split; None if it would do more."""
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    is_plain = bool(words) and all(map(_PLAIN_WORD.fullmatch, command.split())) and "=" not in words[0]
    return words if is_plain else None


def _fill_word(word: str, names: Mapping[str, str]) -> str:
    return _PLACEHOLDER.sub(lambda match: "{{" + names[match[1]] + "}}", word)


def _quote_placeholders(command: str, names: Mapping[str, str]) -> str:
    """Write each placeholder as a variable, quoted for the place where it is."""
    text, quote, position = "", "", 0
    while position < len(command):
        match = _PLACEHOLDER.match(command, position)
        if match:
            variable = '"$@"' if names[match[1]] == "files" else f'"${match[1]}"'
            text += f"{quote}{variable}{quote}"
            position = match.end()
            continue
        mark = command[position]
        if mark == "\\" and quote != "'":
            text += command[position : position + 2]
            position += 2
            continue
        if mark in "\"'" and quote in ("", mark):
            quote = "" if quote else mark
        text += mark
        position += 1
    return text


def _escape_marks(text: str) -> str:
    """Keep a text from being read as a template."""
    return "{% raw %}" + text + "{% endraw %}" if any(mark in text for mark in _MARKS) else text
