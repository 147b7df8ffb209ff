"""Rows of results → a data frame of pandas or polars."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, get_args

from agentv_py import jsontext
from agentv_py.api.evaluation import FrameKind, FrameLibrary
from agentv_py.case import ABSENT
from agentv_py.errors import did_you_mean
from agentv_py.report.differences import read_error
from agentv_py.report.row_comparisons import list_comparisons
from agentv_py.results.row import Row

_CASE_COLUMNS = (
    "case_id", "status", "verdict", "score", "hits", "misses", "input", "expected", "candidate", "error", "duration_ms"
)  # fmt: skip
_COMPARISON_COLUMNS = ("case_id", "evaluator", "path", "outcome", "expected", "actual", "similarity", "note")


def build_frame(rows: Sequence[Row], kind: FrameKind, library: FrameLibrary | None) -> Any:
    """Return a frame. Raises ValueError for an unknown kind or library, and ImportError if no library is installed."""
    _check_choice("kind", kind, get_args(FrameKind))
    columns, lines = (
        (_CASE_COLUMNS, _list_cases(rows)) if kind == "cases" else (_COMPARISON_COLUMNS, _list_fields(rows))
    )
    table = list(lines)
    data = {name: [line[index] for line in table] for index, name in enumerate(columns)}
    return _load_library(library).DataFrame(data)


def _load_library(library: FrameLibrary | None) -> Any:
    known = get_args(FrameLibrary)
    if library is not None:
        _check_choice("library", library, known)
    name = next((name for name in ([library] if library else known) if find_spec(name) is not None), None)
    if name is None:
        raise ImportError(f"a data frame needs {library or 'pandas or polars'}: pip install {library or known[0]}")
    return import_module(name)


def _check_choice(option: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        hint = did_you_mean(str(value), known) or f"; valid: {', '.join(known)}"
        raise ValueError(f"{option} cannot be {value!r}{hint}")


def _list_cases(rows: Sequence[Row]) -> Iterator[tuple[Any, ...]]:
    for row in rows:
        values = [_write_value(row.get(key, ABSENT)) for key in ("input", "expected", "candidate")]
        error = ": ".join(filter(None, read_error(row))) if "error" in row else None
        counts = len(row["hits"]), len(row["misses"])
        yield (
            row["case_id"], row["status"], row["verdict"], float(row["score"]), *counts, *values, error,
            float(row["duration_ms"]),
        )  # fmt: skip


def _list_fields(rows: Sequence[Row]) -> Iterator[tuple[Any, ...]]:
    for row in rows:
        for one in list_comparisons(row):
            values = _write_value(one.expected), _write_value(one.actual)
            similarity = None if one.similarity is None else float(one.similarity)
            yield row["case_id"], one.evaluator, one.path, one.outcome, *values, similarity, one.note


def _write_value(value: Any) -> str | None:
    return None if value is ABSENT else jsontext.dumps(value).decode()
