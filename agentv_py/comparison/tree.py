"""The tree that the walk follows: leaf, list, record, anything. It is compiled, so that the walk needs no lookups."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from agentv_py.comparison.comparison import Comparison
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.paths import Get, Path, Read

if TYPE_CHECKING:
    from agentv_py.comparison.pairing.columns import LeafColumn

Absent = Literal["unlabelled", "empty"]
"""What it means that expected does not have a listed key: it does not count, or it is empty."""
FullMatches = Callable[[str], tuple[Comparison, ...]]


class Leaf(NamedTuple):
    """One value, and the match type that compares it."""

    match: Match
    similarity: Callable[[Any, Any], float]
    passes_at: float
    graded: bool
    equal_values_match: bool
    required: bool
    any_of: bool
    empty_as: Any
    compare_list_as_value: bool
    """Whether a list is compared as one value, and not element by element."""
    never_counts: bool = False

    @property
    def always_counts(self) -> bool:
        """Whether the leaf counts wherever expected has a value, whatever the candidate has there."""
        return self.required and not self.any_of and self.empty_as is None and not self.never_counts


class KeyField(NamedTuple):
    """A field that says which rows of two lists belong together, and the leaf that compares it."""

    read: Get
    leaf: Leaf


class Pairing(NamedTuple):
    """How the rows of two lists are paired."""

    matching: Literal["optimal", "greedy"] = "optimal"
    threshold: float = 0.0
    key: "tuple[KeyField, ...]" = ()
    columns: "tuple[LeafColumn, ...]" = ()
    """The leaves of a row, those that equality decides first; empty if a row holds anything but plain leaves."""
    every_leaf_counts: bool = False
    """Whether every leaf that expected has counts, whichever row is the partner."""
    depth: int = 0
    """How many levels of lists a row contains."""
    by_leaves: bool = False
    """Whether the score of a row is the sum of its leaves' scores. Otherwise it is their mean."""

    @property
    def is_order_free(self) -> bool:
        """Whether the order of the rows does not matter. It matters for greedy ties and for equal keys."""
        return self.matching == "optimal" and not self.key


class List(NamedTuple):
    """A list. Its elements are compared by index, or paired first."""

    item: "Field"
    pairing: Pairing | None = None


class RecordEntry(NamedTuple):
    """A field of a record: its path, its shape, its weight."""

    path: Path
    field: "Field"
    weight: float
    leaf: Leaf | None
    """The field, if it is a leaf that always counts."""
    equal_values_match: bool
    suffix: str
    """The path as it is written behind the record's path."""


class Record(NamedTuple):
    """An object with its keys, or a set of configured paths into one value."""

    entries: tuple[RecordEntry, ...]
    read: Read
    """An object → the values of its entries."""
    full_matches: FullMatches
    """The record's path → the full match of each entry; an entry that is no leaf uses only its path."""
    leaves: tuple[str, ...]
    """The path of every leaf, as it is written behind the record's path."""
    leaf_full_matches: FullMatches
    """The record's path → the full match of each leaf at any depth, for a record that matches as a whole."""
    from_object: bool = False
    """Whether the record describes an object key by key. Otherwise its entries are configured paths."""
    keys: frozenset[str] = frozenset()
    default: "Anything | None" = None
    """The shape of keys that are not listed."""
    penalize: bool = False
    """Whether a key that expected does not have counts as wrong."""
    absent_is_empty: bool = False
    """Whether an answer at a listed key that expected does not have is invented. Otherwise it does not count."""
    leaf_weight: float = 0.0
    """The sum of the weights of all leaves at any depth, for a record that matches as a whole."""
    equal_values_match: bool = False
    """Whether equal texts and numbers at all entries are a full match of the record."""

    def list_other_keys(self, value: Any) -> tuple[str, ...]:
        """Return the keys of an object that the record does not list."""
        return tuple([key for key in value if key not in self.keys]) if isinstance(value, dict) else ()

    def zip_values(self, expected: Any, actual: Any, path: str) -> Iterator[tuple[RecordEntry, Comparison, Any, Any]]:
        """Return each entry with its full match, its expected and its actual value; unlisted keys come last."""
        read = self.read
        if self.default is None:
            return zip(self.entries, self.full_matches(path), read(expected), read(actual), strict=True)
        others = self.default.compile_keys(self.list_other_keys(expected))
        return zip(
            self.entries + others.entries,
            self.full_matches(path) + others.full_matches(path),
            read(expected) + others.read(expected),
            read(actual) + others.read(actual),
            strict=True,
        )


class Anything:
    """Fallback for unlisted keys: recurse into objects and lists and compare every leaf by its JSON type.

    A shape depends on the value, so records of keys are compiled during the walk; `compile` provides the function.
    """

    __slots__ = ("boolean", "compile_keys", "list_shape", "number", "object_shape", "text")

    text: Leaf
    number: Leaf
    boolean: Leaf
    list_shape: List
    object_shape: Record
    compile_keys: Callable[[tuple[str, ...]], Record]
    """The keys of an object → its record."""

    @property
    def leaves(self) -> tuple[Leaf, Leaf, Leaf]:
        return self.text, self.number, self.boolean

    def shape_of(self, value: Any) -> "Field":
        if isinstance(value, dict):
            return self.object_shape
        if isinstance(value, list):
            readings = self.leaf_of(value[0] if value else None)
            return readings if readings.any_of else self.list_shape
        return self.leaf_of(value)

    def leaf_of(self, value: Any) -> Leaf:
        """Return the leaf of a single value. An empty value is compared as text."""
        if isinstance(value, bool):
            return self.boolean
        return self.number if isinstance(value, int | float) else self.text


Field = Leaf | List | Record | Anything


def is_required(field: Field) -> bool:
    """Whether any leaf of the field counts when the candidate leaves it empty."""
    if isinstance(field, Record):
        return field.default is not None or any(is_required(entry.field) for entry in field.entries)
    if isinstance(field, Anything):
        return any(leaf.required for leaf in field.leaves)
    return is_required(field.item) if isinstance(field, List) else field.required


def always_counts(field: Field) -> bool:
    """Whether every leaf that expected has counts, whatever the candidate has there."""
    if isinstance(field, Record):
        rest = field.default is None or always_counts(field.default)
        return rest and all(always_counts(entry.field) for entry in field.entries)
    if isinstance(field, List):
        return always_counts(field.item)
    return all(leaf.always_counts for leaf in (field.leaves if isinstance(field, Anything) else (field,)))


def list_depth(field: Field) -> int:
    """Return how many levels of lists a field contains."""
    if isinstance(field, Record):
        return max((list_depth(entry.field) for entry in field.entries), default=0)
    return 1 + list_depth(field.item) if isinstance(field, List) else 0


def has_even_weights(field: Field) -> bool:
    """Whether every weight is between 1e-6 and 1e6: the failure of a lighter leaf could be lost in a sum."""
    if not isinstance(field, Record):
        return True
    return all(1e-6 <= entry.weight <= 1e6 and has_even_weights(entry.field) for entry in field.entries)
