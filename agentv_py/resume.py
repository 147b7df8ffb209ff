"""A results file that a run left unfinished → what of it stands, what is still to do, and both in one file again."""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from agentv_py import fingerprint
from agentv_py.asking.usage import Usage
from agentv_py.errors import Problem, UserError
from agentv_py.results import Source, located
from agentv_py.suite.plan import Plan, RawCase, raw_id
from agentv_py.writer import held

Key = tuple[str, str]
"""Suite and case."""


class _Line(NamedTuple):
    file: str
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
    """A part that a killed run left, where another run begins anew."""
    Path(_part(target)).unlink(missing_ok=True)


def _part(target: str) -> str:
    return f"{target}.part"


@contextmanager
def resumed(target: str, plans: Sequence[Plan], *, data: bool, force: bool) -> "Iterator[Earlier]":
    """New rows go to a part beside the file. At the end, however it comes, both are put in order under the file's name.

    A run that is killed leaves the file as it was and the part as far as it came; the next one starts from both.
    """
    with held(target, [path for plan in plans for path in plan.inputs()]):
        earlier = Earlier(target, plans)
        why = earlier.lines and not force and (fingerprint.changed(target, plans, data=data) or earlier.unknown())
        if why:
            raise UserError(f"{target}: cannot be resumed: {why}; --force goes on all the same")
        earlier.settle()
        fingerprint.note(target, plans, data=data)
        try:
            yield earlier
        finally:
            earlier.read(earlier.part)
            earlier.settle()


class Earlier:
    def __init__(self, target: str, plans: Sequence[Plan]) -> None:
        self.target = target
        self.part = _part(target)
        self.order: list[Key] = [(plan.name, raw_id(raw)) for plan in plans for raw in plan.raw_cases()]
        self.warnings: list[str] = []
        self.lines: dict[Key, _Line] = {}
        for file in (target, self.part):
            self.read(file)
        if not self.lines:
            self.warnings.append(f"{target}: there is no row in it yet, so every case is run")

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

    def read(self, file: str) -> None:
        """Take the rows of a file in; one that is ok stands until there is another."""
        for key, line in self._lines_of(file) if Path(file).exists() else ():
            if key not in self.lines or line.ok or not self.lines[key].ok:
                self.lines[key] = line

    def settle(self) -> None:
        """One file with a row for each case that has one, in suite order; rows that stood in it stay byte for byte."""
        ranks = {key: rank for rank, key in enumerate(self.order)}
        self.lines = dict(sorted(self.lines.items(), key=lambda one: ranks.get(one[0], len(ranks))))
        lines = list(self.lines.values())
        if not _in_place(lines, self.target):
            self.lines = dict(zip(self.lines, _rewritten(lines, self.target), strict=True))
        Path(self.part).unlink(missing_ok=True)

    def _lines_of(self, file: str) -> Iterator[tuple[Key, _Line]]:
        for one in located(Source(Path(file), file)):
            if isinstance(one, Problem):
                self.warnings.append(str(one))
                continue
            start, length, row = one
            used = Usage()
            for result in row["evaluator_results"]:
                used.add(Usage.of_row(result.get("usage")))
            line = _Line(file, start, length, row["status"] == "ok", used or None)
            yield (row["suite"], row["case_id"]), line


def _in_place(lines: Sequence[_Line], target: str) -> bool:
    """Whether the file is these lines already."""
    starts = [line.start for line in lines]
    whole = sum(line.length for line in lines) == os.path.getsize(target)  # noqa: PTH202  of the user's spelling
    return whole and starts == sorted(starts) and all(line.file == target for line in lines)


def _rewritten(lines: Sequence[_Line], target: str) -> list[_Line]:
    """The lines in this order, beside the file and then in its place in one step; and where each of them is now."""
    beside, found, start = f"{target}.new", list[_Line](), 0
    with ExitStack() as stack:
        sources = {name: stack.enter_context(Path(name).open("rb")) for name in {line.file for line in lines}}
        new = stack.enter_context(Path(beside).open("wb"))
        for line in lines:
            sources[line.file].seek(line.start)
            length = new.write(sources[line.file].read(line.length).removesuffix(b"\n") + b"\n")
            found.append(line._replace(file=target, start=start, length=length))
            start += length
        new.flush()
        os.fsync(new.fileno())
    Path(beside).replace(target)
    return found
