"""A rubric, which is text or weighted items → the schema of a judgement; and a judgement → its score."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field

from agentv_py.models.chat import Schema, reply_schema
from agentv_py.options import Options, Weight


class RubricItem(Options):
    id: str | None = Field(None, min_length=1, description="Default: item-1, item-2, ...")
    text: str = Field(min_length=1, description="What the answer must do.")
    weight: Weight = 1.0
    required: bool = Field(False, description="true: the verdict is fail where the answer does not.")


def _assign_ids(items: list[RubricItem]) -> list[RubricItem]:
    with_ids = [
        item if item.id else item.model_copy(update={"id": f"item-{number}"}) for number, item in enumerate(items, 1)
    ]
    ids = [item.id for item in with_ids]
    for item_id in ids:
        if ids.count(item_id) > 1:
            raise ValueError(f"two items have the id {item_id!r}")
    if not any(item.weight for item in with_ids):
        raise ValueError("every weight is 0, so nothing would count")
    return with_ids


Item = Annotated[
    RubricItem,
    BeforeValidator(
        lambda item: {"text": item} if isinstance(item, str) else item, json_schema_input_type=RubricItem | str
    ),
]
Items = Annotated[list[Item], Field(min_length=1), AfterValidator(_assign_ids)]

SCORE_SCHEMA = reply_schema(
    "Scored",
    "Of a rubric that is text.",
    reasoning=(str, ...),
    score=(Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)], ...),
)
_ITEM_SCHEMA = reply_schema("Judged", "Of one item.", reasoning=(str, ...), met=(bool, ...))


@lru_cache(maxsize=64)
def items_schema(ids: tuple[str, ...]) -> Schema:
    """Every item under its id, and no other key."""
    fields: dict[str, Any] = {f"item_{n}": (_ITEM_SCHEMA, Field(alias=item_id)) for n, item_id in enumerate(ids)}
    items = reply_schema("Items", **fields)
    return reply_schema("Judgement", reasoning=(str, ...), items=(items, ...))


@dataclass(slots=True)
class Tally:
    score: float
    hits: list[str] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)
    items: list[dict[str, Any]] = field(default_factory=list)
    failed: bool = False
    """Whether a required item is missed."""


def tally(items: Sequence[RubricItem], judgements: dict[str, Any]) -> Tally:
    total = sum(item.weight for item in items)
    result = Tally(sum(item.weight for item in items if judgements[item.id or ""]["met"]) / total)
    for item in items:
        judgement = judgements[item.id or ""]
        details = {"id": item.id, "met": judgement["met"], "weight": item.weight, "required": item.required}
        result.items.append(details | {"reasoning": judgement["reasoning"]})
        result.failed = result.failed or (item.required and not judgement["met"])
        if judgement["met"]:
            result.hits.append(item.id or "")
        else:
            result.misses.append(f"{item.id} (required)" if item.required else item.id or "")
    return result


def write_rubric(rubric: str | Sequence[RubricItem]) -> str:
    """The text of a rubric for a prompt."""
    if isinstance(rubric, str):
        return rubric
    return "\n".join(f"- {item.id}: {item.text}" for item in rubric)
