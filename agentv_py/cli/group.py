"""All commands as one group, whose usage errors are in plain words."""

from typing import Any

import typer
from typer.core import TyperGroup

from agentv_py.cli.plain_values import PlainValues

_PREFIX_OF_PYDANTIC = "Value error, "


class Group(PlainValues, TyperGroup):
    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = error.message.removeprefix(_PREFIX_OF_PYDANTIC)
            raise
