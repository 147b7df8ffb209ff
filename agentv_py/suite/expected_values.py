"""A suite or a dataset → the expected values of its cases."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from agentv_py.case import Case
from agentv_py.errors import InvalidSuite, Problem
from agentv_py.suite.datasets.rows import InvalidRow, decode, read_rows
from agentv_py.suite.load import load
from agentv_py.suite.plan import Selection, build_case
from agentv_py.suite.yaml_document import read_text, read_yaml


def expected_values(file: str) -> Iterator[Any]:
    """As JSON where a text holds it. Raises InvalidSuite."""
    path = Path(file)
    if path.exists() and not path.is_file():  # it is read more than once
        raise InvalidSuite(Problem("is not a regular file", "", file))
    cases = _of_dataset(file) if _is_dataset(path, file) else _of_suite(file)
    return (Case("", value).structured()[0] for value in cases)


def _is_dataset(path: Path, shown: str) -> bool:
    """A dataset is a list of rows, a suite a mapping."""
    suffix = path.suffix.lower()
    if suffix == ".json":
        return read_text(path, shown).lstrip().startswith("[")
    return suffix in (".jsonl", ".ndjson", ".csv") or isinstance(read_yaml(path, shown).value, list)


def _of_suite(file: str) -> Iterator[Any]:
    plan = load(file, Selection())
    for raw in plan.raw_cases():
        yield build_case(raw, plan.folder, plain=plan.plain)[0].expected


def _of_dataset(file: str) -> Iterator[Any]:
    for row in read_rows(Path(file), file):
        if isinstance(row, Problem):
            raise InvalidSuite(row)
        try:
            yield decode(row).get("expected")
        except InvalidRow as error:
            raise InvalidSuite(Problem(str(error), "", file, row.line)) from None
