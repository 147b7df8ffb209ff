"""A JSON file that holds one object → the row that it means: the file's stem is the id of its case."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from agentv_py.errors import Problem
from agentv_py.suite.datasets.row import DatasetRow

RowKind = Literal["case", "prediction"]


class _Form(NamedTuple):
    """How to tell a row from an object that is itself the value."""

    value_key: str
    """The key of a row under which a plain object goes."""
    marks: frozenset[str]
    """An object without any of these keys is a plain object."""
    keys: frozenset[str]
    """A row has no other keys."""
    noun: str


_FACTS = ("latency_ms", "cost", "tokens", "trace", "confidence", "repeats")
_FORMS: Mapping[RowKind, _Form] = {
    "case": _Form(
        "expected",
        frozenset({"expected", "candidate", "candidates", "input"}),
        frozenset({"id", "input", "expected", "candidate", "candidates", "metadata", "tags", "trace", "evaluators"}),
        "a ground truth",
    ),
    "prediction": _Form(
        "candidate",
        frozenset({"candidate", "candidates"}),
        frozenset({"id", "candidate", "candidates", *_FACTS}),
        "an answer",
    ),
}


def read_object_files(
    rows: Iterable[DatasetRow | Problem], path: Path, display_name: str, kind: RowKind
) -> Iterator[DatasetRow | Problem]:
    """Replace the object of a file that holds only this object by a row; other rows stay as they are."""
    for row in rows:
        if isinstance(row, Problem) or not row.is_whole_file or not isinstance(row.raw, dict):
            yield row
        else:
            yield _build_row(row, row.raw, path.stem, display_name, kind)


def _build_row(
    row: DatasetRow, value: dict[str, Any], stem: str, display_name: str, kind: RowKind
) -> DatasetRow | Problem:
    form = _FORMS[kind]
    if (key := _find_rows(value)) is not None:
        what = f"holds a list of rows under {key!r}; a file of rows is the list alone"
        return Problem(what, "", display_name, row.line)
    if not form.marks & value.keys():
        return row._replace(raw={"id": stem, form.value_key: value})
    if value.keys() <= form.keys:
        return row._replace(raw={"id": stem} | value)
    mark, other = min(form.marks & value.keys()), min(value.keys() - form.keys)
    what = (
        f"has {mark!r} like a row and {other!r} like {form.noun}, so it is not clear which it is;"
        f" a row has only the keys {', '.join(sorted(form.keys))}; {form.noun} goes under {form.value_key!r}"
    )
    return Problem(what, "", display_name, row.line)


def _find_rows(value: dict[str, Any]) -> str | None:
    """Return the key of a list whose first element is a row: the file wraps the list that a dataset should be."""
    for key, items in value.items():
        first = items[0] if isinstance(items, list) and items else None
        if isinstance(first, dict) and "id" in first and not first.keys().isdisjoint({"expected", "candidate"}):
            return key
    return None
