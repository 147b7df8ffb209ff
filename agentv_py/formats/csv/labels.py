"""The tags and the metadata of rows → columns of a CSV."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agentv_py import jsontext
from agentv_py.suite.slice_key import METADATA, TAGS

MOST_KEYS = 50


class LabelColumns:
    """A column for the tags, and one for each key of the metadata, in the order of their first rows."""

    def __init__(self, rows: Iterable[Mapping[str, Any]]) -> None:
        self._has_tags = False
        self._keys: dict[str, None] = {}
        for row in rows:
            self._has_tags = self._has_tags or bool(row.get(TAGS))
            metadata = row.get(METADATA)
            if isinstance(metadata, dict) and len(self._keys) < MOST_KEYS and not self._keys.keys() >= metadata.keys():
                self._keys.update(dict.fromkeys(metadata))
        self._shown = list(self._keys)[:MOST_KEYS]

    @property
    def heads(self) -> list[str]:
        return [*([TAGS] if self._has_tags else []), *(f"{METADATA}.{key}" for key in self._shown)]

    def read(self, row: Mapping[str, Any]) -> list[Any]:
        """Return the cells of a row: tags and objects as JSON, other values as they are."""
        metadata = row.get(METADATA)
        known = metadata if isinstance(metadata, dict) else {}
        tags = [_write(row[TAGS]) if row.get(TAGS) else ""] if self._has_tags else []
        return [*tags, *(_write(known.get(key)) for key in self._shown)]

    def fill(self) -> Sequence[str]:
        """Return the cells of a line that is of no case."""
        return [""] * len(self.heads)


def _write(value: Any) -> Any:
    if value is None:
        return ""
    return value if isinstance(value, str) else jsontext.dumps(value).decode()
