"""What a user can name in YAML: options that are checked once and never change, and unions of them."""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import core_schema

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema

Weight = Annotated[float, Field(ge=0, le=1e100, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


def _make_list(files: Any) -> Any:
    if not isinstance(files, str | list):
        raise ValueError(f"must be a path, a glob or a list of them, not {files!r}")  # noqa: TRY004  pydantic shows only this one
    return [files] if isinstance(files, str) else files


Files = Annotated[
    list[Annotated[str, Field(min_length=1)]],
    Field(min_length=1),
    BeforeValidator(_make_list, json_schema_input_type=str | list[str]),
]


class Options(BaseModel):
    # Built where a suite needs it, and not when the program starts.
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, defer_build=True)

    def __getstate__(self) -> dict[Any, Any]:
        """Return only the options: the other process compiles everything else from them again."""
        state = super().__getstate__()
        options = {name: value for name, value in state["__dict__"].items() if name in type(self).model_fields}
        return state | {"__dict__": options}


class Member:
    """One model of a family: `one_of` is the class `OneOf` in the family's file `one_of.py`."""

    def __init__(self, package: str, tag: str) -> None:
        self.module = f"{package}.{tag}"
        self.name = "".join(word.capitalize() for word in tag.split("_"))

    def load(self) -> type[Options]:
        found: type[Options] = getattr(import_module(self.module), self.name)
        return found

    def __get_pydantic_core_schema__(self, source: Any, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        return core_schema.no_info_plain_validator_function(lambda value: self.load().model_validate(value))

    def __get_pydantic_json_schema__(self, _: "CoreSchema", handler: "GetJsonSchemaHandler") -> "JsonSchemaValue":
        self.load().model_rebuild()
        # Inside another schema the model becomes a reference; otherwise the schema would repeat it at every place.
        return handler(core_schema.definitions_schema(self.load().__pydantic_core_schema__, []))


class LazyUnion:
    """A tagged union for pydantic, which lists the valid tags for a wrong one, without loading any member."""

    def __init__(self, package: str, tags: Sequence[str], discriminator: "str | Callable[[Any], str]") -> None:
        self.members = {tag: Member(package, tag) for tag in tags}
        self.discriminator = discriminator

    def models(self) -> list[type[Options]]:
        return [member.load() for member in self.members.values()]

    def __get_pydantic_core_schema__(self, source: Any, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        choices: dict[Any, CoreSchema] = {
            tag: handler.generate_schema(Annotated[Any, member]) for tag, member in self.members.items()
        }
        return core_schema.tagged_union_schema(choices, self.discriminator)
