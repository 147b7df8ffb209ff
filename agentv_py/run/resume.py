"""An unfinished results file → the rows that stay, the cases that are missing, and both in one file, in suite order."""

from array import array
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import compress
from typing import NamedTuple

from agentv_py.errors import Problem, Unwritable, UserError
from agentv_py.models.usage import Usage
from agentv_py.results.file import ResultsFile
from agentv_py.results.part import Part
from agentv_py.results.read import read_located_rows_from
from agentv_py.results.row import Fingerprint, Row, read_fingerprint
from agentv_py.results.write import is_device
from agentv_py.run.fingerprint import list_fingerprints
from agentv_py.suite.plan import Plan
from agentv_py.suite.raw_case import RawCase, get_raw_case_id

CaseKey = tuple[str, str, str | None]
"""Suite, case and target."""


class RowLine(NamedTuple):
    """The line of a row: its place in the file, and the facts that a resumed run needs."""

    in_part: bool
    start: int
    length: int
    ok: bool
    """Whether the case need not be run again: it did not err, and it has not changed since."""
    usage: Usage | None
    options: str | None
    """The part of the fingerprint that tells what scored the row."""
    has_data: bool


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
        if not force and (why := earlier.explain_mismatch(data=data)):
            raise UserError(f"{target}: cannot be resumed: {why}; --force resumes it anyway")
        earlier.merge_part()
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
        self.files = {plan.name: plan.file for plan in plans}
        self.order: dict[CaseKey, Fingerprint | None] = {
            (plan.name, *case): fingerprint for plan in plans for case, fingerprint in list_fingerprints(plan)
        }
        """Every case of the run in order, and the fingerprint of its row."""
        self._asked = {
            (plan.name, target.name) for plan in plans for target in plan.targets if target.predictions is None
        }
        """Suite and name of each target that is asked; a recorded answer costs nothing."""
        self.warnings: list[str] = []
        self.lines: dict[CaseKey, RowLine] = {}
        self._changed: set[CaseKey] = set()
        self.read(file)
        if self.part is not None:
            self.read(self.part)
        if not self.lines:
            self.warnings.append(f"{file.target}: has no rows yet, so every case is run")
        if self._changed:
            cases = f"{len(self._changed):,} case{' has' if len(self._changed) == 1 else 's have'}"
            self.warnings.append(f"{file.target}: {cases} changed since, and run again")

    def write(self, rows: bytes | memoryview) -> None:
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
            if self._is_missing((plan.name, get_raw_case_id(raw), raw.target)):
                yield raw

    def list_missing_positions(self, plan: Plan) -> "array[int]":
        """Return the positions of the same cases, if the plan has no targets."""
        keys = (key for key in self.order if key[0] == plan.name)
        return array("q", compress(plan.selected, map(self._is_missing, keys)))

    def _is_missing(self, key: CaseKey) -> bool:
        line = self.lines.get(key)
        return line is None or not line.ok

    def explain_mismatch(self, *, data: bool) -> str:
        """Return why the rows cannot stay as they are; empty if they can."""
        for key, line in self.lines.items():
            if key not in self.order:
                return f"it has a row for {_describe_case(key)}, which is not selected"
            if not line.ok:
                continue
            if line.options is None:
                return f"it is not known by which options the row of {_describe_case(key)} was scored"
            wanted = self.order[key]
            if wanted is not None and line.options != wanted.options:
                other = (
                    f"an option or an evaluator of {self.files[key[0]]}, or a file that one reads, has changed since"
                )
                return f"{other} {_describe_case(key)} was scored"
            if line.has_data != data:
                return f"its rows were written with{'out' if line.has_data else ''} --no-data, and these would not be"
        return ""

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
                key = (row["suite"], row["case_id"], row.get("target"))
                usage = _sum_usage(row, asked=(key[0], key[2]) in self._asked)
                fingerprint = read_fingerprint(row.get("fingerprint"))
                ok = row["status"] == "ok" and not self._is_changed(key, fingerprint)
                options = None if fingerprint is None else fingerprint.options
                yield key, RowLine(file is self.part, start, length, ok, usage or None, options, _has_data(row))

    def _is_changed(self, key: CaseKey, fingerprint: Fingerprint | None) -> bool:
        """Tell whether the case is another one than the one that was scored."""
        wanted = self.order.get(key)
        if wanted is None or fingerprint is None or fingerprint.case == wanted.case:
            return False
        self._changed.add(key)
        return True

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


def _sum_usage(row: Row, *, asked: bool) -> Usage:
    """Return what the models of a row used, those of its evaluators and that of its target."""
    usage = Usage()
    for result in row["evaluator_results"]:
        usage.add(Usage.from_row(result.get("usage")))
    if asked:
        tokens = row.get("tokens")
        counts = tokens if isinstance(tokens, dict) else {}
        known = {"prompt_tokens": counts.get("input"), "completion_tokens": counts.get("output")}
        usage.add(Usage.from_row({"calls": len(row.get("candidates", [0])), "cost": row.get("cost"), **known}))
    return usage


def _describe_case(key: CaseKey) -> str:
    return f"case {key[1]!r}" + ("" if key[2] is None else f" of target {key[2]!r}")


def _has_data(row: Row) -> bool:
    """Tell whether the row was written without --no-data: then a row that did not err has an answer."""
    return "candidate" in row or "candidates" in row
