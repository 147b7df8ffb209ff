"""Suite file → a plan that is known to be valid, or every problem at once."""

import os
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from agentv_py.errors import InvalidSuite, Problem, did_you_mean
from agentv_py.evaluators.base import Evaluator
from agentv_py.models.budget import UNPRICED
from agentv_py.models.endpoint import Endpoint
from agentv_py.suite.datasets.coco import read_coco
from agentv_py.suite.datasets.files import expand
from agentv_py.suite.datasets.row import DatasetRow, DecodedRow, describe_repeated_key
from agentv_py.suite.duplicate_ids import Ids, duplicates
from agentv_py.suite.evaluators import evaluators_of, valid_evaluators_of
from agentv_py.suite.inputs import Inputs
from agentv_py.suite.locate import find_node, located, problems_of, spell
from agentv_py.suite.plan import Plan, Selection, Source, id_of
from agentv_py.suite.predictions import Predictions
from agentv_py.suite.schema import CaseRow, Suite
from agentv_py.suite.yaml_document import Node, read_yaml

_MOST_PROBLEMS = 50

# Keys that take any value: a row of these alone, with a text for an id, has nothing to validate.
_UNCHECKED = frozenset({"id", "input", "expected", "candidate"})


def load(file: str, selection: Selection) -> Plan:
    """Read and check everything, before anything runs."""
    return _Loader(file, selection).plan()


