"""A results file that a run left unfinished → what of it stands, what is still to do, and both in one file again."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from agentv_py.errors import Problem, Unwritable, UserError
from agentv_py.models.usage import Usage
from agentv_py.results.file import ResultsFile, remove_leftovers
from agentv_py.results.part import Part, remove_part
from agentv_py.results.read import located_in
from agentv_py.results.write import is_device
from agentv_py.run import fingerprint
from agentv_py.suite.plan import Plan, RawCase, raw_id

Key = tuple[str, str]
"""Suite and case."""


class _Line(NamedTuple):
    in_part: bool
    start: int
    length: int
    ok: bool
    usage: Usage | None


@dataclass(slots=True)
class Kept:
    """What need not be run again."""

    cases: int = 0
    usage: Usage = field(default_factory=Usage)


def forget(target: str) -> None:
    """Remove what a killed run left beside the file, where another run begins anew."""
    remove_leftovers(target)
    remove_part(target)


@contextmanager
def resumed(target: str, plans: Sequence[Plan], *, data: bool, force: bool) -> "Iterator[Earlier]":
    """New rows go to a part beside the file. At the end, however it comes, both are put in order under the file's name.

    A run that is killed leaves the file as it was and the part as far as it came; the next one starts from both.
    """
    if is_device(target):
        raise Unwritable(f"{target}: is no file that could be resumed")
    with ResultsFile.open(target, [path for plan in plans for path in plan.inputs()]) as file:
        earlier = Earlier(file, plans)
        why = earlier.lines and not force and (fingerprint.changed(target, plans, data=data) or earlier.unknown())
        if why:
            raise UserError(f"{target}: cannot be resumed: {why}; --force resumes it anyway")
        earlier.settle()
        fingerprint.note(target, plans, data=data)
        with Part.create(target) as part:
            earlier.part = part
            try:
                yield earlier
            finally:
                whole = part.has_its_rows()
                earlier.read(part)
                earlier.settle()
                if not whole:
                    raise Unwritable(f"{part.target}: was overwritten during the run; --resume runs what is missing")


class Earlier:
    """What a results file holds of a run, and what it lacks."""

    def __init__(self, file: ResultsFile, plans: Sequence[Plan]) -> None:
        self.target = file.target
        self.file = file
        self.part = Part.find(file.target)
        self.order: list[Key] = [(plan.name, raw_id(raw)) for plan in plans for raw in plan.raw_cases()]
        self.warnings: list[str] = []
        self.lines: dict[Key, _Line] = {}
        self.read(file)
        if self.part is not None:
            self.read(self.part)
        if not self.lines:
            self.warnings.append(f"{file.target}: there is no row in it yet, so every case is run")

    def write(self, rows: bytes) -> None:
        """Keep new rows in the part."""
        if self.part is not None:
            self.part.append(rows)

    def kept(self, plan: Plan) -> Kept:
        kept = Kept()
        for key in self.order:
            line = self.lines.get(key) if key[0] == plan.name else None
            if line is not None and line.ok:
                kept.cases += 1
                kept.usage.add(line.usage or Usage())
        return kept

    def missing(self, plan: Plan) -> Iterator[RawCase]:
        for raw in plan.raw_cases():
            line = self.lines.get((plan.name, raw_id(raw)))
            if line is None or not line.ok:
                yield raw

    def unknown(self) -> str:
        """A row that this run would not have written."""
        known = set(self.order)
        found = next((key for key in self.lines if key not in known), None)
        return "" if found is None else f"it has a row for case {found[1]!r}, which is not selected"

    def read(self, file: ResultsFile) -> None:
        """Take the rows of a file in; one that is ok stands until there is another."""
        for key, line in self._lines_of(file):
            if key not in self.lines or line.ok or not self.lines[key].ok:
                self.lines[key] = line

    def settle(self) -> None:
        """One file with a row for each case that has one, in suite order; rows that stood in it stay byte for byte."""
        ranks = {key: rank for rank, key in enumerate(self.order)}
        self.lines = dict(sorted(self.lines.items(), key=lambda one: ranks.get(one[0], len(ranks))))
        if not self.file.is_whole():
            raise self.file.save_beside(self._content())
        if not self._is_in_place():
            self.file.replace(self._content())
            self.lines = dict(zip(self.lines, self._moved(), strict=True))
        if self.part is not None:
            self.part.remove()
            self.part = None

    def _lines_of(self, file: ResultsFile) -> Iterator[tuple[Key, _Line]]:
        with file.reading() as reader:
            for one in located_in(reader, file.target):
                if isinstance(one, Problem):
                    self.warnings.append(str(one))
                    continue
                start, length, row = one
                used = Usage()
                for result in row["evaluator_results"]:
                    used.add(Usage.of_row(result.get("usage")))
                line = _Line(file is self.part, start, length, row["status"] == "ok", used or None)
                yield (row["suite"], row["case_id"]), line

    def _is_in_place(self) -> bool:
        """Whether the file is these lines already."""
        lines = self.lines.values()
        starts = [line.start for line in lines]
        whole = sum(line.length for line in lines) == self.file.size
        return whole and starts == sorted(starts) and not any(line.in_part for line in lines)

    def _content(self) -> Iterator[bytes]:
        """The lines in their order, each from the file that has it."""
        with ExitStack() as stack:
            reader = stack.enter_context(self.file.reading())
            part = reader if self.part is None else stack.enter_context(self.part.reading())
            for line in self.lines.values():
                source = part if line.in_part else reader
                source.seek(line.start)
                yield source.read(line.length).removesuffix(b"\n") + b"\n"

    def _moved(self) -> Iterator[_Line]:
        """Where each line is, now that they stand one after the other; each ends with a newline."""
        with self.file.reading() as reader:
            start = 0
            for line, content in zip(self.lines.values(), reader, strict=True):
                yield line._replace(in_part=False, start=start, length=len(content))
                start += len(content)
