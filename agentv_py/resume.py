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
from agentv_py.results import Source, held, located
from agentv_py.suite.plan import Plan, RawCase, raw_id

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
def resumed(target: str, plans: Sequence[Plan], *, force: bool) -> "Iterator[Earlier]":
    """New rows go to a part beside the file. At the end, however it comes, both are put in order under the file's name.

    A run that is killed leaves the file as it was and the part as far as it came; the next one starts from both.
    """
    with held(target, [path for plan in plans for path in plan.inputs()]):
        earlier = Earlier(target, plans)
        why = earlier.lines and not force and (fingerprint.changed(target, plans) or earlier.unknown())
        if why:
            raise UserError(f"{target}: cannot be resumed: {why}; --force goes on all the same")
        earlier.settle()
        fingerprint.note(target, plans)
        try:
            yield earlier
        finally:
            earlier.settle()


class Earlier:
    def __init__(self, target: str, plans: Sequence[Plan]) -> None:
        self.target = target
        self.part = _part(target)
        self.order: list[Key] = [(plan.name, raw_id(raw)) for plan in plans for raw in plan.raw_cases()]
        self.warnings: list[str] = []
        self.lines = self._read()

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

    def settle(self) -> None:
        """One file with a row for each case that has one, in suite order; rows that stood in it stay byte for byte."""
        self.lines = self._read()
        ranks = {key: rank for rank, key in enumerate(self.order)}
        lines = [self.lines[key] for key in sorted(self.lines, key=lambda key: ranks.get(key, len(ranks)))]
        if not _in_place(lines, self.target):
            _rewrite(lines, self.target)
        Path(self.part).unlink(missing_ok=True)

    def _read(self) -> dict[Key, _Line]:
        found: dict[Key, _Line] = {}
        for file in (self.target, self.part) if Path(self.part).exists() else (self.target,):
            for key, line in self._lines_of(file):
                if key not in found or line.ok or not found[key].ok:
                    found[key] = line
        return found

    def _lines_of(self, file: str) -> Iterator[tuple[Key, _Line]]:
        for one in located(Source(Path(file), file)):
            if isinstance(one, Problem):
                self.warnings = [str(one)]
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


def _rewrite(lines: Sequence[_Line], target: str) -> None:
    """Beside the file, then in its place in one step."""
    beside = f"{target}.new"
    with ExitStack() as stack:
        sources = {name: stack.enter_context(Path(name).open("rb")) for name in {line.file for line in lines}}
        new = stack.enter_context(Path(beside).open("wb"))
        for line in lines:
            sources[line.file].seek(line.start)
            text = sources[line.file].read(line.length)
            new.write(text if text.endswith(b"\n") else text + b"\n")
        new.flush()
        os.fsync(new.fileno())
    Path(beside).replace(target)
