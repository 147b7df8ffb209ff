"""What a user typed for a parameter → its value: texts as they are, and what typer makes of anything else.

Typer loads pydantic to check any value, even a text, and even one that is not given. That takes longer than most of
what `evalctl report` does.
"""

from enum import Enum
from functools import partial
from typing import Any

from typer.core import TyperCommand

from agentv_py.cli.usage_hints import add_hints


class _Other(Enum):
    """The type of `OTHER`, which marks a value that typer must check."""

    OTHER = 0


class PlainValues:
    """A command or a group whose parameters take texts as they are."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        base: Any = super()
        for parameter in base.get_params(ctx):
            parameter.process_value = partial(_take_value, parameter)
        with add_hints(str(ctx.info_name), args):
            parsed: list[str] = base.parse_args(ctx, args)
        return parsed


class Command(PlainValues, TyperCommand):
    """A command of evalctl."""


def _take_value(parameter: Any, context: Any, value: Any) -> Any:
    plain = take_plain_value(parameter, value)
    if plain is _Other.OTHER:
        return type(parameter).process_value(parameter, context, value)
    return plain if parameter.callback is None else parameter.callback(context, parameter, plain)


def take_plain_value(parameter: Any, value: Any) -> Any:
    """Return what typer would return for a text, for texts, for no value and for a default; OTHER for anything else."""
    if value is None and not parameter.required:
        return () if parameter.multiple or parameter.nargs == -1 else None
    descriptor = getattr(parameter, "type_descriptor", None)  # earlier versions of typer have none, and no pydantic
    if descriptor is None or descriptor.parameter_info.parser is not None:
        return _Other.OTHER
    if descriptor.annotation is str and isinstance(value, str):
        return value
    if type(value) is descriptor.annotation and value == parameter.default:  # what a user types is a text
        return value
    if descriptor.annotation == list[str] and isinstance(value, list | tuple) and value:
        return list(value) if all(isinstance(text, str) for text in value) else _Other.OTHER
    return _Other.OTHER
