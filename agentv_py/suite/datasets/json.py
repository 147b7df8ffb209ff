"""JSON: the file holds one list of rows, or one object."""

from collections.abc import Iterator
from pathlib import Path

from agentv_py import jsontext
from agentv_py.errors import Problem
from agentv_py.suite.datasets.reader import Reader
from agentv_py.suite.datasets.row import DatasetRow, find_key_repeated_in
from agentv_py.suite.text_file import read_text


class Json(Reader):
    may_hold_one_object = True

    def read_rows(self, path: Path, display_name: str) -> Iterator[DatasetRow | Problem]:
        text = read_text(path, display_name)
        try:
            if text.lstrip().startswith("{"):
                value = jsontext.read_element(text)
                yield DatasetRow(1, value, repeated_key=find_key_repeated_in(text, value), is_whole_file=True)
                return
            for line, value, own_text in jsontext.iterate_elements(text):
                yield DatasetRow(line, value, repeated_key=find_key_repeated_in(own_text, value))
        except jsontext.NotJson as error:
            what = f"not valid JSON: {error}; a file holds one list of rows, or one object"
            yield Problem(what, "", display_name, error.line, error.column)

    def holds_rows(self, path: Path, display_name: str) -> bool:
        return read_text(path, display_name).lstrip().startswith("[")
