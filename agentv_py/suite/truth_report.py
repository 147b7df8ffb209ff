"""What expected values lack and what cannot be read in them → one sentence each."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from agentv_py.comparison.truth import ConfiguredPath, Truth, UnreadableValues
from agentv_py.suite.locate import KeyPath, shorten_value

if TYPE_CHECKING:
    from agentv_py.suite.expected_keys import ExpectedKeys

NestedTruth = tuple[KeyPath, Truth]
"""A collector, and where its evaluator is in the suite."""

_NOT_A = re.compile("not an? (.+)")
_DOES_NOT = "does not "
_UNCOUNTED = ("not text", "not one of the values")


class MissingPath(NamedTuple):
    """A path that no case has, although the cases show what is there instead."""

    path: ConfiguredPath
    key_path: KeyPath
    hint: str
    """What the user may have meant; may be empty."""


def list_missing_paths(
    truths: Sequence[NestedTruth], read_values: Callable[[], Iterable[Any]]
) -> Iterator[MissingPath]:
    """Yield each path that no case has. `read_values` gives the expected values again, for "did you mean"."""
    keys: ExpectedKeys | None = None
    for key_path, truth in truths:
        for path in truth.list_unseen():
            keys = keys or _read_keys(read_values())
            hint = keys.explain(path)
            if hint is not None:
                yield MissingPath(path, (*key_path, *truth.option, *path.option), hint)


def _read_keys(values: Iterable[Any]) -> "ExpectedKeys":
    from agentv_py.suite.expected_keys import ExpectedKeys  # most suites lack no path

    return ExpectedKeys(values)


def describe_missing(missing: MissingPath) -> str:
    return f"no case's expected value has {shorten_value(missing.path.path)}{missing.hint}"


def describe_unreadable(values: UnreadableValues) -> tuple[str, str]:
    """Return where the values are in the expected value, and what is wrong with them."""
    separator = "" if not values.path or values.path.startswith("[") else "."
    where = f"expected{separator}{values.path}" if values.path != "$" else "expected"
    example = shorten_value(values.example) + (f", which {values.hint} reads" if values.hint else "")
    if values.number > 1:
        which = f"{values.number:,} of {values.total:,} values {_write_plural(values.note)}"
        return where, f"{which}, such as {example}"
    which = "the value" if values.total == 1 else f"1 of {values.total:,} values"
    return where, f"{which} {_write_singular(values.note)}: {example}"


def _write_singular(note: str) -> str:
    if note.startswith(_DOES_NOT):
        return note
    return f"is {note}" if _NOT_A.fullmatch(note) or note in _UNCOUNTED else f"cannot be read ({note})"


def _write_plural(note: str) -> str:
    if note.startswith(_DOES_NOT):
        return f"do not {note.removeprefix(_DOES_NOT)}"
    if note in _UNCOUNTED:
        return f"are {note}"
    named = _NOT_A.fullmatch(note)
    return f"are not {named[1]}s" if named else f"cannot be read ({note})"
