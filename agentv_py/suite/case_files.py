"""A suite document → the files that hold its cases and its predictions."""

import os
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from agentv_py.errors import Problem
from agentv_py.suite.datasets import describe_unreadable_file, find_reader, read_decoded_rows, read_rows
from agentv_py.suite.datasets.files import expand_glob, find_files
from agentv_py.suite.datasets.jsonl import decode_block
from agentv_py.suite.datasets.lines import LineBlock, LineRange, find_ranges, read_blocks
from agentv_py.suite.datasets.row import DatasetRow, DecodedRow, PlainRows, decode_rows
from agentv_py.suite.diagnostics import Diagnostics
from agentv_py.suite.inputs import Inputs
from agentv_py.suite.locate import find_node, format_key_path
from agentv_py.suite.yaml_node import Node

CheckedRows = Iterator[PlainRows | DecodedRow | Problem]


class FilePart(NamedTuple):
    """Some rows of a file of cases."""

    rows: CheckedRows
    block: LineBlock | None = None
    """Where they are; None if these are all rows of a file whose rows are not lines."""


class CaseFile(NamedTuple):
    """A file of cases. The suite file itself is one; its inline cases are the rows."""

    path: Path
    display_name: str
    inline: Sequence[DatasetRow] | None = None

    @property
    def has_lines(self) -> bool:
        """Whether any process can read a range of it."""
        return self.inline is None and find_reader(self.path).rows_are_lines

    def measure(self) -> int:
        """Return the number of bytes of the file; 0 if it is gone."""
        try:
            return self.path.stat().st_size
        except OSError:
            return 0

    def read_parts(self) -> Iterator[FilePart]:
        """Yield all rows: those of a range of lines at a time, if the rows are lines."""
        if not self.has_lines:
            yield FilePart(self.read_decoded_rows())
            return
        try:
            for block in read_blocks(self.path):
                yield FilePart(decode_block(block, self.display_name), block)
        except OSError as error:
            yield FilePart(iter([describe_unreadable_file(error, self.display_name)]))

    def find_ranges(self, after: LineBlock) -> Iterator[LineRange | Problem]:
        """Yield the ranges after a block, and last the problem if the file cannot be read."""
        try:
            yield from find_ranges(self.path, after)
        except OSError as error:
            yield describe_unreadable_file(error, self.display_name)

    def read_part(self, lines: LineRange) -> FilePart:
        """Read the rows of a range."""
        try:
            block = lines.read(self.path)
        except OSError as error:
            return FilePart(iter([describe_unreadable_file(error, self.display_name)]))
        return FilePart(decode_block(block, self.display_name), block)

    def read_rows(self) -> Iterator[DatasetRow | Problem]:
        return iter(self.inline) if self.inline is not None else read_rows(self.path, self.display_name)

    def read_decoded_rows(self) -> Iterator[DecodedRow | Problem]:
        if self.inline is not None:
            return decode_rows(self.inline, self.display_name)
        return read_decoded_rows(self.path, self.display_name)


class FileFinder:
    """Finds the files that a suite names. Each file becomes one of the run's inputs before it is read."""

    def __init__(self, document: Node, file: str, inputs: Inputs, diagnostics: Diagnostics) -> None:
        self._document = document
        self._file = file
        self._inputs = inputs
        self._diagnostics = diagnostics

    def find_case_files(self) -> list[CaseFile]:
        """Return the files of cases in the order in which their cases run."""
        datasets = (CaseFile(path, display_name) for path, display_name in self._find("dataset"))
        return [*self._read_inline_cases(), *datasets, *self._read_coco()]

    def find_at(self, *key_path: str | int) -> list[tuple[Path, str]]:
        """Find the files that the paths and globs at a key of the suite name."""
        return self._find(*key_path)

    def find_by_flag(self, name: str) -> tuple[list[tuple[Path, str]], str]:
        """Find the files that a flag names, relative to the working folder. Return them, and what is wrong."""
        paths, problem = find_files("", name)
        self._inputs.note(*map(Path, paths))
        if unread := _describe_unread_files("", name):
            self._diagnostics.warn(Problem(unread, "", name))
        return [(Path(path), path) for path in paths], problem

    def _read_inline_cases(self) -> Iterator[CaseFile]:
        below = self._document.below
        cases = below.get("cases") if isinstance(below, dict) else None
        if cases is not None and isinstance(cases.below, list):
            numbered = enumerate(cases.below, 1)
            for file, group in groupby(numbered, lambda case: case[1].file or self._file):
                rows = [
                    DatasetRow(case.line, {"id": f"case-{number}"} | case.value, column=case.column)
                    for number, case in group
                    if isinstance(case.value, dict)
                ]
                yield CaseFile(Path(file), file, rows)

    def _read_coco(self) -> Iterator[CaseFile]:
        """Read COCO's two files together: the file of annotations holds the cases, the file of results holds none."""
        annotations, results = (self._find("dataset", "coco", key) for key in ("annotations", "results"))
        if len(annotations) > 1 or len(results) > 1:
            node = find_node(self._document, ["dataset", "coco"])
            what = "a glob names several files; name one"
            self._diagnostics.add_errors(node.build_problem(what, "dataset.coco", self._file))
        if not annotations:
            return
        from agentv_py.suite.datasets.coco import read_coco

        rows: list[DatasetRow] = []
        for row in read_coco(annotations[0], *results[:1]):
            if isinstance(row, Problem):
                self._diagnostics.add_errors(row)
            else:
                rows.append(row)
        yield CaseFile(*annotations[0], rows)
        yield from (CaseFile(*file, []) for file in results)

    def _find(self, *key_path: str | int) -> list[tuple[Path, str]]:
        given = self._document.value
        for key in key_path:
            is_item = isinstance(given, list) and isinstance(key, int) and key < len(given)
            given = given[key] if is_item else given.get(key) if isinstance(given, dict) else None
        names = [given] if isinstance(given, str) else given if isinstance(given, list) else []
        files: list[tuple[Path, str]] = []
        for index, name in enumerate(names):
            if isinstance(name, str) and name:
                paths, problem = find_files(os.path.dirname(self._file), name)  # noqa: PTH120  keeps the user's spelling
                files.extend((Path(path), _shorten(path)) for path in paths)
                self._inputs.note(*map(Path, paths))
                node, where = find_node(self._document, [*key_path, index]), format_key_path(key_path)
                if problem:
                    what = f"{name!r} {problem}"
                    self._diagnostics.add_errors(node.build_problem(what, where, self._file))
                elif unread := _describe_unread_files(os.path.dirname(self._file), name):  # noqa: PTH120  as above
                    self._diagnostics.warn(node.build_problem(unread, where, self._file))
        return files


def _shorten(path: str) -> str:
    """Return a path without `one/..`, as messages show it, unless a link makes that another file."""
    short = os.path.normpath(path)
    return short if ".." in path and os.path.realpath(short) == os.path.realpath(path) else path


def _describe_unread_files(folder: str, name: str) -> str:
    """Say that the folder of a name holds folders with files, which are not read; empty if it has none."""
    path = os.path.join(folder, name)  # noqa: PTH118  keeps the user's spelling
    unread = expand_glob(path, "*/*.json") if os.path.isdir(path) else []  # noqa: PTH112  as above
    if not unread:
        return ""
    pattern = f"{name.rstrip('/')}/**/*.json"
    return f"{unread[0]!r} is not read: only the .json files in {name!r} itself are; {pattern!r} names all of them"