class _Loader:
    def __init__(self, file: str, selection: Selection) -> None:
        self.file = file
        self.selection = selection
        self.problems: list[Problem] = []
        self.omitted = 0
        self.warnings: list[Problem] = []
        self.doubted: set[tuple[str, str]] = set()
        self.plain = True
        self.outside = self.asks = self.unpriced = False
        self.reads: dict[Path, None] = {}
        self.key_names: dict[str, None] = {}
        self.inputs = Inputs()
        self.folder = Path(os.path.dirname(file))  # noqa: PTH120  "" stays the working folder

    def plan(self) -> Plan:
        self.inputs.note(Path(self.file))
        node = read_yaml(Path(self.file), self.file)
        if not isinstance(node.value, dict):
            raise InvalidSuite(Problem("a suite must be a mapping", "", self.file, node.line, node.column))
        suite = self._validated(node)
        sources = self._sources(node)
        predictions = Predictions(self._files(node, "predictions"))
        self._note(*predictions.index())
        selected = self._check_cases(suite, sources, predictions)
        self._check_evaluators(suite, node)
        self._check_budget(suite, node)
        if self.problems or suite is None:
            raise InvalidSuite(*sorted(self.problems, key=_place), omitted=self.omitted)
        self._warn_of(predictions)
        name = suite.name or Path(self.file).stem
        reads, key_names = list(self.reads), list(self.key_names)
        seen = (
            self.plain,
            self.outside,
            self.warnings,
            node.value,
            self.asks,
            self.unpriced,
            reads,
            key_names,
            self.inputs,
        )
        return Plan(suite, name, self.file, sources, predictions, selected, *seen)

    def _note(self, *problems: Problem) -> None:
        room = _MOST_PROBLEMS - len(self.problems)
        self.problems.extend(problems[:room])
        self.omitted += max(0, len(problems) - room)

    def _validated(self, node: Node) -> Suite | None:
        try:
            suite = Suite.model_validate(node.value)
        except ValidationError as error:
            self._note(*located(error, Suite, node, self.file))
            return None
        if suite.cases is None and suite.dataset is None:
            self._note(Problem("a suite needs cases: or dataset:", "", self.file, node.line, node.column))
        return suite

    def _sources(self, node: Node) -> list[Source]:
        sources = [*(Source(path, shown) for path, shown in self._files(node, "dataset")), *self._coco(node)]
        inline = node.below.get("cases") if isinstance(node.below, dict) else None
        if inline is None or not isinstance(inline.below, list):
            return sources
        rows = [
            DatasetRow(case.line, {"id": f"case-{number}"} | case.value, column=case.column)
            for number, case in enumerate(inline.below, 1)
            if isinstance(case.value, dict)
        ]
        return [Source(Path(self.file), self.file, rows), *sources]

    def _coco(self, node: Node) -> list[Source]:
        """COCO's two files: the cases come of both, and are called after the first."""
        annotations, results = (self._files(node, "dataset", "coco", key) for key in ("annotations", "results"))
        if len(annotations) > 1 or len(results) > 1:
            at = find_node(node, ["dataset", "coco"])
            self._note(Problem("a glob names several files; name one", "dataset.coco", self.file, at.line, at.column))
        if not annotations:
            return []
        rows: list[DatasetRow] = []
        for row in read_coco(annotations[0], *results[:1]):
            if isinstance(row, Problem):
                self._note(row)
            else:
                rows.append(row)
        return [Source(*annotations[0], rows), *(Source(*file, []) for file in results)]

    def _files(self, node: Node, *place: str) -> list[tuple[Path, str]]:
        given = node.value
        for key in place:
            given = given.get(key) if isinstance(given, dict) else None
        names = [given] if isinstance(given, str) else given if isinstance(given, list) else []
        files: list[tuple[Path, str]] = []
        for index, name in enumerate(names):
            at = find_node(node, [*place, index])
            if isinstance(name, str) and name:
                found, problem = expand(os.path.dirname(self.file), name)  # noqa: PTH120  keeps the user's spelling
                files.extend((Path(one), one) for one in found)
                self.inputs.note(*map(Path, found))
                if problem:
                    self._note(Problem(f"{name!r} {problem}", spell(place), self.file, at.line, at.column))
        return files

    def _check_cases(self, suite: Suite | None, sources: Sequence[Source], predictions: Predictions) -> "array[int]":
        ids, selected, position = Ids(), array("q"), -1
        everything, limit = not (self.selection.cases or self.selection.tags), self.selection.limit
        own_needed, add_id = suite is not None and suite.evaluators is None, ids.add
        for source in sources:
            stem = source.path.stem
            for row in source.values():
                position += 1
                if isinstance(row, Problem):
                    self._note(row)
                    continue
                line, value, plain, repeated, _, column = row
                id_ = value.get("id")
                if not (plain and repeated is None and type(id_) is str and id_ and _UNCHECKED.issuperset(value)):
                    if not self._is_valid(source, row):
                        continue
                    id_ = id_of(value, stem, line)
                add_id(id_)
                predictions.unused.discard(id_)
                if own_needed and not value.get("evaluators"):
                    what = f"case {id_!r} has no evaluators, and neither has the suite"
                    self._note(Problem(what, "", source.shown, line, column))
                if (everything or self.selection.takes(id_, value.get("tags") or ())) and len(selected) != limit:
                    selected.append(position)
        self._note(*duplicates(sources, ids.repeated()))
        return selected

    def _is_valid(self, source: Source, row: DecodedRow) -> bool:
        value = row.value
        if not row.plain:
            self.plain = False
        if row.repeated_key is not None:
            self._doubt(describe_repeated_key(row.repeated_key), source.shown, row.line)
        if source.inline is not None or (_UNCHECKED.issuperset(value) and "id" not in value):
            return True  # the suite's own cases were validated with the suite
        try:
            checked = CaseRow.model_validate(value)
        except ValidationError as error:
            self._note(*problems_of(error, CaseRow, value, source.shown, row.line))
            return False
        for evaluator in checked.evaluators or ():
            for key, what in self._learned(evaluator).problems():
                self._note(Problem(what, spell(_steps(key)), source.shown, row.line))
            for _, what in evaluator.doubts():
                self._doubt(what, source.shown, row.line)
        if not value.keys() <= CaseRow.model_fields.keys():
            self._doubt_keys(value, source, row.line)
        return True

    def _doubt(self, what: str, shown: str, line: int) -> None:
        """A warning about a row, said once for all rows that it is true of."""
        if (shown, what) not in self.doubted:
            self.doubted.add((shown, what))
            self.warnings.append(Problem(what, "", shown, line))

    def _doubt_keys(self, value: dict[str, Any], source: Source, line: int) -> None:
        for key in value.keys() - CaseRow.model_fields.keys():
            if key in (value.get("metadata") or ()):
                self._note(Problem(f"key {key!r} stands in metadata as well", "", source.shown, line))
            hint = did_you_mean(key, list(CaseRow.model_fields))
            if hint:
                self._doubt(f"key {key!r} goes to metadata{hint}", source.shown, line)

    def _warn_of(self, predictions: Predictions) -> None:
        for shown, line, key in predictions.repeated_keys:
            self._doubt(describe_repeated_key(key), shown, line)
        if predictions.unused:
            first, count = min(predictions.unused), len(predictions.unused)
            what = f"{count} of {len(predictions)} predictions match no case; the first is for {first!r}"
            self.warnings.append(Problem(what, "predictions", self.file))
        if predictions.ignored_keys:
            keys = ", ".join(sorted(predictions.ignored_keys))
            self.warnings.append(
                Problem(f"keys beside id and candidate are not used: {keys}", "predictions", self.file)
            )

    def _check_evaluators(self, suite: Suite | None, node: Node) -> None:
        """What the models cannot know of the suite's and the inline cases' evaluators."""
        for place, evaluator in evaluators_of(suite) if suite is not None else valid_evaluators_of(node.value):
            for key, what in self._learned(evaluator).problems():
                wrong = [*place, *_steps(key)]
                at = find_node(node, wrong)
                self._note(Problem(what, spell(wrong), self.file, at.line, at.column))
            for below, what in evaluator.doubts():
                at = find_node(node, [*place, *below])
                self.warnings.append(Problem(what, "", self.file, at.line, at.column))

    def _learned(self, evaluator: Evaluator) -> Evaluator:
        """The evaluator in its place, with what the run must know of it noted."""
        placed = evaluator.placed(self.folder)
        self.inputs.note(*placed.files())
        self.reads |= dict.fromkeys(placed.files())
        self.outside = self.outside or evaluator.outside
        for model in evaluator.models():
            self.asks = True
            if isinstance(model, Endpoint):
                self.unpriced = self.unpriced or model.prices is None
                self.key_names |= dict.fromkeys([model.api_key_env] if model.api_key_env else [])
        return placed

    def _check_budget(self, suite: Suite | None, node: Node) -> None:
        if suite is not None and suite.budget.cost is not None and self.unpriced:
            at = find_node(node, ["budget", "cost"])
            self._note(Problem(UNPRICED, "budget.cost", self.file, at.line, at.column))


def _steps(key: str | tuple[str | int, ...]) -> tuple[str | int, ...]:
    return tuple(key.split(".")) if isinstance(key, str) else key


def _place(problem: Problem) -> tuple[str, int, int]:
    return problem.file, problem.line or 0, problem.column or 0
