"""A suite or a dataset → the expected values of its cases."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from agentv_py.case import Case
from agentv_py.errors import InvalidSuite, Problem
from agentv_py.suite.datasets import find_reader, read_rows
from agentv_py.suite.datasets.row import InvalidRow, decode
from agentv_py.suite.load import load
from agentv_py.suite.raw_case import build_case
from agentv_py.suite.selection import Selection


def read_expected_values(file: str) -> Iterator[Any]:
    """Yield each expected value; a text that holds JSON is read as JSON. Raises InvalidSuite."""
    path = Path(file)
    if path.exists() and not path.is_file():  # the file is read more than once
        raise InvalidSuite(Problem("is not a regular file", "", file))
    is_dataset = find_reader(path).holds_rows(path, file)
    values = _read_dataset(file) if is_dataset else _read_suite(file)
    return (Case("", value).parsed_values()[0] for value in values)


def _read_suite(file: str) -> Iterator[Any]:
    plan = load(file, Selection())
    for raw in plan.read_raw_cases():
        yield build_case(raw, plan.folder, plain=plan.plain)[0].expected


def _read_dataset(file: str) -> Iterator[Any]:
    for row in read_rows(Path(file), file):
        if isinstance(row, Problem):
            raise InvalidSuite(row)
        try:
            yield decode(row).get("expected")
        except InvalidRow as error:
            raise InvalidSuite(Problem(str(error), "", file, row.line)) from None
