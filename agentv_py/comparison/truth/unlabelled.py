"""Listed fields, and the cases that leave them out → how many answers fill each of them there."""

from collections.abc import Iterator, Sequence
from typing import Any

from agentv_py.case import ABSENT
from agentv_py.comparison.compile import compile_comparators, compile_leaf
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.paths import Path, build_reader, join_steps, parse_key, parse_path
from agentv_py.comparison.tree import Field
from agentv_py.comparison.unpaired import has_leaves
from agentv_py.options import OptionPath


class ListedField:
    """A field outside of lists that options name."""

    def __init__(self, option: OptionPath, path: Path, above: Path | None, field: Field) -> None:
        self.option = option
        """Where the options name it."""
        self.path = path
        self.above = above
        """The object that has or lacks the key; None for a configured path, which any value may lack."""
        self.field = field
        self.answers = 0
        """How many answers there are to the cases that leave it out."""
        self.filled = 0
        """How many of these answers fill it."""

    def is_left_out(self, expected: Any) -> bool:
        """Whether a value that does not have the path leaves it out itself, and not a null or a key further up."""
        return self.above is None or type(self.above.build_getter()(expected)) is dict

    def add_answer(self, answer: Any) -> None:
        self.answers += 1
        self.filled += has_leaves("extra", self.field, self.path.build_getter()(answer))


class UnlabelledFields:
    """The listed fields of one evaluator."""

    def __init__(self, fields: Sequence[ListedField]) -> None:
        self.fields = fields
        self._read = build_reader([field.path for field in fields])

    def are_complete(self, expected: Sequence[Any]) -> bool:
        """Tell whether each of these expected values has every field."""
        return not any(ABSENT in values for values in map(self._read, expected))

    def find_left_out(self, expected: Any) -> list[ListedField]:
        """Return the fields that an expected value leaves out."""
        values = self._read(expected)
        if ABSENT not in values:
            return []
        absent = [field for field, value in zip(self.fields, values, strict=True) if value is ABSENT]
        return [field for field in absent if field.is_left_out(expected)]


def list_fields_of_paths(fields: Sequence[tuple[OptionPath, Match]]) -> Iterator[ListedField]:
    for option, match in fields:
        path = parse_path(match.path or "")
        if not match.is_ignored and match.weight and path.steps and not any(step.each for step in path.steps):
            yield ListedField(option, path, None, compile_leaf(match))


def list_fields_of_comparators(
    comparators: Any, option: OptionPath, above: Path | None = None
) -> Iterator[ListedField]:
    """Yield each listed key, and the keys of the mappings below it. What is in lists has no partner before a run."""
    from agentv_py.comparison.comparators import Fields  # configured paths need no comparators

    if isinstance(comparators, Fields):
        comparators, option = comparators.fields, (*option, "fields")
    for key, below in comparators.items() if isinstance(comparators, dict) else ():
        above = above or join_steps([])
        path = join_steps([*(above.steps or ()), *(parse_key(key).steps or ())])
        field = compile_comparators(below, None, "ignore")
        if field is not None and (isinstance(below, dict) or below.weight):
            yield ListedField((*option, key), path, above, field)
        yield from list_fields_of_comparators(below, (*option, key), path)
