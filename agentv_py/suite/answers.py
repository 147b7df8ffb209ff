"""Where the answers of a run come from: the suite's targets, or files that the command line names → planned targets."""

import os
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import NamedTuple

from agentv_py.errors import Problem, did_you_mean
from agentv_py.suite.case_files import FileFinder
from agentv_py.suite.predictions import Predictions
from agentv_py.suite.schema import Suite
from agentv_py.targets.base import Target, assign_names
from agentv_py.targets.recorded import Recorded


class AnswerChoice(NamedTuple):
    """What a caller says about the answers of a run. Each field is a flag of the command line."""

    predictions: Sequence[str] = ()
    """FILE or NAME=FILE: recorded answers instead of those that the suite names."""
    targets: Sequence[str] = ()
    """The names of the suite's targets that run; all of them, if there are no names."""


class PlannedTarget(NamedTuple):
    name: str
    options: Target
    predictions: Predictions | None
    """The recorded answers; None if the target is asked."""


class TargetPlanner:
    """Finds the targets of a run, and collects what is wrong with the choice."""

    def __init__(self, choice: AnswerChoice, finder: FileFinder) -> None:
        self._choice = choice
        self._finder = finder
        self.problems: list[Problem] = []

    def plan(self, suite: Suite, file: str) -> list[PlannedTarget]:
        """Return the chosen targets in order: those of the suite, then those of the command line."""
        planned = [*self._choose_from_suite(suite, file), *self._read_flags()]
        seen = set[str]()
        for target in planned:
            if target.name in seen:
                what = f"two targets are named {target.name!r}; name one with --predictions NAME=FILE"
                self.problems.append(Problem(what, "--predictions"))
            seen.add(target.name)
        return planned

    def _choose_from_suite(self, suite: Suite, file: str) -> Iterator[PlannedTarget]:
        targets = suite.list_targets()
        names = assign_names(targets)
        from_flags = {name for name, _ in map(_split_name, self._choice.predictions)}
        for name in self._choice.targets:
            if name not in names and name not in from_flags:
                known = f"known: {', '.join(names)}" if names else "the suite has no targets:"
                what = f"no target is named {name!r}{did_you_mean(name, names) or ';'} {known}"
                self.problems.append(Problem(what, "--target", file))
        for index, (name, target) in enumerate(zip(names, targets, strict=True)):
            if name in self._choice.targets or not (self._choice.targets or self._choice.predictions):
                place = ("target",) if suite.target is not None else ("targets", index)
                files = self._finder.find_at(*place, "predictions") if isinstance(target, Recorded) else None
                yield PlannedTarget(name, target, None if files is None else Predictions(files))

    def _read_flags(self) -> Iterator[PlannedTarget]:
        for given in self._choice.predictions:
            name, path = _split_name(given)
            files, problem = self._finder.find_by_flag(path)
            if problem:
                self.problems.append(Problem(f"{path!r} {problem}", "--predictions"))
            elif not name:
                self.problems.append(Problem(f"{given!r} gives no name; write NAME={given}", "--predictions"))
            else:
                yield PlannedTarget(name, Recorded(type="recorded", predictions=[path]), Predictions(files))


def _split_name(given: str) -> tuple[str, str]:
    """Return the name and the path of NAME=FILE or FILE. Without a name, it is the file's stem or the folder's name."""
    name, mark, path = given.partition("=")
    if mark and name and os.sep not in name and not os.path.exists(given):  # noqa: PTH110  a file may have such a name
        return name, path
    last = PurePath(given)
    return (last.stem if "*" not in last.name else last.parent.name), given
