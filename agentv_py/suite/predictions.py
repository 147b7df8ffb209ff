"""Files of {id, candidate} → the answer for an id, without holding the answers of JSONL files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import ValidationError

from agentv_py.case import ABSENT
from agentv_py.errors import Problem
from agentv_py.suite.datasets import find_reader, read_decoded_rows
from agentv_py.suite.datasets.row import DatasetRow, DecodedRow
from agentv_py.suite.locate import problems_of
from agentv_py.suite.schema import PredictionRow


class Predictions:
    def __init__(self, files: list[tuple[Path, str]]) -> None:
        self._files = files
        self._handles: dict[int, BinaryIO] = {}
        self._places: dict[str, tuple[int, DatasetRow]] = {}
        self.unused: set[str] = set()
        """Ids that no case has asked for yet."""
        self.ignored_keys: set[str] = set()
        self.repeated_keys: list[tuple[str, int, str]] = []
        """File, line and key of each row that holds a key twice."""

    def __len__(self) -> int:
        return len(self._places)

    def paths(self) -> Iterator[Path]:
        return (path for path, _ in self._files)

    def index(self) -> Iterator[Problem]:
        """Note where each answer stands; yields what is wrong on the way."""
        for number, (path, shown) in enumerate(self._files):
            for row in read_decoded_rows(path, shown):
                if isinstance(row, Problem):
                    yield row
                else:
                    yield from self._note(number, row, shown)
        self.unused = set(self._places)

    def raw(self, id_: str) -> bytes | Any:
        """The row for an id as it stands in its file, or ABSENT."""
        if id_ not in self._places:
            return ABSENT
        number, row = self._places[id_]
        if not isinstance(row.raw, bytes):
            return row.raw
        if number not in self._handles:
            self._handles[number] = self._files[number][0].open("rb")
        self._handles[number].seek(row.offset)
        return self._handles[number].readline()

    def close(self) -> None:
        for handle in self._handles.values():
            handle.close()
        self._handles.clear()

    def _note(self, number: int, row: DecodedRow, shown: str) -> Iterator[Problem]:
        value, reader = row.value, find_reader(self._files[number][0])
        if row.repeated_key is not None:
            self.repeated_keys.append((shown, row.line, row.repeated_key))
        try:
            if reader.empty_cell_is_no_answer and "id" in value and not value.keys() & {"candidate", "candidates"}:
                return  # the run reports the missing answer as an error of that case
            id_ = PredictionRow.model_validate(value).id
        except ValidationError as error:
            yield from problems_of(error, PredictionRow, value, shown, row.line)
            return
        self.ignored_keys.update(value.keys() - PredictionRow.model_fields.keys())
        if id_ in self._places:
            first_file, first = self._places[id_]
            place = f"{self._files[first_file][1]}:{first.line}"
            yield Problem(f"a second prediction for {id_!r}; the first is at {place}", "", shown, row.line)
            return
        raw = b"" if reader.rows_are_lines else value
        self._places[id_] = (number, DatasetRow(row.line, raw, row.offset))
