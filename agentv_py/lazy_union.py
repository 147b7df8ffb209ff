"""A tag → the model of that name, loaded when it is first named: most suites name few of them."""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

from pydantic_core import core_schema

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema

    from agentv_py.options import Frozen


class Member:
    """One model of a family: `one_of` is the class `OneOf` in the family's file `one_of.py`."""

    def __init__(self, package: str, tag: str) -> None:
        self.module = f"{package}.{tag}"
        self.name = "".join(word.capitalize() for word in tag.split("_"))

    def load(self) -> "type[Frozen]":
        found: type[Frozen] = getattr(import_module(self.module), self.name)
        return found

    def __get_pydantic_core_schema__(self, source: Any, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        return core_schema.no_info_plain_validator_function(lambda value: self.load().model_validate(value))

    def __get_pydantic_json_schema__(self, _: "CoreSchema", handler: "GetJsonSchemaHandler") -> "JsonSchemaValue":
        self.load().model_rebuild()
        # As a part of another schema the model becomes a reference; by itself it would be written out at every place.
        return handler(core_schema.definitions_schema(self.load().__pydantic_core_schema__, []))


class Family:
    """A tagged union for pydantic, which says of a wrong tag what the right ones are without loading any member."""

    def __init__(self, package: str, tags: Sequence[str], discriminator: "str | Callable[[Any], str]") -> None:
        self.members = {tag: Member(package, tag) for tag in tags}
        self.discriminator = discriminator

    def models(self) -> "list[type[Frozen]]":
        return [member.load() for member in self.members.values()]

    def __get_pydantic_core_schema__(self, source: Any, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        choices: dict[Any, CoreSchema] = {
            tag: handler.generate_schema(Annotated[Any, member]) for tag, member in self.members.items()
        }
        return core_schema.tagged_union_schema(choices, self.discriminator)
