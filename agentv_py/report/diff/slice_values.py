"""Rows of one side of a diff → the values by which their cases are counted in slices."""

from collections.abc import Sequence
from typing import Any

from agentv_py.errors import UserError
from agentv_py.suite.slice_key import KeyNames, SliceKey


class SliceValues:
    """By slice key and by the number of a case: its values."""

    def __init__(self, keys: Sequence[SliceKey] = ()) -> None:
        self.keys = keys
        self.values: dict[str, dict[int, tuple[str, ...]]] = {key.text: {} for key in keys}
        self.names = KeyNames()
        self._readers = [(self.values[key.text], key.build_reader()) for key in keys]
        self._known: dict[tuple[str, ...], tuple[str, ...]] = {}
        """Equal values of many cases are one object."""

    def add(self, case: int, row: Any) -> None:
        for values, read in self._readers:
            if texts := tuple(read(row)):
                values[case] = self._known.setdefault(texts, texts)
            else:
                self.names.add(row)


def refuse_unknown_slices(old: SliceValues, new: SliceValues) -> None:
    """Raise a UserError for a key that no row of either side has."""
    missing = [key.text for key in new.keys if not (old.values[key.text] or new.values[key.text])]
    if missing:
        raise UserError(*(f"--slice: {new.names.explain(text)}" for text in missing))
