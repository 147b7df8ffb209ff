"""`[tool.evalctl]` in pyproject.toml → flags before those of the command line."""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from agentv_py.errors import Problem, UserError, did_you_mean

_FILE = "pyproject.toml"
_TABLE = re.compile(rb"^\s*(\[\s*tool\s*\.\s*evalctl|\[\s*tool\s*\]|tool\s*\.)", re.MULTILINE)
_OWN_COMMAND = "run"


class Flag(NamedTuple):
    """A flag of a command."""

    spellings: Sequence[str]
    has_value: bool
    refuse: Callable[[Sequence[str]], str]
    """Says why the command refuses these words of the flag; empty if it takes them."""


def list_flags(command: Any) -> list[Flag]:
    """List the flags of one of typer's commands."""
    options = [parameter for parameter in command.params if parameter.param_type_name == "option"]
    return [
        Flag([*option.opts, *option.secondary_opts], not option.is_flag, partial(_refuse, command, option))
        for option in options
    ]


def _refuse(command: Any, option: Any, words: Sequence[str]) -> str:
    import typer

    try:
        command.make_context(command.name, list(words))  # parses the words; it does not run the command
    except typer.BadParameter as error:  # also of an argument that is not among these words
        return error.message.removeprefix("Value error, ").rstrip(".") if error.param is option else ""
    return ""


def find_table() -> tuple[str, dict[str, Any]]:
    """Return the nearest pyproject.toml and its table. Without a file, or without the table in it, both are empty.

    Raises UserError.
    """
    here = Path.cwd()
    file = next((path for folder in (here, *here.parents) if (path := folder / _FILE).is_file()), None)
    if file is None or _TABLE.search(data := file.read_bytes()) is None:
        return "", {}
    import tomllib  # most projects have no such table

    shown = os.path.relpath(file)
    try:
        tool = tomllib.loads(data.decode()).get("tool", {})
    except ValueError as error:
        raise UserError(Problem(f"not valid TOML: {error}", "", shown)) from None
    table = tool.get("evalctl", {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise UserError(Problem("must be a table", "tool.evalctl", shown))
    return shown, table


def add_defaults(
    arguments: Sequence[str], file: str, table: Mapping[str, Any], commands: Mapping[str, Sequence[Flag]]
) -> list[str]:
    """Return the arguments with the defaults of their command. A flag of the user replaces its default.

    Keys of the table itself are flags of `run`; a table `[tool.evalctl.report]` holds those of `report`. Raises
    UserError.
    """
    problems, words = [], list[str]()
    for command, key, value in _list_keys(table):
        where = "tool.evalctl" if command == _OWN_COMMAND else f"tool.evalctl.{command}"
        if command not in commands:
            known = [name for name in commands if name != _OWN_COMMAND]
            problems.append(Problem(f"unknown table {command!r}{did_you_mean(command, known)}", "tool.evalctl", file))
            continue
        flags = {
            spelling[2:]: flag for flag in commands[command] for spelling in flag.spellings if spelling[:2] == "--"
        }
        name = key.replace("_", "-")
        if name not in flags:
            hint = did_you_mean(name, list(flags)) or f"; a key is a flag of `evalctl {command}` without its dashes"
            problems.append(Problem(f"unknown key {key!r}{hint}", where, file))
        elif why := _find_problem(flags[name], value):
            problems.append(Problem(why, f"{where}.{key}", file))
        elif command == arguments[0] and not _is_given(flags[name], arguments):
            own = _write_words(name, value)
            if own and (why := flags[name].refuse(own)):
                problems.append(Problem(f"{value!r} is not valid: {why}", f"{where}.{key}", file))
            words += own
    if problems:
        raise UserError(*dict.fromkeys(problems))
    return [arguments[0], *words, *arguments[1:]]


def _list_keys(table: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from ((key, below, item) for below, item in value.items())
        else:
            yield _OWN_COMMAND, key, value


def _find_problem(flag: Flag, value: Any) -> str:
    """Say why a flag cannot have a value; empty if it can. The command itself checks texts and numbers."""
    if not flag.has_value:
        return "" if isinstance(value, bool) else f"must be true or false, not {value!r}"
    values = value if isinstance(value, list) else [value]
    wrong = next((item for item in values if isinstance(item, bool) or not isinstance(item, str | int | float)), None)
    return "" if wrong is None else f"must be a text, a number or a list of these, not {wrong!r}"


def _is_given(flag: Flag, arguments: Sequence[str]) -> bool:
    return any(
        argument == spelling or argument.startswith(spelling if spelling[1] != "-" else f"{spelling}=")
        for argument in arguments
        for spelling in flag.spellings
    )


def _write_words(name: str, value: Any) -> list[str]:
    if isinstance(value, bool):
        return [f"--{name}"] if value else []
    return [f"--{name}={item}" for item in (value if isinstance(value, list) else [value])]
