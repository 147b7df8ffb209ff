"""What an evaluator is: a name, a weight, and a way to turn a case into a score."""

from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict, Field

from agentv_py.case import Case
from agentv_py.match import Weight
from agentv_py.score import Score


class Evaluator(BaseModel):
    """Options and one method. Every evaluator has a `type`, which selects it."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: str | None = Field(None, min_length=1, description="Default: the type. Unique within a case.")
    weight: Weight = Field(1.0, description="Of this evaluator in the case's score.")
    required: bool = Field(False, description="true: the case fails unless this evaluator passes.")

    def evaluate(self, case: Case) -> Score:
        """Score one case. Raise freely: the runner catches, and stamps name, type, weight and duration."""
        raise TypeError(f"{type(self).__name__} scores nothing: {case.id}")

    @property
    def tag(self) -> str:
        return str(self.type)  # type: ignore[attr-defined]

    def doubts(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """Places in these options that are valid but can hardly be meant, each with what is odd there."""
        yield from ()
