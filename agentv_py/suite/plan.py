"""A valid suite → its selected cases, one by one."""

import os
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from agentv_py.errors import InputChanged, Problem
from agentv_py.score import MEAN_RULE
from agentv_py.suite.answers import PlannedTarget
from agentv_py.suite.case_files import CaseFile
from agentv_py.suite.case_ranges import CaseRange, SelectedRange, select_ranges
from agentv_py.suite.case_reader import CaseReader, read_row_id
from agentv_py.suite.datasets.reader import FileNote
from agentv_py.suite.inputs import Inputs
from agentv_py.suite.predictions import Predictions
from agentv_py.suite.raw_case import RawCase
from agentv_py.suite.schema import Suite
from agentv_py.suite.selection import SelectedCases
from agentv_py.suite.slice_key import SliceKey

if TYPE_CHECKING:
    from agentv_py.inference.suggestion import Suggestion


class CaseLocation(NamedTuple):
    """Where a case is: in which file, at which line."""

    file: str
    line: int


@dataclass(slots=True, eq=False)
class Plan:
    """A valid suite: what is run, and what is known about it."""

    suite: Suite
    name: str
    file: str
    """The suite file as the user spells it."""
    case_files: Sequence[CaseFile]
    predictions: Predictions
    """Recorded answers that override those of the cases; empty if the suite has targets."""
    selected: "array[int]"
    """Positions of the cases to run, counted over all files of cases."""
    ranges: Sequence[CaseRange]
    """Where all cases are, in order."""
    plain: bool
    """Whether orjson alone can decode every row without loss."""
    runs_subprocess: bool = False
    """Whether any evaluator starts another program."""
    warnings: list[Problem] = field(default_factory=list)
    """What may change the meaning of a figure."""
    remarks: list[Problem] = field(default_factory=list)
    """Warnings that change no figure."""
    notes: Sequence[FileNote] = ()
    """What readers found out about files of cases and predictions."""
    written: Mapping[str, Any] = field(default_factory=dict)
    """The suite as its file has it, before defaults are filled in."""
    uses_model: bool = False
    """Whether any evaluator asks a model."""
    has_unknown_cost: bool = False
    """Whether any of these models has no price, so that the cost of a run is unknown."""
    evaluator_files: Sequence[Path] = ()
    """The files that evaluators read."""
    key_names: Sequence[str] = ()
    """The environment variables that hold the keys of its models."""
    files: Inputs = field(default_factory=Inputs)
    """All of these files, as they were when they were checked."""
    targets: Sequence[PlannedTarget] = ()
    """Where the answers come from. Each case has a row for each of them; without targets, one row."""
    pass_rule: str = MEAN_RULE
    """When a case with several answers passes."""
    learned: "Suggestion | None" = None
    """The comparators that fit the expected values of all cases, if any evaluator learns them."""
    selection: SelectedCases = field(default_factory=SelectedCases)
    """Which of the suite's cases these are, and why."""
    slices: Sequence[SliceKey] = ()
    """What reports are broken down by."""
    unknown_slices: Mapping[str, str] = field(default_factory=dict)
    """The keys of the command line that no case has, each with an explanation."""
    label: Mapping[str, str] = field(default_factory=dict)
    """What every row says about its run: a label and a commit."""

    @property
    def folder(self) -> str:
        return os.path.dirname(self.file)  # noqa: PTH120  "" stays the working folder

    def list_inputs(self) -> Iterator[Path]:
        """Yield every file that this plan reads."""
        yield Path(self.file)
        yield from (case_file.path for case_file in self.case_files)
        for predictions in self._list_predictions():
            yield from predictions.paths()
        yield from self.evaluator_files

    def note_contents(self) -> None:
        """Note the content of every file, so that a change during the run is seen by more than the file's times.

        A file of lines needs no such note: each of its ranges has a checksum, which is compared before it is scored.
        """
        ranges = {case_file.path for case_file in self.case_files if case_file.has_lines}
        for path in self.list_inputs():
            if path not in ranges and path.is_file():
                self.files.checksum(path)

    @property
    def has_live_targets(self) -> bool:
        """Whether any target must be asked, because its answers are not recorded."""
        return any(target.predictions is None for target in self.targets)

    def count_rows(self) -> int:
        """Return how many rows a whole run has: one for each selected case and target."""
        return len(self.selected) * max(1, len(self.targets))

    def list_ranges(self, positions: "array[int] | None" = None) -> Iterator[SelectedRange]:
        """Yield the ranges that hold the selected cases, or those at these positions."""
        return select_ranges(self.ranges, self.selected if positions is None else positions)

    def build_reader(self) -> CaseReader:
        return CaseReader(self.case_files, self.predictions, self.targets)

    def read_raw_cases(self, positions: "array[int] | None" = None) -> Iterator[RawCase]:
        """Yield the selected cases in order, or those at these positions; with targets, once for each target."""
        reader, done = self.build_reader(), 0
        try:
            for part in self.list_ranges(positions):
                for raw in reader.read(part):
                    yield raw
                    done += 1
        finally:
            reader.close()
        if done < len(self.selected if positions is None else positions) * max(1, len(self.targets)):
            files = ", ".join(case_file.display_name for case_file in self.case_files)
            raise InputChanged(Problem("changed during the run: cases that were selected are gone", "", files))

    def _list_predictions(self) -> list[Predictions]:
        return [self.predictions, *(target.predictions for target in self.targets if target.predictions is not None)]

    def locate_cases(self, ids: Collection[str]) -> dict[str, CaseLocation]:
        """Return the file and line of each case that has one of these ids."""
        places: dict[str, CaseLocation] = {}
        for case_file in self.case_files if ids else ():
            for row in case_file.read_rows():
                if len(places) == len(ids):
                    return places
                if not isinstance(row, Problem) and (id_ := read_row_id(case_file, row)) in ids:
                    places[id_] = CaseLocation(case_file.display_name, row.line)
        return places
