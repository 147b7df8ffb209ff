"""The base class of match types: options, and the similarity of two values."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pydantic import ConfigDict, Field

from agentv_py.comparison.comparison import Incomparable
from agentv_py.errors import did_you_mean
from agentv_py.options import Options, Weight

if TYPE_CHECKING:
    import numpy as np

    from agentv_py.comparison.gap import Gap

    Matrix = np.ndarray[tuple[int, int], np.dtype[np.float64]]


def _require_match(schema: dict[str, Any]) -> None:
    """Make `match` required in the JSON Schema of every type except exact, which is the default."""
    if schema["properties"].get("match", {}).get("const") not in (None, "exact"):
        schema["required"] = ["match", *schema.get("required", [])]


NOT_TEXT = "not text"


def explain_other_than_text(value: Any) -> str:
    """Return why a type that compares texts cannot read a value; "" if it can."""
    return "" if type(value) is str else NOT_TEXT


def explain_failure(read: Callable[[Any], object], value: Any) -> str:
    """Return why a reader refuses a value; "" if it reads the value."""
    try:
        read(value)
    except Incomparable as why:
        return why.note
    return ""


class Match(Options):
    """A field: how to compare the values there, and how much they count."""

    model_config = ConfigDict(json_schema_extra=_require_match)

    path: str | None = Field(None, min_length=1, description='Where the value is: `a.b[0].c`, `a[*].b`, `a["x.y"]`.')
    weight: Weight = Field(1.0, description="How much this field counts beside its siblings.")
    required: bool = Field(True, description="false: an empty candidate value does not count.")
    any_of: bool = Field(False, description="true: expected holds a list of accepted readings; the best one counts.")

    graded: ClassVar[bool] = False
    """Whether a match scores its similarity. Otherwise it scores 1.0."""
    is_ignored: ClassVar[bool] = False
    """Whether the field never counts."""
    unequal_is_zero: ClassVar[bool] = False
    """Whether two unequal plain values always have the similarity 0. `similarity` is then not called for them."""
    scalars: ClassVar[frozenset[str]] = frozenset({"text", "number", "boolean"})
    """The JSON types of single values that this type reads. As a default it leaves the others to `exact`."""

    always_read: ClassVar[frozenset[type]] = frozenset()
    """Types whose values, except NaN and infinities, can always be read. `explain_unreadable` is then not called."""

    @property
    def tag(self) -> str:
        return str(self.match)  # type: ignore[attr-defined]

    @property
    def passes_at(self) -> float:
        """The least similarity that passes."""
        return 1.0

    @property
    def equal_values_match(self) -> bool:
        """Whether a value matches itself even where this type cannot read it.

        `similarity` is then not called for equal texts and equal finite numbers. It is False where the user gives a
        rule that the answer must meet, whatever the expected value is.
        """
        return True

    @property
    def reads_lists(self) -> bool:
        """Whether this type compares lists. Otherwise a list is compared element by element."""
        return False

    @property
    def box_format(self) -> str | None:
        """The format of a box's numbers, if this type compares boxes."""
        return None

    @property
    def empty_as(self) -> Any:
        """The value that replaces an empty one; None if an empty value stays empty."""
        return None

    def __call__(self, **options: Any) -> Self:
        """Return the same match type with other options: `money(weight=2)`."""
        known = type(self).model_fields
        for name in options.keys() - known:
            raise TypeError(f"{type(self).__name__} has no option {name!r}{did_you_mean(name, list(known))}")
        return type(self)(**{name: getattr(self, name) for name in self.model_fields_set} | options)

    def similarity(self, expected: Any, actual: Any) -> float:
        """Return the similarity of two values that are not empty, 0..1. Raises Incomparable, and nothing else."""
        raise Incomparable(f"{type(self).__name__} compares nothing: {expected!r}, {actual!r}")

    def matrix(self, expecteds: Sequence[Any], actuals: Sequence[Any]) -> "Matrix":
        """Return the similarities of all pairs of values that are not empty; NaN for an incomparable pair."""
        import numpy as np

        similarities = np.full((len(expecteds), len(actuals)), np.nan)
        for row, expected in enumerate(expecteds):
            for column, actual in enumerate(actuals):
                try:
                    similarities[row, column] = self.similarity(expected, actual)
                except Incomparable:
                    continue
        return similarities

    def describe_rule(self) -> str:
        """Return what passes under these options, as a phrase: "difference ≤ 0.01"."""
        return (type(self).__doc__ or "").partition(".")[0].lower()

    def explain_gap(self, expected: Any, actual: Any, similarity: float) -> "Gap | None":  # noqa: ARG002  most types have none
        """Return how far two readable values are from a match; None if this type only tells equal from different.

        It asks no model: the similarity is known. Raises Incomparable.
        """
        return None

    def explain_unreadable(self, value: Any) -> str:  # noqa: ARG002  most types read any value
        """Return why this type cannot read an expected value that is not empty, such as "not a date"; "" if it can.

        An unreadable value matches at most an equal one. Where the user gives a rule that the answer must meet, it is
        the rule that the expected value itself breaks. A type that overrides this method is asked about every expected
        value before a run.
        """
        return ""

    def suggest_reading(self, value: Any) -> str:  # noqa: ARG002  most types have no such option
        """Return the option that would let this type read an unreadable value, such as "decimal: auto"; "" if none."""
        return ""

    @property
    def reads_any_value(self) -> bool:
        """Whether there is no value that this type cannot read."""
        return type(self).explain_unreadable is Match.explain_unreadable

    def problems(self) -> Iterator[tuple[str, str]]:
        """Yield each option that is valid but cannot work here, with the problem."""
        yield from ()

    def models(self) -> Iterator[Any]:
        """Yield the models that this type asks. Their questions are collected over many cases and sent together."""
        yield from ()

    def warnings(self) -> Iterator[tuple[str, str]]:
        """Yield each option that works but is probably a mistake, with the reason."""
        yield from ()
