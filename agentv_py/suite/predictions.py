"""Files of {id, candidate} → the answer for an id. Answers of JSONL files are not held in memory."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import ValidationError

from agentv_py.case import ABSENT
from agentv_py.errors import Problem
from agentv_py.suite.datasets import find_reader, read_decoded_rows
from agentv_py.suite.datasets.row import DatasetRow, DecodedRow
from agentv_py.suite.locate import list_problems
from agentv_py.suite.schema import PredictionRow


class Predictions:
    def __init__(self, files: list[tuple[Path, str]]) -> None:
        self.files = files
        self._handles: dict[int, BinaryIO] = {}
        self._rows: dict[str, tuple[int, DatasetRow]] = {}
        self.unused: set[str] = set()
        """Ids of predictions that belong to no case, once all cases are checked."""
        self.ignored_keys: set[str] = set()
        self.repeated_keys: list[tuple[str, int, str]] = []
        """File, line and key of each row that repeats a key."""

    def __getstate__(self) -> dict[str, Any]:
        """Leave out open files: another process opens its own."""
        return vars(self) | {"_handles": {}}

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def display_name(self) -> str:
        return ", ".join(display_name for _, display_name in self.files)

    def paths(self) -> Iterator[Path]:
        return (path for path, _ in self.files)

    def index(self) -> Iterator[Problem]:
        """Remember the place of each answer; yield the problems of the files."""
        row: DecodedRow | Problem | None = None
        for number, (path, display_name) in enumerate(self.files):
            for row in read_decoded_rows(path, display_name, "prediction"):
                if isinstance(row, Problem):
                    yield row
                else:
                    yield from self._add(number, row, display_name)
        if self.files and row is None:
            yield Problem("holds no row", "", self.display_name)
        self.unused = set(self._rows)

    def read_raw(self, id_: str) -> bytes | Any:
        """Return the row for an id as its file has it, or ABSENT."""
        if id_ not in self._rows:
            return ABSENT
        number, row = self._rows[id_]
        if not isinstance(row.raw, bytes):
            return row.raw
        if number not in self._handles:
            self._handles[number] = self.files[number][0].open("rb")
        self._handles[number].seek(row.offset)
        return self._handles[number].readline()

    def close(self) -> None:
        for handle in self._handles.values():
            handle.close()
        self._handles.clear()

    def _add(self, number: int, row: DecodedRow, display_name: str) -> Iterator[Problem]:
        value, reader = row.value, find_reader(self.files[number][0])
        if row.repeated_key is not None:
            self.repeated_keys.append((display_name, row.line, row.repeated_key))
        try:
            if reader.empty_cell_is_no_answer and "id" in value and not value.keys() & {"candidate", "candidates"}:
                return  # the run reports the missing answer as an error of that case
            id_ = PredictionRow.model_validate(value).id
        except ValidationError as error:
            yield from list_problems(error, PredictionRow, value, display_name, row.line)
            return
        self.ignored_keys.update(value.keys() - PredictionRow.model_fields.keys())
        if id_ in self._rows:
            first_file, first = self._rows[id_]
            place = f"{self.files[first_file][1]}:{first.line}"
            what = f"a second prediction for {id_!r}; the first is at {place}"
            yield Problem(what, "", display_name, row.line, kind="second prediction")
            return
        raw = b"" if reader.rows_are_lines else value
        self._rows[id_] = (number, DatasetRow(row.line, raw, row.offset))
