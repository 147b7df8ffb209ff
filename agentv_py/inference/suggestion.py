"""What the rules suggest for a place → comparators as a user writes them, and a line for each of them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agentv_py.comparison.comparators import STRUCTURAL_WORDS
from agentv_py.comparison.paths import ROOT, join_path

if TYPE_CHECKING:
    from agentv_py.comparison.matchers.base import Match
    from agentv_py.inference.profile import Profile


@dataclass(slots=True, eq=False)
class Suggestion:
    """The comparator of one place, with the rule that chose it and the reason."""

    rule: str
    reason: str
    options: dict[str, Any] = field(default_factory=dict)
    """`match` and its options for a value; `weight` and `key` for a list."""
    fields: "dict[str, Suggestion]" = field(default_factory=dict)
    """The suggestions for the keys of an object."""
    rows: "Suggestion | None" = None
    """The suggestion for the elements of a list."""
    order: str = ""
    """`unordered` or `ordered`, for a list."""
    given: "Match | None" = None
    """The match type of a value that the user lists."""

    @property
    def is_value(self) -> bool:
        return not self.fields and self.rows is None

    @property
    def needs_fields_word(self) -> bool:
        """Whether the object has a key that is a word of comparators, so that `fields:` must hold its keys."""
        return bool(self.options) or not self.fields.keys().isdisjoint(STRUCTURAL_WORDS)

    def build_comparators(self) -> Any:
        """Return the comparators as a suite holds them."""
        if self.given is not None:
            return self.given
        if self.is_value:
            return self.options["match"] if self.options.keys() == {"match"} else dict(self.options)
        if self.rows is not None:
            return {self.order: self.rows.build_comparators(), **self.options}
        record = {key: place.build_comparators() for key, place in self.fields.items()}
        return {"fields": record, **self.options} if self.needs_fields_word else record

    def list_places(self, path: str = "") -> "Iterator[tuple[str, Suggestion]]":
        """Yield every list, its rows and every value with their paths, as reports write them."""
        if self.fields:
            for key, place in self.fields.items():
                yield from place.list_places(join_path(path, key))
            return
        yield path or ROOT, self
        if self.rows is not None:
            yield from self.rows.list_places(f"{path}[]")


def build_suggestion(rule: str, reason: str, **options: Any) -> Suggestion:
    """Return the suggestion for a single value."""
    return Suggestion(rule, reason, options)


def count_values(place: "Profile", noun: str, plural: str = "") -> str:
    """Return a phrase such as `347 numbers`; without values, what the schema declares."""
    if not place.count:
        return f"declared as {noun}"
    return f"{place.count:,} {noun if place.count == 1 else plural or noun + 's'}"


def describe_reach(place: "Profile") -> str:
    """Return the words behind a reason that is about every case, if not every case was looked at."""
    return " in the cases looked at" if place.is_sample else ""
