"""Laws of the dataset readers: every suffix of the table obeys them."""

import sys
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
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
    name = READERS[request.param]
    if name == "xlsx":
        _write_xlsx(path, [["id", "expected.n", "tags"], ["a", 1, "x"], ["b", 2, None]])
    elif name == "parquet":
        pq.write_table(pa.Table.from_pylist(_ROWS), path)
    else:
        path.write_text(_FILES[name], encoding="utf-8")
    return path


def _write_xlsx(path: Path, rows: list[list[Any]], *further_sheets: str) -> None:
    workbook = openpyxl.Workbook()
    for row in rows:
        workbook.active.append(row)
    for name in further_sheets:
        workbook.create_sheet(name)
    workbook.save(path)


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


def _values(path: Path) -> list[Any]:
    return [row if isinstance(row, Problem) else (row.line, decode(row)) for row in read_rows(path, "d")]


def test_cells_of_excel_have_types_and_text_holds_objects_and_lists_only(tmp_path: Path) -> None:
    path = tmp_path / "d.xlsx"
    head = ["id", "expected.n", "expected.day", "expected.at", "candidate", "input", "vendor", None]
    _write_xlsx(
        path,
        [
            head,
            [1001, 100, date(2025, 1, 15), time(12, 30), '{"n": "100"}', '{"file": 1}', "100"],
            [],
            ["b", 1.5, datetime.fromisoformat("2025-01-15T12:30"), timedelta(hours=30), "007", None, True],
            [None, None, None, None, "[broken", "x", " ", "beyond"],
        ],
        "Notes",
    )
    assert _values(path) == [
        (2, {"id": 1001, "expected": {"n": 100, "day": "2025-01-15", "at": "12:30:00"}, "candidate": {"n": "100"},
             "input": '{"file": 1}', "vendor": "100"}),
        (4, {"id": "b", "expected": {"n": 1.5, "day": "2025-01-15T12:30:00", "at": 108000.0}, "candidate": "007",
             "vendor": True}),
        Problem("a cell beyond the 7 columns of the first row", "", "d", 5),
    ]  # fmt: skip
    [note] = find_reader(path).describe(path, "d.xlsx")
    assert note.text == "d.xlsx: the cases are in its first sheet 'Sheet' of 2"


def test_a_formula_of_excel_that_was_never_computed_is_an_empty_cell(tmp_path: Path) -> None:
    path = tmp_path / "d.xlsx"
    _write_xlsx(path, [["id", "expected.n", "expected.m"], ["a", 1, "=B2+1"], ["b", 1, None]])
    expected = {"n": 1, "m": None}
    assert _values(path) == [(2, {"id": "a", "expected": expected}), (3, {"id": "b", "expected": expected})]


def test_values_of_parquet_become_json_and_nested_records_stay_objects(tmp_path: Path) -> None:
    path = tmp_path / "d.parquet"
    rows = {
        "id": ["a", None],
        "expected": [{"n": 1, "day": date(2025, 1, 15)}, None],
        "candidate": ['{"n": "1"}', "text"],
        "metadata.price": [Decimal("1.10"), Decimal("2.00")],
        "metadata.map": pa.array([[("k", 1)], None], pa.map_(pa.string(), pa.int64())),
        "tags": [["x"], []],
        "note": [b"bytes", b"\xff"],
    }
    pq.write_table(pa.table(rows), path)
    assert _values(path) == [
        (1, {"id": "a", "expected": {"n": 1, "day": "2025-01-15"}, "candidate": {"n": "1"},
             "metadata": {"price": 1.1, "map": {"k": 1}}, "tags": ["x"], "note": "bytes"}),
        Problem("column 'note': a cell holds bytes that are not text", "", "d", 2),
    ]  # fmt: skip


