"""An unfinished results file → the rows that stay, the cases that are missing, and both in one file, in suite order."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from agentv_py.errors import Problem, Unwritable, UserError
from agentv_py.models.usage import Usage
from agentv_py.results.file import ResultsFile
from agentv_py.results.part import Part
from agentv_py.results.read import read_located_rows_from
from agentv_py.results.write import is_device
from agentv_py.run import fingerprint
from agentv_py.suite.plan import Plan, RawCase, get_raw_case_id

CaseKey = tuple[str, str, str | None]
"""Suite, case and target."""


class RowLine(NamedTuple):
    """The line of a row: its place in the file, and the facts that a resumed run needs."""

    in_part: bool
    start: int
    length: int
    ok: bool
    usage: Usage | None


@dataclass(slots=True)
class Totals:
    """The number of the rows that need not be run again, and what their models used."""

    cases: int = 0
    usage: Usage = field(default_factory=Usage)


@contextmanager
def open_for_resume(target: str, plans: Sequence[Plan], *, data: bool, force: bool) -> "Iterator[EarlierRun]":
    """Lock a results file, write new rows to a part beside it, and merge both at the end, also after an error.

    A run that is killed leaves the file as it was, and the part with the rows so far; the next run starts from both.
    """
    if is_device(target):
        raise Unwritable(f"{target}: cannot be resumed: it is not a file")
    with ResultsFile.open(target, [path for plan in plans for path in plan.list_inputs()]) as file:
        earlier = EarlierRun(file, plans)
        if earlier.lines and not force:
            why = fingerprint.explain_mismatch(target, plans, data=data) or earlier.explain_unknown_row()
            if why:
                raise UserError(f"{target}: cannot be resumed: {why}; --force resumes it anyway")
        earlier.merge_part()
        fingerprint.write(target, plans, data=data)
        with Part.create(target) as part:
            earlier.part = part
            error: UserError | None = None
            try:
                yield earlier
            except UserError as raised:
                error = raised
                raise
            finally:
                _finish(earlier, part, error)


def _finish(earlier: "EarlierRun", part: Part, error: UserError | None) -> None:
    """Merge the part. If that fails after an error, raise both: the first may be the cause."""
    whole = part.has_its_rows()
    try:
        earlier.read(part)
        earlier.merge_part()
    except Unwritable as failure:
        if error is None:
            raise
        raise Unwritable(*error.problems, *failure.problems) from None
    if not whole:
        raise Unwritable(f"{part.target}: was overwritten during the run; --resume runs what is missing")


class EarlierRun:
    """The rows of an earlier run in a results file, and the cases that have no row."""

    def __init__(self, file: ResultsFile, plans: Sequence[Plan]) -> None:
        self.target = file.target
        self.file = file
        self.part = Part.find(file.target)
        self.order: list[CaseKey] = [
            (plan.name, get_raw_case_id(raw), raw.target) for plan in plans for raw in plan.read_raw_cases()
        ]
        self.warnings: list[str] = []
        self.lines: dict[CaseKey, RowLine] = {}
        self.read(file)
        if self.part is not None:
            self.read(self.part)
        if not self.lines:
            self.warnings.append(f"{file.target}: has no rows yet, so every case is run")

    def write(self, rows: bytes) -> None:
        """Write new rows to the part."""
        if self.part is not None:
            self.part.append(rows)

    def count_finished(self, plan: Plan) -> Totals:
        """Add up the rows of a plan that are ok."""
        totals = Totals()
        for key in self.order:
            line = self.lines.get(key) if key[0] == plan.name else None
            if line is not None and line.ok:
                totals.cases += 1
                totals.usage.add(line.usage or Usage())
        return totals

    def list_missing(self, plan: Plan) -> Iterator[RawCase]:
        """Yield the cases of a plan, for each target, that have no row, or one with an error."""
        for raw in plan.read_raw_cases():
            line = self.lines.get((plan.name, get_raw_case_id(raw), raw.target))
            if line is None or not line.ok:
                yield raw

    def explain_unknown_row(self) -> str:
        """Return a message about a row that this run would not write; empty if there is no such row."""
        known = set(self.order)
        unknown = next((key for key in self.lines if key not in known), None)
        if unknown is None:
            return ""
        target = "" if unknown[2] is None else f" of target {unknown[2]!r}"
        return f"it has a row for case {unknown[1]!r}{target}, which is not selected"

    def read(self, file: ResultsFile) -> None:
        """Add the rows of a file. A later row replaces an earlier one, but an error never replaces a row that is ok."""
        for key, line in self._read_lines(file):
            if key not in self.lines or line.ok or not self.lines[key].ok:
                self.lines[key] = line

    def merge_part(self) -> None:
        """Make one file with the rows of both, in suite order, and delete the part. Rows are copied byte for byte."""
        ranks = {key: rank for rank, key in enumerate(self.order)}
        self.lines = dict(sorted(self.lines.items(), key=lambda item: ranks.get(item[0], len(ranks))))
        if not self.file.is_whole():
            raise self.file.save_beside(self._content())
        if not self._is_in_place():
            self.file.replace(self._content())
            self.lines = dict(zip(self.lines, self._locate_lines(), strict=True))
        if self.part is not None:
            self.part.remove()
            self.part = None

    def _read_lines(self, file: ResultsFile) -> Iterator[tuple[CaseKey, RowLine]]:
        with file.open_reader() as reader:
            for located in read_located_rows_from(reader, file.target):
                if isinstance(located, Problem):
                    self.warnings.append(str(located))
                    continue
                start, length, row = located
                usage = Usage()
                for result in row["evaluator_results"]:
                    usage.add(Usage.from_row(result.get("usage")))
                line = RowLine(file is self.part, start, length, row["status"] == "ok", usage or None)
                yield (row["suite"], row["case_id"], row.get("target")), line

    def _is_in_place(self) -> bool:
        """Tell whether the file already consists of these lines."""
        lines = self.lines.values()
        starts = [line.start for line in lines]
        whole = sum(line.length for line in lines) == self.file.size
        return whole and starts == sorted(starts) and not any(line.in_part for line in lines)

    def _content(self) -> Iterator[bytes]:
        """Yield the lines in order, each from the file that has it."""
        with ExitStack() as stack:
            file = stack.enter_context(self.file.open_reader())
            part = file if self.part is None else stack.enter_context(self.part.open_reader())
            for line in self.lines.values():
                reader = part if line.in_part else file
                reader.seek(line.start)
                yield reader.read(line.length).removesuffix(b"\n") + b"\n"

    def _locate_lines(self) -> Iterator[RowLine]:
        """Yield where each line is in the merged file."""
        with self.file.open_reader() as reader:
            start = 0
            for line, content in zip(self.lines.values(), reader, strict=True):
                yield line._replace(in_part=False, start=start, length=len(content))
                start += len(content)
