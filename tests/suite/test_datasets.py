"""Laws of the dataset readers: every suffix of the table obeys them."""

from pathlib import Path

import pytest

from agentv_py.errors import Problem
from agentv_py.suite.datasets import READERS, find_reader, read_decoded_rows, read_rows
from agentv_py.suite.datasets.files import find_files
from agentv_py.suite.datasets.row import DatasetRow, decode

_ROWS = [{"id": "a", "expected": {"n": 1}, "tags": ["x"]}, {"id": "b", "expected": {"n": 2}, "tags": []}]
# The same two rows as each reader wants them.
_FILES = {
    "jsonl": '{"id": "a", "expected": {"n": 1}, "tags": ["x"]}\n{"id": "b", "expected": {"n": 2}, "tags": []}\n',
    "json": '[{"id": "a", "expected": {"n": 1}, "tags": ["x"]},\n{"id": "b", "expected": {"n": 2}, "tags": []}]\n',
    "yaml": "- {id: a, expected: {n: 1}, tags: [x]}\n- {id: b, expected: {n: 2}, tags: []}\n",
    "csv": "id,expected.n,tags\na,1,x\nb,2,\n",
}


@pytest.fixture(params=READERS)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / f"d{request.param}"
    path.write_text(_FILES[READERS[request.param]], encoding="utf-8")
    return path


def test_every_reader_gives_the_same_rows_decoded_or_not(path: Path) -> None:
    rows = list(read_rows(path, "d"))
    decoded = list(read_decoded_rows(path, "d"))
    assert [decode(row) for row in rows if isinstance(row, DatasetRow)] == _ROWS
    assert [(row.line, row.value) for row in decoded if not isinstance(row, Problem)] == [
        (row.line, decode(row)) for row in rows if isinstance(row, DatasetRow)
    ]


def test_a_file_of_rows_is_known_as_a_dataset_by_its_name_and_its_content(path: Path) -> None:
    assert find_reader(path).holds_rows(path, "d")
    assert find_files(str(path.parent), path.name) == ([str(path)], "")


def test_a_row_that_is_a_line_can_be_read_again_from_its_offset(path: Path) -> None:
    if not find_reader(path).rows_are_lines:
        assert all(isinstance(row, DatasetRow) and isinstance(row.raw, dict) for row in read_rows(path, "d"))
        return
    content = path.read_bytes()
    for row in read_decoded_rows(path, "d"):
        assert not isinstance(row, Problem)
        line = content[row.offset :].splitlines(keepends=True)[0]
        assert decode(DatasetRow(row.line, line)) == row.value


def test_a_file_that_cannot_be_read_is_one_problem(path: Path) -> None:
    path.unlink()
    expected = [Problem("cannot be read: No such file or directory", "", "d")]
    assert list(read_rows(path, "d")) == list(read_decoded_rows(path, "d")) == expected


def test_an_unknown_suffix_is_refused_with_those_that_are_valid(tmp_path: Path) -> None:
    (tmp_path / "d.txt").write_text("")
    assert find_files(str(tmp_path), "d.txt") == ([], f"has an unknown suffix; valid: {' '.join(READERS)}")
