"""A summary → a Parquet file for analysts: one line per comparison, in typed columns."""

import os
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agentv_py import jsontext
from agentv_py.case import ABSENT
from agentv_py.comparison.matchers.exact import json_type
from agentv_py.comparison.paths import attribute_of
from agentv_py.errors import UserError
from agentv_py.formats.csv.summary import encode_value
from agentv_py.report.row_comparisons import RowComparison, list_comparisons
from agentv_py.report.summary import Summary
from agentv_py.results.row import Row

if TYPE_CHECKING:
    import pyarrow as pa

SUFFIX = ".parquet"
COLUMNS = {
    "suite": "string",
    "case_id": "string",
    "target": "string",
    "timestamp": "timestamp[ms, tz=UTC]",
    "status": "string",
    "verdict": "string",
    "score": "double",
    "evaluator": "string",
    "type": "string",
    "path": "string",
    "attribute": "string",
    "outcome": "string",
    "passes": "bool",
    "similarity": "double",
    "note": "string",
    "expected": "string",
    "expected_type": "string",
    "expected_number": "double",
    "actual": "string",
    "actual_type": "string",
    "actual_number": "double",
    "kind": "string",
    "pattern": "string",
    "confidence": "double",
    "tags": "list<item: string>",
    "metadata": "string",
}
"""Each column and its type. `metadata` is JSON; so are values whose type is object or array."""

_MISSING = "needs pyarrow, which is not installed; run: pip install 'agentv-py[parquet]'"
_GROUP = 10_000
_PASSES = {"match": True, "blank": True, "pass": True, "error": None}


def check_library(file: str) -> None:
    """Raise a UserError if Parquet files cannot be written here."""
    try:
        import pyarrow.parquet  # noqa: F401  only whether it is there
    except ImportError:
        raise UserError(f"{file}: {_MISSING}") from None


def write_parquet(report: Summary, file: str) -> None:
    """Write the comparisons of every row, some thousand lines at a time. Raises OSError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = _build_schema()
    lines = (line for row in report.rows() for line in _list_lines(row))
    unfinished = f"{file}.part"
    try:
        with pq.ParquetWriter(unfinished, schema, compression="zstd") as writer:
            while group := list(islice(lines, _GROUP)):
                columns = [
                    pa.array(values, schema.field(at).type) for at, values in enumerate(zip(*group, strict=True))
                ]
                writer.write_table(pa.Table.from_arrays(columns, schema=schema))
        os.replace(unfinished, file)  # noqa: PTH105  the user's spelling
    finally:
        Path(unfinished).unlink(missing_ok=True)


def _build_schema() -> "pa.Schema":
    import pyarrow as pa

    types = {
        "string": pa.string(),
        "double": pa.float64(),
        "bool": pa.bool_(),
        "timestamp[ms, tz=UTC]": pa.timestamp("ms", "UTC"),
        "list<item: string>": pa.list_(pa.string()),
    }
    return pa.schema([(name, types[type_]) for name, type_ in COLUMNS.items()])


def _list_lines(row: Row) -> Iterator[tuple[Any, ...]]:
    case = (
        row["suite"],
        row["case_id"],
        row.get("target"),
        _read_time(row),
        row["status"],
        row["verdict"],
        row["score"],
    )
    metadata = jsontext.dumps(row["metadata"]).decode() if "metadata" in row else None
    tags = [str(tag) for tag in row.get("tags", ())]
    for item in list_comparisons(row):
        texts = tuple(map(_make_valid, (*case[:3], item.evaluator, item.type)))
        yield (*texts[:3], *case[3:], *texts[3:], *_describe_comparison(item), tags, metadata)


def _describe_comparison(item: RowComparison) -> tuple[Any, ...]:
    place = _make_valid(item.path), _make_valid(attribute_of(item.path)) if item.path else ""
    outcome = item.outcome, _PASSES.get(item.outcome, False), item.similarity, _make_valid(item.note)
    explanation = item.kind or None, item.pattern or None, item.confidence
    return *place, *outcome, *_describe_value(item.expected), *_describe_value(item.actual), *explanation


def _describe_value(value: Any) -> tuple[str | None, str | None, float | None]:
    """Return a value as text, its JSON type, and the number if it is one."""
    if value is ABSENT:
        return None, None, None
    kind = json_type(value)
    number = float(value) if kind == "number" and abs(value) < 1e308 else None
    return (None if value is None else _make_valid(encode_value(value))), kind, number


def _make_valid(text: Any) -> Any:
    """Return text without lone surrogates, which no file of text can hold."""
    return text.encode("utf-8", "backslashreplace").decode() if isinstance(text, str) else text


def _read_time(row: Row) -> datetime | None:
    try:
        return datetime.fromisoformat(row.get("timestamp", ""))
    except (TypeError, ValueError):
        return None
