"""Where the answers of a run come from: the suite's targets, or files that the command line names → planned targets."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple, cast

from agentv_py.errors import Problem, did_you_mean
from agentv_py.score import MEAN_RULE
from agentv_py.suite.case_files import FileFinder
from agentv_py.suite.locate import KeyPath, find_node, format_key_path
from agentv_py.suite.predictions import Predictions
from agentv_py.suite.schema import Suite
from agentv_py.suite.yaml_node import Node
from agentv_py.targets.base import Target, assign_names

if TYPE_CHECKING:
    from agentv_py.targets.live import LiveTarget


class AnswerChoice(NamedTuple):
    """What a caller says about the answers of a run. Each field is a flag of the command line."""

    predictions: Sequence[str] = ()
    """FILE or NAME=FILE: recorded answers instead of those that the suite names."""
    targets: Sequence[str] = ()
    """The names of the suite's targets that run; all of them, if there are no names."""
    repeat: int | None = None
    """How often each target is asked about a case, instead of its own `repeat`."""
    pass_rule: str = MEAN_RULE
    """When a case with several answers passes: mean, all, any, majority or rate:SHARE."""


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
        self._planned: list[PlannedTarget] = []
        self.problems: list[Problem] = []

    def list_files(self) -> Iterator[Path]:
        """Yield the files, besides recorded answers, that shape the answers."""
        for target in self._planned:
            if target.predictions is None:
                yield from cast("LiveTarget", target.options).list_files()

    def has_unknown_cost(self) -> bool:
        """Tell whether a target is asked whose answers have an unknown cost."""
        asked = (target.options for target in self._planned if target.predictions is None)
        return any(cast("LiveTarget", target).has_unknown_cost for target in asked)

    def plan(self, suite: Suite, document: Node, file: str) -> list[PlannedTarget]:
        """Return the chosen targets in order: those of the suite, then those of the command line."""
        self._planned = planned = [*self._choose_from_suite(suite, document, file), *self._read_flags()]
        if self._choice.repeat is not None and all(target.predictions is not None for target in planned):
            self.problems.append(Problem("no target is asked, so nothing can be repeated", "--repeat", file))
        seen = set[str]()
        for target in planned:
            if target.name in seen:
                what = f"two targets are named {target.name!r}; name one with --predictions NAME=FILE"
                self.problems.append(Problem(what, "--predictions"))
            seen.add(target.name)
        return planned

    def _choose_from_suite(self, suite: Suite, document: Node, file: str) -> Iterator[PlannedTarget]:
        targets = suite.list_targets()
        names = assign_names(targets)
        from_flags = {name for name, _ in map(split_name, self._choice.predictions)}
        for name in self._choice.targets:
            if name not in names and name not in from_flags:
                known = f"known: {', '.join(names)}" if names else "the suite has no targets:"
                what = f"no target is named {name!r}{did_you_mean(name, names) or ';'} {known}"
                self.problems.append(Problem(what, "--target", file))
        for index, (name, target) in enumerate(zip(names, targets, strict=True)):
            if name in self._choice.targets or not (self._choice.targets or self._choice.predictions):
                place: KeyPath = ("target",) if suite.target is not None else ("targets", index)
                if target.is_live:
                    live = self._prepare(cast("LiveTarget", target), name, place, document, file)
                    yield PlannedTarget(name, live, None)
                else:
                    yield PlannedTarget(name, target, Predictions(self._finder.find_at(*place, "predictions")))

    def _prepare(self, target: "LiveTarget", name: str, place: KeyPath, document: Node, file: str) -> "LiveTarget":
        """Return the target as it works in the suite's folder; note what is wrong with it, at its line."""
        if self._choice.repeat is not None:
            target = target.model_copy(update={"repeat": self._choice.repeat})
        ready = target.prepare(Path(os.path.dirname(file)), name)  # noqa: PTH120  "" stays the working folder
        problems = list(target.problems_of_environment()) or list(ready.problems())
        for key, what in problems:
            wrong = (*place, *((key,) if isinstance(key, str) else key))
            node = find_node(document, wrong)
            self.problems.append(node.build_problem(what, format_key_path(wrong), file))
        return ready

    def _read_flags(self) -> Iterator[PlannedTarget]:
        for given in self._choice.predictions:
            from agentv_py.targets.recorded import Recorded  # few runs have this flag

            name, path = split_name(given)
            files, problem = self._finder.find_by_flag(path)
            if problem:
                self.problems.append(Problem(f"{path!r} {problem}", "--predictions"))
            elif not name:
                self.problems.append(Problem(f"{given!r} gives no name; write NAME={given}", "--predictions"))
            else:
                yield PlannedTarget(name, Recorded(type="recorded", predictions=[path]), Predictions(files))


def split_name(given: str) -> tuple[str, str]:
    """Return the name and the path of NAME=FILE or FILE. Without a name, it is the file's stem or the folder's name."""
    name, mark, path = given.partition("=")
    if mark and name and os.sep not in name and not os.path.exists(given):  # noqa: PTH110  a file may have such a name
        return name, path
    last = PurePath(given)
    return (last.stem if "*" not in last.name else last.parent.name), given
