"""What a user writes under `comparators:` → the tree that is walked."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, InstanceOf, Tag
from pydantic.json_schema import SkipJsonSchema
from typing_extensions import TypeAliasType

from agentv_py.comparison import tree
from agentv_py.comparison.matchers import AnyMatch, MatchName
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.pairing.columns import columns
from agentv_py.comparison.paths import parse
from agentv_py.options import Options, Share, Weight

ExtraKeys = Literal["ignore", "penalize"]
Place = tuple[str | int, ...]

_LIST_KEYS = ("unordered", "ordered")
_NOT_A_WORD: dict[str, Any] = {"propertyNames": {"not": {"enum": ["match", *_LIST_KEYS]}}}


class _Options(Options):
    weight: Weight = Field(1.0, description="How much this counts beside its siblings.")


def _as_list(key: Any) -> Any:
    return [key] if isinstance(key, str) else key


def _reachable(key: list[str] | None) -> list[str] | None:
    for path in key or ():
        if parse(path).steps is None:
            raise ValueError(f"malformed path {path!r} reaches nothing")
    return key


class Unordered(_Options):
    """A list whose rows are paired by similarity, or by a key."""

    unordered: "Comparators"
    matching: Literal["optimal", "greedy"] = "optimal"
    threshold: Share = Field(0.0, description="Only pairs at least this similar are made.")
    key: Annotated[
        list[str] | None,
        BeforeValidator(_as_list, json_schema_input_type=str | list[str] | None),
        AfterValidator(_reachable),
    ] = Field(None, min_length=1, description="Rows pair where these fields are equal.")  # fmt: skip


class Ordered(_Options):
    """A list whose rows are compared by index."""

    ordered: "Comparators"


class Fields(_Options):
    """A record, spelled so that it can have a weight, or fields named like the words of a comparator."""

    fields: "dict[str, Comparators]" = Field(min_length=1)


def _leaf_by_name(value: Any) -> Any:
    if callable(value) and not isinstance(value, Match):
        name = getattr(value, "__name__", repr(value))
        # pydantic gathers ValueErrors only.
        raise ValueError(f"{name} is no match type: call it if it makes one, else wrap it in custom(...)")  # noqa: TRY004
    return {"match": value} if isinstance(value, str) else value


def _kind(value: Any) -> str:
    """Which member of the union a value is; the names cannot be keys of anybody's data."""
    if isinstance(value, Match):
        return "<match>"
    if isinstance(value, str):
        return "<leaf>"
    if isinstance(value, _Options):
        return f"<{type(value).__name__.lower()}>"
    if not isinstance(value, dict) or "match" in value:
        return "<leaf>"
    for word in _LIST_KEYS:
        if word in value:
            return f"<{word}>"
    if isinstance(value.get("fields"), dict) and value.keys() <= Fields.model_fields.keys():
        return "<fields>"
    return "<record>"


LeafByName = Annotated[AnyMatch, BeforeValidator(_leaf_by_name, json_schema_input_type=AnyMatch | MatchName)]
"""A match type, or its name alone."""

if TYPE_CHECKING:
    Comparators = Any  # mypy does not follow an alias that holds itself through pydantic's annotations
else:
    Comparators = TypeAliasType(
        "Comparators",
        Annotated[
            Annotated[LeafByName, Tag("<leaf>")]
            | Annotated[SkipJsonSchema[InstanceOf[Match]], Tag("<match>")]
            | Annotated[Unordered, Tag("<unordered>")]
            | Annotated[Ordered, Tag("<ordered>")]
            | Annotated[Fields, Tag("<fields>")]
            | Annotated[dict[str, "Comparators"], Field(min_length=1, json_schema_extra=_NOT_A_WORD), Tag("<record>")],
            Discriminator(_kind),
        ],
    )  # fmt: skip


def compiled(comparators: Any, default: Match | None, extra_keys: ExtraKeys) -> tree.Field | None:
    """The tree to walk; None where everything is ignored."""
    if isinstance(comparators, Match):
        return tree.leaf(comparators, whole=False) if comparators.counts else None
    if isinstance(comparators, Unordered | Ordered):
        return _list(comparators, default, extra_keys)
    below = comparators.fields if isinstance(comparators, Fields) else comparators
    found = [(key, one, compiled(one, default, extra_keys)) for key, one in below.items()]
    entries = [tree.key_entry(key, field, weight_of(one)) for key, one, field in found if field is not None]
    penalize = extra_keys == "penalize"
    counts = default is not None and default.counts
    other = (
        tree.Anything(tree.leaf(default, whole=False), penalize=penalize) if default is not None and counts else None
    )
    if other is None and not any(entry.weight for entry in entries):
        return None
    return tree.record(entries, mirrors=True, keys=frozenset(below), default=other, penalize=penalize)


def weight_of(comparators: Any) -> float:
    return 1.0 if isinstance(comparators, dict) else float(comparators.weight)


def leaves(comparators: Any, place: Place = ()) -> Iterator[tuple[Place, Match]]:
    """Every match type in what the user wrote, with its place there."""
    if isinstance(comparators, Match):
        yield place, comparators
    elif isinstance(comparators, dict):
        for key, one in comparators.items():
            yield from leaves(one, (*place, key))
    else:
        for word in (*_LIST_KEYS, "fields"):
            if hasattr(comparators, word):
                yield from leaves(getattr(comparators, word), (*place, word))


def _list(comparators: Unordered | Ordered, default: Match | None, extra_keys: ExtraKeys) -> tree.Field | None:
    rows = comparators.ordered if isinstance(comparators, Ordered) else comparators.unordered
    item = compiled(rows, default, extra_keys)
    if item is None:
        return None
    if isinstance(comparators, Ordered):
        return tree.List(item, required=tree.is_required(item))
    key = tuple(parse(path).getter() for path in comparators.key or ())
    how = (comparators.matching, comparators.threshold, key)
    pairing = tree.Pairing(*how, columns(item), tree.always_counts(item), tree.list_depth(item))
    return tree.List(item, pairing, required=tree.is_required(item))
