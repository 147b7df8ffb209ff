"""Selected ranges of files of cases → the cases as their files hold them; the same in every process."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from agentv_py.case import ABSENT
from agentv_py.errors import InputChanged, Problem, UserError
from agentv_py.suite.answers import PlannedTarget
from agentv_py.suite.case_files import CaseFile
from agentv_py.suite.case_ranges import SelectedRange
from agentv_py.suite.datasets.jsonl import split_block
from agentv_py.suite.datasets.lines import LineBlock, LineRange
from agentv_py.suite.datasets.row import DatasetRow, InvalidRow, decode
from agentv_py.suite.predictions import Predictions
from agentv_py.suite.raw_case import RawCase, build_raw_case, get_case_id


class CaseReader:
    """Reads cases together with their recorded answers; with targets, each case once for each target."""

    def __init__(
        self, case_files: Sequence[CaseFile], predictions: Predictions, targets: Sequence[PlannedTarget] = ()
    ) -> None:
        self._case_files = case_files
        self._predictions = predictions
        self._targets = targets

    def read(self, part: SelectedRange) -> Iterable[RawCase]:
        """Return the cases in order. Raises InputChanged if they are not those that were checked."""
        case_file = self._case_files[part.range.file]
        if part.range.lines is not None and part.chosen is None and not self._targets and not self._predictions:
            return _build_raw_cases(case_file.path.stem, _read_block(case_file, part.range.lines, part.range.checksum))
        rows = _read_rows(case_file, part)
        if self._targets:
            return (raw for row in rows for raw in self._read_for_targets(case_file, row))
        stem = case_file.path.stem
        if self._predictions:
            return (RawCase(stem, row.line, row.raw, self._read_answer(case_file, row)) for row in rows)
        return (build_raw_case((stem, row[0], row[1], ABSENT, None, "", None)) for row in rows)

    def close(self) -> None:
        """Close the files of recorded answers."""
        for predictions in (self._predictions, *(target.predictions for target in self._targets)):
            if predictions is not None:
                predictions.close()

    def _read_answer(self, case_file: CaseFile, row: DatasetRow) -> object:
        return self._predictions.read_raw(read_row_id(case_file, row))

    def _read_for_targets(self, case_file: CaseFile, row: DatasetRow) -> Iterator[RawCase]:
        path, id_ = case_file.path, read_row_id(case_file, row)
        for name, _, predictions in self._targets:
            answer = ABSENT if predictions is None else predictions.read_raw(id_)
            yield RawCase(path.stem, row.line, row.raw, answer, name, str(path.parent))


def read_row_id(case_file: CaseFile, row: DatasetRow) -> str:
    """Return the id of a row that was checked before."""
    try:
        return get_case_id(decode(row), case_file.path.stem, row.line)
    except InvalidRow:
        raise InputChanged(Problem("changed during the run", "", case_file.display_name, row.line)) from None


def _read_rows(case_file: CaseFile, part: SelectedRange) -> Iterable[DatasetRow]:
    lines = part.range.lines
    rows = (
        _read_whole_file(case_file)
        if lines is None
        else split_block(_read_block(case_file, lines, part.range.checksum))
    )
    return rows if part.chosen is None else _choose(rows, part.chosen)


def _build_raw_cases(stem: str, block: LineBlock) -> list[RawCase]:
    """Return all cases of a block, which have answers of their own. This takes half the time of reading rows first."""
    return [
        build_raw_case((stem, number, line, ABSENT, None, "", None))
        for lines in block.split()
        for number, line in enumerate(lines, block.lines.first_line)
        if not line.isspace()
    ]


def _read_block(case_file: CaseFile, lines: LineRange, checksum: int) -> LineBlock:
    try:
        block = lines.read(case_file.path)
    except OSError:
        block = None
    if block is None or block.checksum != checksum:
        raise InputChanged(Problem("changed during the run", "", case_file.display_name))
    return block


def _read_whole_file(case_file: CaseFile) -> Iterator[DatasetRow]:
    for row in case_file.read_rows():
        if isinstance(row, Problem):  # the suite had no such problem when it was loaded
            raise UserError(row)
        yield row


def _choose(rows: Iterable[DatasetRow], chosen: Sequence[int]) -> Iterator[DatasetRow]:
    """Yield the rows with these numbers."""
    rows, before = iter(rows), -1
    for number in chosen:
        yield from islice(rows, number - before - 1, number - before)
        before = number
