"""YAML: the file holds one list of rows."""

from collections.abc import Iterator
from pathlib import Path

from agentv_py.errors import Problem
from agentv_py.suite.datasets.reader import Reader
from agentv_py.suite.datasets.row import DatasetRow, name_json_type
from agentv_py.suite.yaml_document import read_yaml


class Yaml(Reader):
    def read_rows(self, path: Path, display_name: str) -> Iterator[DatasetRow | Problem]:
        document = read_yaml(path, display_name)
        if not isinstance(document.below, list):
            yield Problem(f"must hold a list of rows, not {name_json_type(document.value)}", "", display_name, 1)
            return
        for node in document.below:
            yield DatasetRow(node.line, node.value)

    def holds_rows(self, path: Path, display_name: str) -> bool:
        return isinstance(read_yaml(path, display_name).below, list)
