"""What a match type is: options, and how near two values are."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pydantic import ConfigDict, Field

from agentv_py.options import Options, Weight

if TYPE_CHECKING:
    import numpy as np

    Matrix = np.ndarray[tuple[int, int], np.dtype[np.float64]]


class Incomparable(Exception):  # noqa: N818  a finding about two values, not a fault of the program
    """The two values cannot be compared as they should be; `note` says why, in a miss's words."""

    def __init__(self, note: str) -> None:
        super().__init__(note)
        self.note = note


def _name_the_type(schema: dict[str, Any]) -> None:
    """In the JSON Schema `match` is required of every type but exact, which it defaults to."""
    if schema["properties"].get("match", {}).get("const") not in (None, "exact"):
        schema["required"] = ["match", *schema.get("required", [])]


class Match(Options):
    """A field: how to compare the values there, and how much they count."""

    model_config = ConfigDict(json_schema_extra=_name_the_type)

    path: str | None = Field(None, min_length=1, description='Where the value is: `a.b[0].c`, `a[*].b`, `a["x.y"]`.')
    weight: Weight = Field(1.0, description="How much this field counts beside its siblings.")
    required: bool = Field(True, description="false: an empty candidate value does not count.")
    any_of: bool = Field(False, description="true: expected holds a list of accepted readings; the best one counts.")

    graded: ClassVar[bool] = False
    """A graded type that passes scores its similarity, any other 1.0."""
    is_ignored: ClassVar[bool] = False
    """Whether the field never counts."""
    unequal_is_zero: ClassVar[bool] = False
    """Whether two unequal plain values always have the similarity 0. `similarity` is then not called for them."""
    equal_text_matches: ClassVar[bool] = False
    """Whether two equal texts that are not blank always have the similarity 1. `similarity` is then not called."""
    equal_numbers_match: ClassVar[bool] = False
    """Whether two equal finite numbers always have the similarity 1. `similarity` is then not called."""

    @property
    def passes_at(self) -> float:
        """The least similarity that passes."""
        return 1.0

    @property
    def reads_lists(self) -> bool:
        """Whether a list is what this type compares; else a list is compared element by element."""
        return False

    @property
    def box_format(self) -> str | None:
        """What the numbers of a box are, where this type compares boxes."""
        return None

    @property
    def empty_as(self) -> Any:
        """The value that an empty one is read as, or None where empty is empty."""
        return None

    def __call__(self, **options: Any) -> Self:
        """The same match type with other options; this one stays as it is."""
        return type(self)(**{name: getattr(self, name) for name in self.model_fields_set} | options)

    def similarity(self, expected: Any, actual: Any) -> float:
        """How near two non-empty values are, 0..1. Raises Incomparable, and nothing else."""
        raise Incomparable(f"{type(self).__name__} compares nothing: {expected!r}, {actual!r}")

    def matrix(self, expecteds: Sequence[Any], actuals: Sequence[Any]) -> "Matrix":
        """The similarities of all pairs of non-empty values, NaN where they are incomparable."""
        import numpy as np

        found = np.full((len(expecteds), len(actuals)), np.nan)
        for row, expected in enumerate(expecteds):
            for column, actual in enumerate(actuals):
                try:
                    found[row, column] = self.similarity(expected, actual)
                except Incomparable:
                    continue
        return found

    def problems(self) -> Iterator[tuple[str, str]]:
        """Options that are well-formed but cannot work here, each with what is wrong."""
        yield from ()

    def models(self) -> Iterator[Any]:
        """The models that are asked, if any: then it pays to know the questions of many cases beforehand."""
        yield from ()

    def doubts(self) -> Iterator[tuple[str, str]]:
        """Options that are valid but can hardly be meant, each with what is odd about it."""
        yield from ()
