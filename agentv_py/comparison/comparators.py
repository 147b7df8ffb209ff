"""What a user writes under `comparators:` → models that are known to be valid."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, InstanceOf, Tag, model_validator
from pydantic.json_schema import SkipJsonSchema
from typing_extensions import TypeAliasType

from agentv_py.comparison.matchers import AnyMatch, MatchName
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.matchers.exact import Exact
from agentv_py.comparison.paths import parse_path
from agentv_py.options import OptionPath, Options, Share, Weight

ExtraKeys = Literal["ignore", "penalize"]
Aggregate = Literal["tree", "leaves"]

_LIST_KEYS = ("unordered", "ordered")
_TYPES = ("text", "number", "boolean")
STRUCTURAL_WORDS = (*_LIST_KEYS, "fields", "match")
"""Keys that say what a mapping of comparators is; any other key is one of the data."""

_NO_WORD: dict[str, Any] = {"propertyNames": {"not": {"enum": ["match", *_LIST_KEYS]}}}


class _Options(Options):
    weight: Weight = Field(1.0, description="How much this counts beside its siblings.")


def _wrap_in_list(key: Any) -> Any:
    return [key] if isinstance(key, str) else key


def _check_paths(key: list[str] | None) -> list[str] | None:
    for path in key or ():
        if parse_path(path).steps is None:
            raise ValueError(f"malformed path {path!r} reaches nothing")
    return key


class Unordered(_Options):
    """A list whose rows are paired by similarity, or by a key."""

    unordered: "Comparators"
    matching: Literal["optimal", "greedy"] = "optimal"
    threshold: Share = Field(0.0, description="Only pairs at least this similar are made.")
    key: Annotated[
        list[str] | None,
        BeforeValidator(_wrap_in_list, json_schema_input_type=str | list[str] | None),
        AfterValidator(_check_paths),
    ] = Field(None, min_length=1, description="Rows pair where these fields match.")  # fmt: skip


class Ordered(_Options):
    """A list whose rows are compared by index."""

    ordered: "Comparators"


def _expand_name(value: Any) -> Any:
    if callable(value) and not isinstance(value, Match):
        name = getattr(value, "__name__", repr(value))
        # pydantic gathers ValueErrors only.
        raise ValueError(f"{name} is not a match type: call it if it returns one, else wrap it in custom(...)")  # noqa: TRY004
    return {"match": value} if isinstance(value, str) else value


def _tag(value: Any) -> str:
    """Return the tag of the union member that a value belongs to. No key of a user's data looks like a tag."""
    if isinstance(value, Match):
        return "<match>"
    if isinstance(value, str):
        return "<leaf>"
    if isinstance(value, _Options):
        return f"<{type(value).__name__.lower()}>"
    if not isinstance(value, dict) or "match" in value:
        return "<leaf>"
    for key in _LIST_KEYS:
        if key in value:
            return f"<{key}>"
    if isinstance(value.get("fields"), dict) and value.keys() <= Fields.model_fields.keys():
        return "<fields>"
    return "<record>"


LeafByName = Annotated[AnyMatch, BeforeValidator(_expand_name, json_schema_input_type=AnyMatch | MatchName)]
"""A match type, or its name alone."""


class Fields(_Options):
    """An object that has a weight, or keys that are words of a comparator, or keys that are data."""

    fields: "dict[str, Comparators]" = Field(description="The keys that are listed; {} if all keys are data.")
    default: LeafByName | None = Field(None, description="Compares the keys of this object that are not listed.")
    extra_keys: ExtraKeys | None = Field(None, description="The same as of the evaluator, for this object alone.")

    @model_validator(mode="after")
    def _check_fields(self) -> "Fields":
        if not self.fields and self.default is None:
            raise ValueError("fields must list a key, or default must say how keys are compared")
        return self


class DefaultByType(Options):
    """What compares the fields that are not listed, by the JSON type of the expected value."""

    text: LeafByName | None = Field(None, description="Compares texts; without it they are compared exactly.")
    number: LeafByName | None = Field(None, description="Compares numbers; without it they are compared exactly.")
    boolean: LeafByName | None = Field(None, description="Compares booleans; without it they are compared exactly.")

    @model_validator(mode="after")
    def _check_weights(self) -> "DefaultByType":
        if len({match.weight for match in list_by_type(self).values() if not match.is_ignored}) > 1:
            raise ValueError("the types of a default have one weight; give each of them the same")
        return self


def list_by_type(default: Match | DefaultByType) -> dict[str, Match]:
    """Return the match type of each JSON type: what the default does not give or does not read is compared exactly."""
    if isinstance(default, Match):
        rest = Exact(weight=default.weight, required=default.required, any_of=default.any_of)
        return {kind: default if kind in default.scalars else rest for kind in _TYPES}
    given = {kind: match for kind in _TYPES if (match := getattr(default, kind)) is not None}
    rest = Exact(weight=next((match.weight for match in given.values() if not match.is_ignored), 1.0))
    return {kind: given.get(kind, rest) for kind in _TYPES}


AUTO = "auto"
"""The default whose comparators follow from the expected values of all cases."""


def _tag_default(value: Any) -> str:
    if value == AUTO:
        return "<auto>"
    plain = (
        isinstance(value, dict) and "match" not in value and not (value and value.keys() <= Match.model_fields.keys())
    )
    return "<types>" if plain or isinstance(value, DefaultByType) else "<leaf>"


Default = Annotated[
    Annotated[LeafByName, Tag("<leaf>")]
    | Annotated[DefaultByType, Tag("<types>")]
    | Annotated[Literal["auto"], Tag("<auto>")],
    Discriminator(_tag_default),
]

if TYPE_CHECKING:
    Comparators = Any  # mypy cannot follow an alias that contains itself through pydantic's annotations
else:
    Comparators = TypeAliasType(
        "Comparators",
        Annotated[
            Annotated[LeafByName, Tag("<leaf>")]
            | Annotated[SkipJsonSchema[InstanceOf[Match]], Tag("<match>")]
            | Annotated[Unordered, Tag("<unordered>")]
            | Annotated[Ordered, Tag("<ordered>")]
            | Annotated[Fields, Tag("<fields>")]
            | Annotated[dict[str, "Comparators"], Field(min_length=1, json_schema_extra=_NO_WORD), Tag("<record>")],
            Discriminator(_tag),
        ],
    )  # fmt: skip


def list_match_types(comparators: Any, place: OptionPath = ()) -> Iterator[tuple[OptionPath, Match]]:
    """Yield every match type that the user wrote, with its place in the comparators."""
    if isinstance(comparators, Match):
        yield place, comparators
    elif isinstance(comparators, dict):
        for key, child in comparators.items():
            yield from list_match_types(child, (*place, key))
    else:
        for key in (*_LIST_KEYS, "fields", "default"):
            if getattr(comparators, key, None) is not None:
                yield from list_match_types(getattr(comparators, key), (*place, key))


def list_default_types(default: Any, place: OptionPath) -> Iterator[tuple[OptionPath, Match]]:
    """Yield every match type of a default, with its place: one for all fields, or one for each JSON type."""
    if isinstance(default, DefaultByType):
        for kind in default.model_fields_set:
            yield from list_match_types(getattr(default, kind), (*place, kind))
    elif isinstance(default, Match):
        yield place, default
