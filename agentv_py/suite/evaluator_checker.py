"""The evaluators of a suite → errors and warnings about their options, and what a run must know about them."""

from collections.abc import Iterable
from pathlib import Path

from agentv_py.errors import Problem
from agentv_py.evaluators.base import Evaluator
from agentv_py.suite.diagnostics import Diagnostics
from agentv_py.suite.evaluators import NestedEvaluator
from agentv_py.suite.inputs import Inputs
from agentv_py.suite.locate import KeyPath, find_node, format_key_path
from agentv_py.suite.yaml_node import Node


class EvaluatorNeeds:
    """What all evaluators together need of a run."""

    def __init__(self) -> None:
        self.runs_subprocess = False
        """Whether any of them starts another program."""
        self.uses_model = False
        """Whether any of them asks a model."""
        self.learns_from_cases = False
        """Whether any of them compares with what the expected values of all cases show."""
        self.has_unknown_cost = False
        """Whether any of these models has no price, so that the cost of a run is unknown."""
        self.files: dict[Path, None] = {}
        """The files that they read, without repeats and in order."""
        self.key_names: dict[str, None] = {}
        """The environment variables that hold the keys of their models, without repeats and in order."""


class EvaluatorChecker:
    """Finds problems that only the suite's folder shows, such as a missing script."""

    def __init__(self, folder: Path, inputs: Inputs, diagnostics: Diagnostics) -> None:
        self.needs = EvaluatorNeeds()
        self._folder = folder
        self._inputs = inputs
        self._diagnostics = diagnostics

    def check_suite(self, evaluators: Iterable[NestedEvaluator], document: Node, file: str) -> list[NestedEvaluator]:
        """Check the evaluators of a suite and of its inline cases; return them as they work in the suite's folder."""
        placed = [(key_path, self._inspect_evaluator(evaluator)) for key_path, evaluator in evaluators]
        for key_path, evaluator in placed:
            self._add_problems(key_path, evaluator, document, file)
            for below, what in evaluator.warnings():
                node = find_node(document, [*key_path, *below])
                self._diagnostics.warn(node.build_problem(what, "", file))
        return placed

    def check_learned(self, evaluators: Iterable[Evaluator], document: Node, file: str) -> None:
        """Check the evaluators of a suite again, now that those that learn from cases have learned."""
        for index, evaluator in enumerate(evaluators):
            if evaluator.learns_from_cases:
                self._add_problems(("evaluators", index), evaluator.in_folder(self._folder), document, file)

    def check_row(self, evaluators: Iterable[Evaluator], display_name: str, line: int) -> list[Evaluator]:
        """Check the evaluators of one row of a dataset; return them as they work in the suite's folder."""
        placed = [self._inspect_evaluator(evaluator) for evaluator in evaluators]
        for evaluator in placed:
            for key, what in evaluator.problems():
                self._diagnostics.add_errors(Problem(what, format_key_path(_split_key(key)), display_name, line))
            for _, what in evaluator.warnings():
                self._diagnostics.warn(Problem(what, "", display_name, line))
        return placed

    def _add_problems(self, key_path: KeyPath, evaluator: Evaluator, document: Node, file: str) -> None:
        for key, what in evaluator.problems():
            wrong = [*key_path, *_split_key(key)]
            node = find_node(document, wrong)
            self._diagnostics.add_errors(node.build_problem(what, format_key_path(wrong), file))

    def _inspect_evaluator(self, evaluator: Evaluator) -> Evaluator:
        """Add the evaluator's needs to those of the run, and return a copy that works in the suite's folder."""
        in_folder = evaluator.in_folder(self._folder)
        self._inputs.note(*in_folder.files())
        needs = self.needs
        needs.files |= dict.fromkeys(in_folder.files())
        needs.runs_subprocess = needs.runs_subprocess or evaluator.runs_subprocess
        needs.learns_from_cases = needs.learns_from_cases or evaluator.learns_from_cases
        for model in in_folder.models():
            from agentv_py.models.endpoint import Endpoint  # most suites ask no model

            needs.uses_model = True
            if isinstance(model, Endpoint):
                needs.has_unknown_cost = needs.has_unknown_cost or model.prices is None
                needs.key_names |= dict.fromkeys([model.api_key_env] if model.api_key_env else [])
        return in_folder


def _split_key(key: str | KeyPath) -> KeyPath:
    return tuple(key.split(".")) if isinstance(key, str) else key