def test_parquet_is_read_in_small_batches(tmp_path: Path) -> None:
    path = tmp_path / "d.parquet"
    pq.write_table(pa.table({"id": [str(n) for n in range(1000)]}), path, row_group_size=300)
    assert [line for line, _ in _values(path)] == list(range(1, 1001))


@pytest.mark.parametrize(
    ("suffix", "content", "what"),
    [
        (".xlsx", b"", "not a valid .xlsx file: "),
        (".xlsx", b"id,expected\n", "not a valid .xlsx file: "),
        (".parquet", b"", "not a valid Parquet file: "),
        (".parquet", b"PAR1" + b"x" * 100, "not a valid Parquet file: "),
    ],
)
def test_a_file_of_another_kind_is_one_problem(tmp_path: Path, suffix: str, content: bytes, what: str) -> None:
    path = tmp_path / f"d{suffix}"
    path.write_bytes(content)
    [problem] = _values(path)
    assert str(problem).startswith(f"d: {what}")


@pytest.mark.parametrize(
    ("suffix", "module", "extra"), [(".xlsx", "python_calamine", "xlsx"), (".parquet", "pyarrow", "parquet")]
)
def test_a_missing_library_is_one_problem_with_the_command_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, module: str, extra: str
) -> None:
    path = tmp_path / f"d{suffix}"
    path.touch()
    monkeypatch.setitem(sys.modules, module, None)
    [problem] = _values(path)
    assert str(problem).endswith(f", which is not installed; run: pip install 'agentv-py[{extra}]'")


@pytest.mark.parametrize(
    ("content", "dialect", "rows"),
    [
        ("id,expected\na,1\n", "commas, quoted by double quotes, in UTF-8", [(2, {"id": "a", "expected": 1})]),
        ("id;expected.x\na;1,5\nb;2,5\n", "semicolons, quoted by double quotes, in UTF-8",
         [(2, {"id": "a", "expected": {"x": "1,5"}}), (3, {"id": "b", "expected": {"x": "2,5"}})]),
        ("id\texpected\na\t1;2,3\n", "tabs, quoted by double quotes, in UTF-8", [(2, {"id": "a", "expected": "1;2,3"})]),
        ("id|expected\na|1\n", "bars, quoted by double quotes, in UTF-8", [(2, {"id": "a", "expected": 1})]),
        ("sep=;\nid;expected\na;1\n", "semicolons, quoted by double quotes, in UTF-8", [(3, {"id": "a", "expected": 1})]),
        ("'id','expected'\n'a','it''s, 1'\n", "commas, quoted by single quotes, in UTF-8",
         [(2, {"id": "a", "expected": "it's, 1"})]),
        ('id,expected\na,"{\\"n\\": 1}"\n',
         "commas, quoted by double quotes, quotes inside them after a backslash, in UTF-8",
         [(2, {"id": "a", "expected": {"n": 1}})]),
        ('id,expected\na,"{""n"": 1, ""m"": 2}"\nb,"it\'s; so"\n', "commas, quoted by double quotes, in UTF-8",
         [(2, {"id": "a", "expected": {"n": 1, "m": 2}}), (3, {"id": "b", "expected": "it's; so"})]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_the_dialect_of_a_csv_file_is_found_and_said(
    tmp_path: Path, content: str, dialect: str, rows: list[Any], encoding: str
) -> None:
    path = tmp_path / "d.csv"
    path.write_bytes(content.encode(encoding))
    [note] = find_reader(path).describe(path, "d.csv")
    wanted = dialect.replace("UTF-8", "UTF-16") if encoding == "utf-16" else dialect
    assert (_values(path), note.text) == (rows, f"d.csv: separated by {wanted}")


def test_a_csv_file_that_is_longer_than_the_sample_has_the_dialect_of_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("id;expected\n" + 'a;"x, y; z"\n' * 8_000, encoding="utf-8")
    rows = _values(path)
    assert (len(rows), rows[-1]) == (8_000, (8_001, {"id": "a", "expected": "x, y; z"}))
