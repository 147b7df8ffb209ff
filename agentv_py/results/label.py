"""A row of results → the label of its run: the words of the user, and the commit."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

_SHORT = 7
_MOST_SHOWN = 3


class RunLabel(NamedTuple):
    label: str
    commit: str = ""
    """Empty if the run was not in a git repository."""

    def __str__(self) -> str:
        return f"{self.label} {self.commit[:_SHORT]}".rstrip()


def read_label(row: Mapping[str, Any]) -> RunLabel | None:
    """Read the label of a row; None if it has none that evalctl writes."""
    label, commit = row.get("label"), row.get("commit", "")
    return RunLabel(label, commit) if isinstance(label, str) and isinstance(commit, str) else None


def join_labels(labels: Iterable[RunLabel]) -> str:
    """Join the labels of one side. Without labels the text is empty."""
    texts = list(map(str, labels))
    return ", ".join(texts[:_MOST_SHOWN]) + (" and more" if len(texts) > _MOST_SHOWN else "")
