"""What an answer is judged by, as text or as weighted items → the schema of the judgement, and its score."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, create_model

from agentv_py.options import Options, Weight

_STRICT = ConfigDict(extra="forbid", strict=True, defer_build=True)


class RubricItem(Options):
    id: str | None = Field(None, min_length=1, description="Default: item-1, item-2, ...")
    text: str = Field(min_length=1, description="What the answer must do.")
    weight: Weight = 1.0
    required: bool = Field(False, description="true: the verdict is fail where the answer does not.")


def _with_ids(items: list[RubricItem]) -> list[RubricItem]:
    named = [one if one.id else one.model_copy(update={"id": f"item-{number}"}) for number, one in enumerate(items, 1)]
    ids = [one.id for one in named]
    for one in ids:
        if ids.count(one) > 1:
            raise ValueError(f"two items have the id {one!r}")
    if not any(one.weight for one in named):
        raise ValueError("every weight is 0, so nothing would count")
    return named


Item = Annotated[
    RubricItem,
    BeforeValidator(
        lambda item: {"text": item} if isinstance(item, str) else item, json_schema_input_type=RubricItem | str
    ),
]
Items = Annotated[list[Item], Field(min_length=1), AfterValidator(_with_ids)]


class Scored(BaseModel):
    """Of a rubric that is text."""

    model_config = _STRICT

    reasoning: str
    score: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class Judged(BaseModel):
    """Of one item."""

    model_config = _STRICT

    reasoning: str
    met: bool


@dataclass(slots=True)
class Tally:
    score: float
    hits: list[str] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)
    items: list[dict[str, Any]] = field(default_factory=list)
    failed: bool = False
    """Whether a required item is missed."""


@lru_cache(maxsize=64)
def schema_of(ids: tuple[str, ...]) -> type[BaseModel]:
    """Every item under its id, and none but these."""
    fields: dict[str, Any] = {f"item_{n}": (Judged, Field(alias=one)) for n, one in enumerate(ids)}
    items = create_model("Items", __config__=_STRICT, **fields)
    return create_model("Judgement", __config__=_STRICT, reasoning=(str, ...), items=(items, ...))


def tally(items: Sequence[RubricItem], judged: dict[str, Any]) -> Tally:
    whole = sum(item.weight for item in items)
    found = Tally(sum(item.weight for item in items if judged[item.id or ""]["met"]) / whole)
    for item in items:
        said = judged[item.id or ""]
        shown = {"id": item.id, "met": said["met"], "weight": item.weight, "required": item.required}
        found.items.append(shown | {"reasoning": said["reasoning"]})
        found.failed = found.failed or (item.required and not said["met"])
        if said["met"]:
            found.hits.append(item.id or "")
        else:
            found.misses.append(f"{item.id} (required)" if item.required else item.id or "")
    return found


def shown(rubric: str | Sequence[RubricItem]) -> str:
    """As a prompt shows it."""
    if isinstance(rubric, str):
        return rubric
    return "\n".join(f"- {item.id}: {item.text}" for item in rubric)
