"""All commands as one group, whose usage errors are in plain words."""

from typing import Any

import typer
from typer.core import TyperGroup

from agentv_py.cli.plain_values import PlainValues
from agentv_py.cli.usage_hints import add_hints

_PREFIX_OF_PYDANTIC = "Value error, "


class Subgroup(TyperGroup):
    """A command that has commands of its own."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        with add_hints(str(ctx.info_name), args):
            return super().resolve_command(ctx, args)


class Group(PlainValues, TyperGroup):
    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = error.message.removeprefix(_PREFIX_OF_PYDANTIC)
            raise
