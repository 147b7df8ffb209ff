"""Columns of a CSV file: what they exclude, and that many of them cost no more than each of them does."""

from pathlib import Path

from agentv_py.errors import Problem
from agentv_py.suite.datasets import read_rows
from agentv_py.suite.datasets.columns import check_columns
from agentv_py.suite.datasets.row import DatasetRow


class _Name(str):
    """A column's name that counts how often it is compared with another one."""

    __slots__ = ()
    comparisons = 0

    def __eq__(self, other: object) -> bool:
        _Name.comparisons += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def _read(folder: Path, text: str) -> list[DatasetRow | Problem]:
    path = folder / "d.csv"
    path.write_text(text, encoding="utf-8")
    return list(read_rows(path, "d.csv"))


def test_columns_that_exclude_each_other_are_named_in_their_order(tmp_path: Path) -> None:
    rows = _read(tmp_path, "id,expected.a.b,expected.a,id,expected.a.b.c\n1,2,3,4,5\n")
    assert rows == [
        Problem("columns 'expected.a' and 'expected.a.b' exclude each other", "", "d.csv", 1),
        Problem("column 'id' is listed twice", "", "d.csv", 1),
        Problem("columns 'expected.a' and 'expected.a.b.c' exclude each other", "", "d.csv", 1),
        Problem("columns 'expected.a.b' and 'expected.a.b.c' exclude each other", "", "d.csv", 1),
    ]


def test_twenty_thousand_columns_are_one_row(tmp_path: Path) -> None:
    numbers = range(20_000)
    header = ",".join(f"expected.f{number}" for number in numbers)
    rows = _read(tmp_path, f"id,{header}\na,{','.join(map(str, numbers))}\n")
    assert rows == [DatasetRow(2, {"id": "a", "expected": {f"f{number}": number for number in numbers}})]


def test_a_column_is_not_compared_with_every_other_one() -> None:
    counts = []
    for size in (200, 400):
        _Name.comparisons = 0
        names: list[str] = [_Name(f"expected.f{number}") for number in range(size)]
        assert list(check_columns(names, "d.csv")) == []
        counts.append(_Name.comparisons)
    assert counts[1] <= 2.5 * max(counts[0], 200)
