"""JSON: the file holds one list of rows."""

from collections.abc import Iterator
from pathlib import Path

from agentv_py import jsontext
from agentv_py.errors import Problem
from agentv_py.suite.datasets.reader import Reader
from agentv_py.suite.datasets.row import DatasetRow, find_key_repeated_in
from agentv_py.suite.text_file import read_text


class Json(Reader):
    def read_rows(self, path: Path, display_name: str) -> Iterator[DatasetRow | Problem]:
        text = read_text(path, display_name)
        try:
            for line, value, own_text in jsontext.iterate_elements(text):
                yield DatasetRow(line, value, repeated_key=find_key_repeated_in(own_text, value))
        except jsontext.NotJson as error:
            what = f"not valid JSON: {error}; a file of rows holds one list of objects"
            yield Problem(what, "", display_name, error.line, error.column)

    def holds_rows(self, path: Path, display_name: str) -> bool:
        return read_text(path, display_name).lstrip().startswith("[")
