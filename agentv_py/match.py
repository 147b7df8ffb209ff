"""What a match type is: options, and how near two values are."""

from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

Weight = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class Incomparable(Exception):  # noqa: N818  a finding about two values, not a fault of the program
    """The two values cannot be compared as they should be; `note` says why, in a miss's words."""

    def __init__(self, note: str) -> None:
        super().__init__(note)
        self.note = note


def _name_the_type(schema: dict[str, Any]) -> None:
    """In the JSON Schema `match` is required of every type but exact, which it defaults to."""
    if schema["properties"].get("match", {}).get("const") not in (None, "exact"):
        schema["required"] = ["match", *schema.get("required", [])]


class Match(BaseModel):
    """A field: how to compare the values there, and how much they count."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, json_schema_extra=_name_the_type)

    path: str | None = Field(None, description='Where the value is: `a.b[0].c`, `a[*].b`, `a["x.y"]`.')
    weight: Weight = Field(1.0, description="How much this field counts beside its siblings.")
    required: bool = Field(True, description="false: an empty candidate value does not count.")
    any_of: bool = Field(False, description="true: expected holds a list of accepted readings; the best one counts.")

    graded: ClassVar[bool] = False
    """A graded type that passes scores its similarity, any other 1.0."""
    counts: ClassVar[bool] = True
    equal_text_matches: ClassVar[bool] = False
    """Whether any text that is not blank is wholly similar to itself, so that nobody need ask."""

    @property
    def passes_at(self) -> float:
        """The least similarity that passes."""
        return 1.0

    def similarity(self, expected: Any, actual: Any) -> float:
        """How near two non-empty values are, 0..1. Raises Incomparable, and nothing else."""
        raise Incomparable(f"{type(self).__name__} compares nothing: {expected!r}, {actual!r}")
