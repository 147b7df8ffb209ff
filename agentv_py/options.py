"""What a user can name in YAML: options that are checked once and never change."""

from typing import Any

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    # Built where a suite needs it, and not when the program starts.
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, defer_build=True)

    def __getstate__(self) -> dict[Any, Any]:
        """What another process needs: the options. What was compiled from them is compiled there anew."""
        state = super().__getstate__()
        options = {name: value for name, value in state["__dict__"].items() if name in type(self).model_fields}
        return state | {"__dict__": options}
