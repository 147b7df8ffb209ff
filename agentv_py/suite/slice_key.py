"""`tags` or `metadata.PATH` → the values by which a case is counted in slices."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from agentv_py.comparison.paths import parse_path
from agentv_py.errors import UserError, did_you_mean

TAGS = "tags"
METADATA = "metadata"
MIN_CASES = 10
_LONGEST = 1_000
_MOST_KEYS = 1_000
_MOST_SHOWN = 10

ReadValues = Callable[[Mapping[str, Any]], list[str]]


class SliceKey(NamedTuple):
    text: str
    min_cases: int = MIN_CASES
    """A slice of fewer cases has too few for a figure."""

    def build_reader(self) -> ReadValues:
        """Return a function that lists the values of a row or a case, each once: none, one, or several of a list."""
        if self.text == TAGS:
            return lambda row: _list_texts(row.get(TAGS))
        get = parse_path(self.text.removeprefix(METADATA).removeprefix(".")).build_getter()
        return lambda row: _list_texts(get(row.get(METADATA)))


def check_slice_key(text: str) -> str:
    """Return the text if it can be a slice key. Raises ValueError with the way out."""
    if text == TAGS:
        return text
    rest = text.removeprefix(METADATA)
    if rest != text and rest[:1] in (".", "[") and parse_path(rest.removeprefix(".")).steps:
        return text
    meant = did_you_mean(text, [TAGS]) or (f"; did you mean '{METADATA}.{text}'?" if parse_path(text).steps else "")
    raise ValueError(f"{text!r} is not a slice key{meant or '; valid: tags, metadata.PATH'}")


class SliceChoice(NamedTuple):
    """What a caller says about slices. Each field is a flag of the command line."""

    keys: Sequence[str] = ()
    min_cases: int | None = None
    """The least number of cases of a slice, for all keys; None leaves it to each suite."""

    def check(self) -> None:
        """Raise a UserError for each text that is not a slice key."""
        problems = list[str]()
        for text in self.keys:
            try:
                check_slice_key(text)
            except ValueError as error:
                problems.append(f"--slice {error}")
        if problems:
            raise UserError(*problems)

    def list_keys(self) -> list[SliceKey]:
        """Return the keys of the command line, for commands that read no suite."""
        self.check()
        return [SliceKey(text, self.min_cases or MIN_CASES) for text in dict.fromkeys(self.keys)]


NO_SLICES = SliceChoice()


class KeyNames:
    """The slice keys that cases have, for a message about a key that no case has. Their number is bounded."""

    def __init__(self) -> None:
        self.names: dict[str, None] = {}

    def add(self, row: Mapping[str, Any]) -> None:
        if len(self.names) < _MOST_KEYS:
            if row.get(TAGS):
                self.names[TAGS] = None
            self.names.update(dict.fromkeys(_list_paths(row.get(METADATA), METADATA)))

    def merge(self, other: "KeyNames") -> None:
        self.names |= other.names

    def explain(self, key: str) -> str:
        """Say that no case has a key; name the key that was probably meant, or those that exist."""
        names = sorted(self.names)
        listed = f"; the keys are {', '.join(names[:_MOST_SHOWN])}" if names else "; cases have no tags and no metadata"
        return f"no case has a value of {key!r}{did_you_mean(key, names) or listed}"


def _list_paths(value: Any, path: str, depth: int = 3) -> Iterator[str]:
    """List the paths of the values in metadata that can be slices."""
    for key, below in value.items() if isinstance(value, dict) else ():
        if isinstance(below, dict) and depth > 1:
            yield from _list_paths(below, f"{path}.{key}", depth - 1)
        elif _list_texts(below):
            yield f"{path}.{key}"


def _list_texts(value: Any) -> list[str]:
    if type(value) is str:
        return [value[:_LONGEST]] if value.strip() else []
    values = value if isinstance(value, list) else [value]
    texts = (_write_text(each) for each in values)
    return list(dict.fromkeys(text for text in texts if text))


def _write_text(value: Any) -> str:
    """Write a text, a number or a truth value; anything else is no value of a slice."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, str):
        return value[:_LONGEST] if value.strip() else ""
    return str(value)[:_LONGEST] if isinstance(value, int | float) else ""
