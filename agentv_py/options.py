"""What a user can name in YAML: options that are checked once and never change, and unions of them."""

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails, InitErrorDetails, core_schema

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema

Weight = Annotated[float, Field(ge=0, le=1e100, allow_inf_nan=False)]
OptionPath = tuple[str | int, ...]
"""Where an option is among the options of a user: keys and indexes."""
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


def build_list() -> list[Any]:
    """Build the default of an option. Pydantic reads the signature of `list` itself by a large regular expression."""
    return []


def build_dict() -> dict[str, Any]:
    """Build the default of an option, as `build_list` does."""
    return {}


class Options(BaseModel):
    # Built where a suite needs it, and not when the program starts.
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, defer_build=True)

    def __getstate__(self) -> dict[Any, Any]:
        """Return only the options: the other process compiles everything else from them again."""
        state = super().__getstate__()
        options = {name: value for name, value in state["__dict__"].items() if name in type(self).model_fields}
        return state | {"__dict__": options}


_UNFINISHED: set[str] = set()
"""The members whose JSON Schema is being written."""


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
        model = self.load()
        model.model_rebuild()
        schema: Any = model.__pydantic_core_schema__
        if self.module in _UNFINISHED:  # a member that may hold itself
            return handler(core_schema.definition_reference_schema(_find_reference(schema)))
        _UNFINISHED.add(self.module)
        try:
            # Inside another schema the model becomes a reference; otherwise the schema would repeat it at every place.
            return handler(core_schema.definitions_schema(schema, []))
        finally:
            _UNFINISHED.remove(self.module)


def _find_reference(schema: Any) -> str:
    """Return the name under which pydantic keeps the schema of a model; validators and definitions may wrap it."""
    while "ref" not in schema:
        schema = schema["schema"]
    reference: str = schema["ref"]
    return reference


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


def check_names(given: Any, validate: Callable[[Any], list[Any]], members: str, rule: str) -> list[Any]:
    """Validate a list of members. Raise one error with the repeated names and the problems of each member."""
    errors = list(_find_repeated_names(given, members, rule))
    try:
        valid = validate(given)
    except ValidationError as error:
        errors += [_copy_error(details) for details in error.errors(include_url=False)]
        raise ValidationError.from_exception_data(members, errors) from None
    if errors:
        raise ValidationError.from_exception_data(members, errors)
    return valid


def _find_repeated_names(given: Any, members: str, rule: str) -> Iterator[InitErrorDetails]:
    names: list[str] = []
    for index, member in enumerate(given if isinstance(given, list) else ()):
        name = member.get("name") if isinstance(member, dict) else getattr(member, "name", None)
        if isinstance(name, str) and name in names:
            what = ValueError(f"two {members} are named {name!r}; {rule}")
            yield InitErrorDetails(type="value_error", loc=(index, "name"), input=name, ctx={"error": what})
        elif isinstance(name, str):
            names.append(name)


def _copy_error(details: ErrorDetails) -> InitErrorDetails:
    copy = InitErrorDetails(type=details["type"], loc=details["loc"], input=details["input"])
    return copy | {"ctx": details["ctx"]} if "ctx" in details else copy
