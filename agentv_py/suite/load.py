"""Suite file → a plan that is known to be valid, or every problem at once."""

import os
from collections.abc import Iterable, Sequence
from itertools import compress
from operator import not_
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from agentv_py.errors import InvalidSuite, Problem
from agentv_py.models.budget import UNKNOWN_COST_MESSAGE
from agentv_py.suite.answers import AnswerChoice, PlannedTarget, TargetPlanner
from agentv_py.suite.case_checker import CaseChecker, Share
from agentv_py.suite.case_files import CaseFile, FileFinder
from agentv_py.suite.case_learner import CaseLearner
from agentv_py.suite.datasets import describe_files
from agentv_py.suite.datasets.reader import FileNote
from agentv_py.suite.datasets.row import describe_repeated_key
from agentv_py.suite.diagnostics import Diagnostics
from agentv_py.suite.evaluator_checker import EvaluatorChecker
from agentv_py.suite.evaluators import NestedEvaluator, list_evaluators, list_valid_evaluators
from agentv_py.suite.inputs import Inputs
from agentv_py.suite.locate import find_node, format_key_path, locate_problems
from agentv_py.suite.plan import Plan
from agentv_py.suite.predictions import Predictions
from agentv_py.suite.read_suite import TargetChoice, read_suite
from agentv_py.suite.row_checker import RowChecker
from agentv_py.suite.schema import Suite
from agentv_py.suite.selection import Selection
from agentv_py.suite.selector import Selector
from agentv_py.suite.slice_checker import SliceChecker, list_slice_keys
from agentv_py.suite.slice_key import NO_SLICES, SliceChoice
from agentv_py.suite.suite_folder import describe_folder
from agentv_py.suite.truth_checker import TruthChecker
from agentv_py.suite.unlabelled_checker import ReadAnswers, build_answer_reader
from agentv_py.suite.yaml_node import Node

if TYPE_CHECKING:
    from agentv_py.inference.suggestion import Suggestion


def load(
    file: str,
    selection: Selection,
    answers: AnswerChoice | None = None,
    slices: SliceChoice = NO_SLICES,
    share: Share | None = None,
) -> Plan:
    """Read and check everything before anything runs. Raises InvalidSuite with every problem.

    With `share`, other processes check parts of large files.
    """
    return _Loader(file, selection, answers or AnswerChoice(), slices, share).load()


