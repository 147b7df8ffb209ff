"""Comparisons in a Parquet file: one line each, in typed columns."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from conftest import Evalctl

from agentv_py.errors import UserError
from agentv_py.formats.parquet_file import COLUMNS, check_library

Write = Callable[[str, Any], Path]


@pytest.fixture
def results(evalctl: Evalctl, write: Write) -> str:
    suite = "evaluators: [{type: object_match, comparators: {n: exact, rows: {unordered: {t: fuzzy}}, gone: exact}}]\n"
    cases = [
        {"id": "a", "expected": {"n": 1, "rows": [{"t": "x"}], "gone": None}, "candidate": {"n": "1", "rows": [{"t": "x"}]},
         "metadata": {"v": 1}, "tags": ["t"]},
        {"id": "b", "expected": {"n": 1, "rows": [], "gone": "=1"}},
    ]  # fmt: skip
    write("s.yaml", f"{suite}cases: {json.dumps(cases)}\n")
    evalctl("run", "s.yaml", "-o", "r.jsonl", "-q")
    return "r.jsonl"


def test_each_comparison_is_a_line_with_types(evalctl: Evalctl, results: str, tmp_path: Path) -> None:
    done = evalctl("report", results, "-o", "new/cells.parquet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    table = pq.read_table(tmp_path / "new/cells.parquet")
    assert {field.name: str(field.type) for field in table.schema} == COLUMNS | {
        "tags": table.schema.field("tags").type.__str__()
    }
    wanted = (
        "case_id",
        "path",
        "attribute",
        "outcome",
        "passes",
        "expected",
        "expected_type",
        "expected_number",
        "actual",
        "actual_type",
        "tags",
        "metadata",
    )
    assert [tuple(line[name] for name in wanted) for line in table.to_pylist()] == [
        ("a", "rows[0].t", "rows[].t", "match", True, "x", "string", None, "x", "string", ["t"], '{"v":1}'),
        ("a", "gone", "gone", "blank", True, None, "null", None, None, None, ["t"], '{"v":1}'),
        ("a", "n", "n", "mismatch", False, "1", "number", 1.0, "1", "string", ["t"], '{"v":1}'),
        ("b", "", "", "error", None, None, None, None, None, None, [], None),
    ]  # fmt: skip
    assert not (tmp_path / "new/cells.parquet.part").exists()


def test_errors_have_their_kind_and_pattern_and_answers_their_confidence(
    evalctl: Evalctl, write: Write, tmp_path: Path
) -> None:
    cases = [
        {"id": "a", "expected": {"n": 12.5, "t": "x"}, "candidate": {"n": 1250, "t": "x", "c": {"n": 0.4, "t": 1}}}
    ]
    evaluators = "evaluators: [{type: object_match, comparators: {n: numeric, t: exact}}]\nconfidence: {path: c}\n"
    write("s.yaml", f"{evaluators}cases: {json.dumps(cases)}\n")
    evalctl("run", "s.yaml", "-o", "r.jsonl", "-q")
    evalctl("report", "r.jsonl", "-o", "c.parquet")
    lines = pq.read_table(tmp_path / "c.parquet", columns=["path", "kind", "pattern", "confidence"]).to_pylist()
    assert [tuple(line.values()) for line in lines] == [("t", None, None, 1.0), ("n", "misread", "× 100", 0.4)]


def test_cells_of_a_csv_report_are_plain_text(evalctl: Evalctl, results: str) -> None:
    lines = evalctl("report", results, "--format", "csv").stdout.splitlines()
    assert any(",n,mismatch,1,1," in line for line in lines)
    assert any(",rows[0].t,match,x,x," in line for line in lines)


def test_only_a_report_writes_parquet(evalctl: Evalctl, results: str, tmp_path: Path) -> None:
    done = evalctl("diff", results, results, "-o", "d.parquet")
    assert (done.returncode, done.stderr) == (
        2,
        "error: -o 'd.parquet': only `evalctl report RESULTS -o d.parquet` writes Parquet\n",
    )
    (tmp_path / "folder.parquet").mkdir()
    done = evalctl("report", results, "-o", "folder.parquet")
    assert (done.returncode, done.stderr) == (2, "error: folder.parquet: cannot be written: Is a directory\n")


def test_without_the_library_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(
        UserError, match=r"x.parquet: needs pyarrow, which is not installed; run: pip install 'agentv-py\[parquet\]'"
    ):
        check_library("x.parquet")
