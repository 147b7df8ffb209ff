"""A case of a suite and its new expected value → the new content of the file that holds the case."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from agentv_py import jsontext
from agentv_py.case import ABSENT
from agentv_py.errors import Problem, UserError
from agentv_py.suite.case_files import CaseFile
from agentv_py.suite.datasets import READERS, read_rows
from agentv_py.suite.datasets.csv_dialect import find_dialect
from agentv_py.suite.datasets.row import DatasetRow, decode
from agentv_py.suite.edit.csv_cells import edit_csv
from agentv_py.suite.edit.span import Change, Steps, is_same, list_changes, set_value
from agentv_py.suite.edit.text_edit import edit_json, edit_yaml
from agentv_py.suite.edit.yaml_spans import locate_yaml
from agentv_py.suite.plan import Plan
from agentv_py.suite.raw_case import get_case_id
from agentv_py.suite.yaml_document import read_yaml

_BOM = "\ufeff"


class FoundCase(NamedTuple):
    """A case, and where it is: the number of its row in its file, from 0."""

    file: CaseFile
    number: int
    line: int
    column: int | None
    value: dict[str, Any]

    @property
    def expected(self) -> Any:
        return self.value.get("expected", ABSENT)


class FileEdit(NamedTuple):
    path: Path
    shown: str
    old: bytes
    new: bytes


def find_case(plan: Plan, case_id: str) -> FoundCase | None:
    """Find a case by its id; None if the suite has no such case."""
    for case_file in plan.case_files:
        rows = (row for row in case_file.read_rows() if isinstance(row, DatasetRow))
        for number, row in enumerate(rows):
            value = decode(row)
            if get_case_id(value, case_file.path.stem, row.line) == case_id:
                return FoundCase(case_file, number, row.line, row.column, value)
    return None


def edit_case(case: FoundCase, expected: Any) -> FileEdit:
    """Return the file with another expected value for the case. Raises UserError if it cannot be changed in place."""
    path = case.file.path
    old = path.read_bytes()
    edit = _choose_editor(case)
    try:
        text = old.decode("utf-8").removeprefix(_BOM)
        new = edit(text, case, expected)
        is_right = edit is _edit_line or _is_right(case, new, expected)
    except (LookupError, ValueError, UserError):  # the file is written in a way that the editors do not know
        is_right = False
    if not is_right:
        what = "cannot be changed in place, because of the way it is written; change it by hand"
        raise UserError(Problem(what, "", case.file.display_name, case.line))
    return FileEdit(path, case.file.display_name, old, old[: len(old) - len(text.encode())] + new.encode())


Editor = Callable[[str, FoundCase, Any], str]


def _choose_editor(case: FoundCase) -> Editor:
    if case.file.inline is not None:
        return _edit_inline
    reader = READERS.get(case.file.path.suffix.lower(), "")
    editors: dict[str, Editor] = {"jsonl": _edit_line, "json": _edit_json, "yaml": _edit_yaml, "csv": _edit_csv}
    if reader not in editors:
        what = f"a file {case.file.path.suffix} cannot be changed in place; change it by hand"
        raise UserError(Problem(what, "", case.file.display_name, case.line))
    return editors[reader]


def _list_row_changes(case: FoundCase, expected: Any) -> list[Change]:
    """List the changes of a row, which may get its first expected value."""
    if case.expected is ABSENT:
        return [Change(("expected",), expected)]
    return list_changes(case.expected, expected, ("expected",))


def _edit_line(text: str, case: FoundCase, expected: Any) -> str:
    lines = text.split("\n")
    line = lines[case.line - 1]
    lines[case.line - 1] = edit_json(line, _list_row_changes(case, expected))
    wanted = {**jsontext.loads_text(line), "expected": expected}
    if not is_same(jsontext.loads_text(lines[case.line - 1]), wanted):
        raise LookupError(case.line)
    return "\n".join(lines)


def _edit_json(text: str, case: FoundCase, expected: Any) -> str:
    if text.lstrip().startswith("["):
        return edit_json(text, _list_row_changes(case, expected), (case.number,))
    if is_same(jsontext.loads_text(text), case.expected):  # the object is itself the expected value
        return edit_json(text, list_changes(case.expected, expected))
    return edit_json(text, _list_row_changes(case, expected))


def _edit_yaml(text: str, case: FoundCase, expected: Any) -> str:
    return edit_yaml(text, _list_row_changes(case, expected), (case.number,))


def _edit_csv(text: str, case: FoundCase, expected: Any) -> str:
    return edit_csv(text, case.number, _list_row_changes(case, expected), find_dialect(case.file.path))


def _edit_inline(text: str, case: FoundCase, expected: Any) -> str:
    return edit_yaml(text, _list_row_changes(case, expected), _find_inline(text, case))


def _find_inline(text: str, case: FoundCase) -> Steps:
    """Find an inline case by its place in the suite, because its number counts the cases of other files too."""
    lines = text.splitlines(keepends=True)
    start = sum(map(len, lines[: case.line - 1])) + (case.column or 1) - 1
    cases = locate_yaml(text).find(("cases",))
    spans = cases.below if cases is not None and isinstance(cases.below, list) else []
    return next((("cases", number) for number, span in enumerate(spans) if span.start == start), ("cases", -1))


def _is_right(case: FoundCase, text: str, expected: Any) -> bool:
    """Read the new text again: the case has its new value, and nothing else has changed."""
    with tempfile.TemporaryDirectory(prefix="evalctl-") as folder:
        copy = Path(folder, case.file.path.name)
        copy.write_bytes(text.encode())
        if case.file.inline is not None:
            steps = (*_find_inline(text, case), "expected")
            document = read_yaml(case.file.path, case.file.display_name).value
            return is_same(read_yaml(copy, copy.name).value, set_value(document, steps, expected))
        before, after = (_read_values(path) for path in (case.file.path, copy))
    before[case.number] = {**before[case.number], "expected": expected}
    return is_same(after, before)


def _read_values(path: Path) -> list[Any]:
    return [decode(row) if isinstance(row, DatasetRow) else str(row) for row in read_rows(path, path.name)]