class _Loader:
    def __init__(
        self, file: str, selection: Selection, answers: AnswerChoice, slices: SliceChoice, share: Share | None
    ) -> None:
        self.file = file
        self.selection = selection
        self.answers = answers
        self.slices = slices
        self.share = share
        self.inputs = Inputs()
        self.diagnostics = Diagnostics(file)
        folder = Path(os.path.dirname(file))  # noqa: PTH120  "" stays the working folder
        self.evaluators = EvaluatorChecker(folder, self.inputs, self.diagnostics)

    def load(self) -> Plan:
        document = self._read_document()
        suite = self._validate(document)
        files = FileFinder(document, self.file, self.inputs, self.diagnostics)
        case_files = files.find_case_files()
        predictions = Predictions([] if self.answers.predictions else files.find_at("predictions"))
        targets = [] if suite is None else self._plan_targets(suite, document, files)
        recorded = [predictions, *(target.predictions for target in targets if target.predictions is not None)]
        for answers in recorded:
            self.diagnostics.add_errors(*answers.index())
        evaluators = list_valid_evaluators(document.value) if suite is None else list_evaluators(suite)
        read_answers = build_answer_reader(recorded, has_targets=bool(targets))
        truth = self._start_truth_checker(evaluators, document, read_answers)
        needs_own = suite is not None and suite.evaluators is None
        unused = [answers.unused for answers in recorded if answers]
        rows = RowChecker(self.evaluators, truth, unused, self.diagnostics, needs_own=needs_own)
        cases = CaseChecker(rows, truth, self.diagnostics, self.share)
        learner = CaseLearner()
        slices = SliceChecker(suite, self.slices.keys)
        checked = slices.watch(cases.check(case_files))
        selector = Selector(self.selection, self._name_suite(suite), None if suite is None else suite.split)
        learns = self.evaluators.needs.learns_from_cases
        cases.needs_rows = lambda: learns or selector.needs_rows or bool(slices.missing)
        selected = selector.select(learner.watch(checked) if learns else checked)
        if suite is not None:
            self._check_selection(selector, document)
        truth.finish(case_files)
        for answers in recorded:
            answers.close()
        self._check_budget(suite, document)
        self._check_gates(suite, document, targets, slices)
        for answers in recorded:
            self._check_predictions(answers, rows.first_id)
        if suite is None or self.diagnostics.has_errors():
            raise self.diagnostics.build_exception()
        needs = self.evaluators.needs
        learned = learner.suggest(case_files) if needs.learns_from_cases else None
        if learned is not None:
            suite = self._learn(suite, learned, document)
        return Plan(
            suite,
            self._name_suite(suite),
            self.file,
            case_files,
            predictions,
            selected,
            cases.ranges,
            plain=rows.plain,
            runs_subprocess=needs.runs_subprocess,
            warnings=self.diagnostics.list_warnings(),
            remarks=self.diagnostics.list_remarks(),
            notes=self._describe_files(case_files, recorded),
            written=document.value,
            uses_model=needs.uses_model,
            has_unknown_cost=needs.has_unknown_cost,
            evaluator_files=list(needs.files),
            key_names=list(needs.key_names),
            files=self.inputs,
            targets=targets,
            pass_rule=self.answers.pass_rule,
            learned=learned,
            selection=selector.summarize(len(selected)),
            slices=list_slice_keys(suite, self.slices),
            unknown_slices={key: slices.explain(key) for key in self.slices.keys if key in slices.missing},
        )

    def _describe_files(self, case_files: Sequence[CaseFile], recorded: Sequence[Predictions]) -> list[FileNote]:
        cases = [(file.path, file.display_name) for file in case_files if file.inline is None]
        try:
            return describe_files([*cases, *(file for answers in recorded for file in answers.files)])
        except OSError as error:
            raise InvalidSuite(Problem(f"changed while it was checked: {error.strerror}", "", self.file)) from None

    def _name_suite(self, suite: Suite | None) -> str:
        return (suite and suite.name) or Path(self.file).stem

    def _plan_targets(self, suite: Suite, document: Node, files: FileFinder) -> list[PlannedTarget]:
        planner = TargetPlanner(self.answers, files)
        targets = planner.plan(suite, document, self.file)
        self.diagnostics.add_errors(*planner.problems)
        self.inputs.note(*planner.list_files())
        needs = self.evaluators.needs
        needs.has_unknown_cost = needs.has_unknown_cost or planner.has_unknown_cost()
        return targets

    def _read_document(self) -> Node:
        if os.path.isdir(self.file):  # noqa: PTH112  the name may hold a NUL
            raise InvalidSuite(Problem(describe_folder(self.file), "", self.file))
        self.inputs.note(Path(self.file))
        choice = TargetChoice(
            self.answers.targets, is_needed=bool(self.answers.targets or not self.answers.predictions)
        )
        document, files = read_suite(self.file, choice)
        self.inputs.note(*files)
        return document

    def _validate(self, document: Node) -> Suite | None:
        """Return the suite, or None if the schema refuses it."""
        try:
            suite = Suite.model_validate(document.value)
        except ValidationError as error:
            self.diagnostics.add_errors(*locate_problems(error, Suite, document, self.file))
            return None
        if suite.cases is None and suite.dataset is None:
            self._add_error("a suite needs cases: or dataset:", "", document)
        return suite

    def _start_truth_checker(
        self, evaluators: Iterable[NestedEvaluator], document: Node, read_answers: ReadAnswers
    ) -> TruthChecker:
        """Check the evaluators themselves; return what checks them against the expected values."""
        placed = self.evaluators.check_suite(evaluators, document, self.file)
        is_own = [key_path[0] == "cases" for key_path, _ in placed]
        shared = compress(placed, map(not_, is_own))
        truth = TruthChecker(shared, document, self.file, self.diagnostics, read_answers)
        truth.check_inline_cases(compress(placed, is_own))
        return truth

    def _learn(self, suite: Suite, learned: "Suggestion", document: Node) -> Suite:
        """Return the suite with evaluators that compare with what fits all cases. Raises InvalidSuite."""
        evaluators = [evaluator.learn(learned) for evaluator in suite.evaluators or ()]
        self.evaluators.check_learned(evaluators, document, self.file)
        if self.diagnostics.has_errors():
            raise self.diagnostics.build_exception()
        return suite.model_copy(update={"evaluators": evaluators or None})

    def _check_gates(
        self, suite: Suite | None, document: Node, targets: Sequence[PlannedTarget], slices: SliceChecker
    ) -> None:
        problems = list(slices.list_problems())
        if suite is not None and (suite.gates.targets or suite.gates.f1):
            from agentv_py.suite.gate_checker import list_gate_problems  # most suites have no such gates

            problems += list_gate_problems(suite, [target.name for target in targets])
        for place, what in problems:
            self._add_error(what, format_key_path(place), find_node(document, place, key=place[0] == "gates"))

    def _check_budget(self, suite: Suite | None, document: Node) -> None:
        if suite is not None and suite.budget.cost is not None and self.evaluators.needs.has_unknown_cost:
            self._add_error(UNKNOWN_COST_MESSAGE, "budget.cost", find_node(document, ["budget", "cost"]))

    def _check_selection(self, selector: Selector, document: Node) -> None:
        for where, what in selector.explain_split():
            self._add_error(what, where, find_node(document, where.split(".")))
        if selector.without_part and not self.diagnostics.has_errors():
            node = find_node(document, ["split", "by"])
            what = f"{selector.without_part:,} of {selector.total:,} cases have no such value; each is split by its id"
            self.diagnostics.warn(Problem(what, "split.by", self.file, node.line, node.column))
        for problem in self.selection.failed.torn_lines if self.selection.failed else ():
            self.diagnostics.remark(problem)
        if lost := selector.count_lost():
            what = f"{lost:,} case{' that has' if lost == 1 else 's that have'} not passed before"
            self.diagnostics.remark(Problem(f"{what} {'is' if lost == 1 else 'are'} gone", "", self.file))

    def _add_error(self, what: str, where: str, node: Node) -> None:
        self.diagnostics.add_errors(node.build_problem(what, where, self.file))

    def _check_predictions(self, predictions: Predictions, first_case: str | None) -> None:
        for display_name, line, key in predictions.repeated_keys:
            self.diagnostics.warn(Problem(describe_repeated_key(key), "", display_name, line))
        if predictions.unused and first_case is not None:
            first, count = min(predictions.unused), len(predictions.unused)
            if count == len(predictions):
                none = "the only prediction is for no" if count == 1 else f"none of the {count:,} predictions is for a"
                what = f"{none} case"
                what += f"; the first prediction is for {first!r}, the first case is {first_case!r}"
                self.diagnostics.add_errors(Problem(what, "", predictions.display_name))
            else:
                what = f"{count:,} of {len(predictions):,} predictions match no case; the first is for {first!r}"
                self.diagnostics.warn(Problem(what, "", predictions.display_name))
        if predictions.ignored_keys:
            keys = ", ".join(sorted(predictions.ignored_keys))
            what = f"keys beside id and candidate are not used: {keys}"
            self.diagnostics.remark(Problem(what, "", predictions.display_name))
