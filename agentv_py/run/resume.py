"""An unfinished results file → the rows that stay, the cases that are missing, and both in one file, in suite order."""

from array import array
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import compress
from operator import not_
from pathlib import Path
from typing import BinaryIO

from agentv_py.errors import Problem, Unwritable, UserError
from agentv_py.models.usage import Usage
from agentv_py.results.file import ResultsFile
from agentv_py.results.part import Part
from agentv_py.results.read import LocatedRow, ResultsSource, read_located_rows_from, row_at
from agentv_py.results.row import read_fingerprint
from agentv_py.results.write import is_device
from agentv_py.run.case_index import CaseIndex, CaseKey
from agentv_py.run.earlier_row import compare_fingerprints, get_key, has_data, sum_usage
from agentv_py.run.row_places import RowPlace, RowPlaces
from agentv_py.suite.plan import Plan
from agentv_py.suite.raw_case import RawCase


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
        self.cases = CaseIndex(plans)
        self.rows = RowPlaces(len(self.cases))
        self._asked = {
            (plan.name, target.name) for plan in plans for target in plan.targets if target.predictions is None
        }
        """Suite and name of each target that is asked; a recorded answer costs nothing."""
        self._usage: dict[int, Usage] = {}
        """By the number of a case: what the models of its row used, if they used anything."""
        self.warnings: list[str] = []
        self._changed = bytearray(len(self.cases))
        """For each case: whether it is another one than the one that some row of it was scored for."""
        self.read(file)
        if self.part is not None:
            self.read(self.part)
        if not self.rows:
            self.warnings.append(f"{file.target}: has no rows yet, so every case is run")
        if changed := sum(map(self._is_changed, range(len(self.cases)))):
            cases = f"{changed:,} case{' has' if changed == 1 else 's have'}"
            self.warnings.append(f"{file.target}: {cases} changed since, and run again")

    def write(self, rows: bytes | memoryview) -> None:
        """Write new rows to the part."""
        if self.part is not None:
            self.part.append(rows)

    def count_finished(self, plan: Plan) -> Totals:
        """Add up the rows of a plan that are ok."""
        numbers = self.cases.numbers[plan.name]
        totals = Totals(sum(map(self.rows.is_ok, numbers)))
        for number, usage in self._usage.items():
            if number in numbers and self.rows.is_ok(number):
                totals.usage.add(usage)
        return totals

    def list_missing(self, plan: Plan) -> Iterator[RawCase]:
        """Yield the cases of a plan, for each target, that have no row, one with an error, or one of another case."""
        return compress(plan.read_raw_cases(), self._list_whether_missing(plan))

    def list_missing_positions(self, plan: Plan) -> "array[int]":
        """Return the positions of the same cases, if the plan has no targets."""
        return array("q", compress(plan.selected, self._list_whether_missing(plan)))

    def _is_changed(self, number: int) -> bool:
        """Tell whether a case runs again because it is another one than the one that was scored."""
        return bool(self._changed[number]) and not self.rows.is_ok(number)

    def _list_whether_missing(self, plan: Plan) -> Iterator[bool]:
        return map(not_, map(self.rows.is_ok, self.cases.numbers[plan.name]))

    def explain_mismatch(self, *, data: bool) -> str:
        """Return why the rows cannot stay as they are; empty if they can."""
        if self.rows.others:
            return f"it has a row for {_describe_case(next(iter(self.rows.others)))}, which is not selected"
        for number in range(len(self.cases)):
            place = self.rows.get(number)
            if place is None or not place.ok:
                continue
            if place.rules == "unknown":
                return f"it is not known by which options the row of {_describe_case(self._read_key(place))} was scored"
            if place.rules == "other":
                key = self._read_key(place)
                other = (
                    f"an option or an evaluator of {self.files[key[0]]}, or a file that one reads, has changed since"
                )
                return f"{other} {_describe_case(key)} was scored"
            if place.has_data != data:
                return f"its rows were written with{'out' if place.has_data else ''} --no-data, and these would not be"
        return ""

    def _read_key(self, place: RowPlace) -> CaseKey:
        """Read the key of a row that was read before."""
        file = self.part if place.in_part and self.part is not None else self.file
        with file.open_reader() as reader:
            return get_key(row_at(ResultsSource(Path(file.target), file.target), reader, place.start))

    def read(self, file: ResultsFile) -> None:
        """Add the rows of a file. A later row replaces an earlier one, but an error never replaces a row that is ok."""
        with file.open_reader() as reader:
            for located in read_located_rows_from(reader, file.target):
                if isinstance(located, Problem):
                    self.warnings.append(str(located))
                else:
                    self._add(located, in_part=file is self.part)

    def _add(self, located: LocatedRow, *, in_part: bool) -> None:
        start, length, row = located
        key, fingerprint = get_key(row), read_fingerprint(row.get("fingerprint"))
        number = self.cases.find(key)
        wanted = fingerprint if number is None else self.cases.get_fingerprint(number)
        rules, changed = compare_fingerprints(fingerprint, wanted)
        place = RowPlace(in_part, start, length, row["status"] == "ok" and not changed, has_data(row), rules)
        if number is None:
            earlier = self.rows.others.get(key)
            if earlier is None or place.ok or not earlier.ok:
                self.rows.others[key] = place
            return
        if changed and row["status"] == "ok":
            self._changed[number] = 1
        if place.ok or not self.rows.is_ok(number):
            self.rows.set(number, place)
            self._note_usage(number, sum_usage(row, asked=(key[0], key[2]) in self._asked))

    def _note_usage(self, number: int, usage: Usage | None) -> None:
        if usage:
            self._usage[number] = usage
        elif number in self._usage:
            del self._usage[number]

    def merge_part(self) -> None:
        """Make one file with the rows of both, in suite order, and delete the part. Rows are copied byte for byte."""
        if not self.file.is_whole():
            raise self.file.save_beside(self._list_lines())
        if not self.rows.are_in_place(self.file.size):
            self.file.replace(self._content())
            self.rows.locate_in_order()
        if self.part is not None:
            self.part.remove()
            self.part = None

    def _content(self) -> Iterator[bytes]:
        """Yield the rows in order, each from the file that has it."""
        with self._open_readers() as (file, part):
            for stretch in self.rows.list_stretches():
                try:
                    yield from stretch.read(part if stretch.in_part else file)
                except EOFError:
                    raise Unwritable(
                        f"{self.target}: was cut off during the run; --resume runs what is missing"
                    ) from None

    def _list_lines(self) -> Iterator[bytes]:
        """Yield the same line by line. A file that was cut off has only some of them."""
        with self._open_readers() as (file, part):
            for line in self.rows.list_lines():
                reader = part if line.in_part else file
                reader.seek(line.start)
                yield reader.read(line.length).removesuffix(b"\n") + b"\n"

    @contextmanager
    def _open_readers(self) -> Iterator[tuple[BinaryIO, BinaryIO]]:
        """Open the file and its part, without buffers: rows in another order would fill one for each row."""
        with ExitStack() as stack:
            file = stack.enter_context(self.file.open_reader(buffer=0))
            yield file, file if self.part is None else stack.enter_context(self.part.open_reader(buffer=0))


def _describe_case(key: CaseKey) -> str:
    return f"case {key[1]!r}" + ("" if key[2] is None else f" of target {key[2]!r}")
