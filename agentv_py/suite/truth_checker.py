"""Evaluators and the expected values of all cases → paths that no case has, values that cannot be read, missing labels.

All cases are looked at and not only the selected ones, because a path that other cases have is not a typo.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, repeat
from operator import itemgetter
from typing import Any, NamedTuple

from agentv_py.case import ABSENT
from agentv_py.comparison.truth import TruthFacts
from agentv_py.comparison.truth.collector import parse_expected
from agentv_py.errors import Problem
from agentv_py.suite.case_files import CaseFile
from agentv_py.suite.diagnostics import Diagnostics
from agentv_py.suite.evaluators import NestedEvaluator
from agentv_py.suite.locate import KeyPath, find_node, format_key_path
from agentv_py.suite.other_names import suggest_other_name
from agentv_py.suite.schema import CaseRow
from agentv_py.suite.truth_report import (
    MissingPath,
    NestedTruth,
    describe_missing,
    describe_unreadable,
    list_missing_paths,
)
from agentv_py.suite.unlabelled_checker import ReadAnswers, UnlabelledChecker
from agentv_py.suite.yaml_node import Node

_READ_EXPECTED = itemgetter("expected")
# The expected values of so many cases are held in memory, to be looked at together.
_BATCH = 256

CasePlace = tuple[str, int, int | None]
"""Where a case is: file, line and column. A plain tuple, because every case has one and few are shown."""


class ExpectedFacts(NamedTuple):
    """What the expected values of some cases of a file have shown."""

    has_labels: bool
    first: tuple[CasePlace, Mapping[str, Any]] | None
    unlabelled: int
    truths: list[TruthFacts]


class TruthChecker:
    """Looks at the expected value of each case once, while the cases are checked."""

    def __init__(
        self,
        evaluators: Iterable[NestedEvaluator],
        document: Node,
        file: str,
        diagnostics: Diagnostics,
        read_answers: ReadAnswers,
    ) -> None:
        self._document = document
        self._file = file
        self._diagnostics = diagnostics
        self._truths = _collect_truths(evaluators)
        self._live = [truth for _, truth in self._truths]
        self._expected: list[Any] = []
        """Expected values that the truths have not looked at, and where they are."""
        self._places: list[CasePlace] = []
        self._answers = UnlabelledChecker(self._truths, read_answers)
        self.is_looking = False
        """Whether there is anything left to look for in the current file."""
        self._has_labels = self._file_has_labels = False
        """Whether any case, and any case of the current file, has an expected value."""
        self._first: tuple[CasePlace, Mapping[str, Any]] | None = None
        """The first case of the current file that has no expected value."""
        self._unlabelled = 0
        self._shared_nodes = 0
        """How many nodes of values the processes have in common that look at one file."""

    def start_file(self) -> None:
        """Begin a file of cases."""
        self._first, self._unlabelled, self._file_has_labels = None, 0, False
        self.is_looking = bool(self._truths)

    def observe(self, id_: str, value: Mapping[str, Any], place: CasePlace) -> None:
        """Look at a case that the suite's evaluators score."""
        expected = value.get("expected", ABSENT)
        if expected is ABSENT:
            self._first = self._first or (place, value)
            self._unlabelled += 1
            return
        self._add_labels([expected], [place])
        if self._answers.is_looking:
            labelled = parse_expected(expected) if type(expected) is str else expected
            self._answers.observe(id_, value, labelled)
        self.is_looking = bool(self._live) or self._answers.is_looking

    def observe_all(self, ids: Sequence[str], values: Sequence[Mapping[str, Any]], file: str, first_line: int) -> None:
        """Look at the cases of consecutive lines. Together they take a fraction of the time that each takes alone."""
        places = list(zip(repeat(file), range(first_line, first_line + len(values)), repeat(None), strict=False))
        expected = _read_labels(values)
        if expected is not None and (not self._answers.is_looking or self._answers.pass_over(expected)):
            self._add_labels(expected, places)
            self.is_looking = bool(self._live) or self._answers.is_looking
            return
        for id_, value, place in zip(ids, values, places, strict=True):
            if self.is_looking:
                self.observe(id_, value, place)

    def _add_labels(self, expected: Sequence[Any], places: Sequence[CasePlace]) -> None:
        self._file_has_labels = self._has_labels = True
        if self._live:
            self._expected += expected
            self._places += places
            if len(self._expected) >= _BATCH:
                self._observe_batch()

    def prepare_to_share(self) -> bool:
        """Return whether other processes may look at the rest of the file. They must look at later cases only."""
        if self._answers.is_looking and self.is_looking:
            return False
        self._observe_batch()
        self._shared_nodes = self._count_nodes()
        return True

    def take_facts(self) -> ExpectedFacts | None:
        """Return what was found since the last call; None if keys are new, whose order only one process can know."""
        self._observe_batch()
        truths = [truth.take_facts() for _, truth in self._truths]
        facts = ExpectedFacts(self._file_has_labels, self._first, self._unlabelled, truths)
        self._first, self._unlabelled, self._file_has_labels = None, 0, False
        return facts if self._count_nodes() == self._shared_nodes else None

    def add_facts(self, facts: ExpectedFacts) -> None:
        """Add what another process has found in later cases of the file."""
        self._observe_batch()
        self._file_has_labels = self._file_has_labels or facts.has_labels
        self._has_labels = self._has_labels or facts.has_labels
        self._first = self._first or facts.first
        self._unlabelled += facts.unlabelled
        for (_, truth), found in zip(self._truths, facts.truths, strict=True):
            truth.add_facts(found)

    def _count_nodes(self) -> int:
        return sum(len(truth.values) for _, truth in self._truths)

    def _observe_batch(self) -> None:
        for truth in self._live:
            truth.observe(self._expected, self._places)
        self._live = [truth for truth in self._live if truth.node is not None]
        self._expected, self._places = [], []

    def end_file(self) -> None:
        """Add an error if no case of the file has an expected value."""
        if self._first is None or self._file_has_labels:
            return
        place, value = self._first
        evaluator = find_node(self._document, self._truths[0][0]).value["type"]
        cases = "the only case has no" if self._unlabelled == 1 else f"none of the {self._unlabelled:,} cases has an"
        hint = suggest_other_name("expected", value.keys() - CaseRow.model_fields.keys())
        what = f"{cases} expected value, which {evaluator} needs{hint}"
        self._diagnostics.add_errors(Problem(what, "", *place))

    def finish(self, case_files: Sequence[CaseFile]) -> None:
        """Add an error or a warning for each path that no case has, and a warning for values that cannot be read."""
        if not self._has_labels:
            return
        self._observe_batch()
        for missing in list_missing_paths(self._truths, lambda: _read_expected_values(case_files)):
            problem = self._locate_missing(missing)
            if missing.path.required:
                self._diagnostics.add_errors(problem)
            else:
                self._diagnostics.warn(problem)
        for key_path, is_key, what in self._answers.list_filled():
            self._diagnostics.warn(self._locate(what, key_path, key=is_key))
        # Two evaluators may read the same field in the same way.
        for warning in dict.fromkeys(_describe_unreadable(self._truths)):
            self._diagnostics.warn(warning._replace(kind=""))

    def check_inline_cases(self, evaluators: Iterable[NestedEvaluator]) -> None:
        """Warn about the evaluators of the cases in the suite file, which are grouped by case."""
        for case_path, own in groupby(evaluators, lambda nested: nested[0][:2]):
            case = find_node(self._document, case_path)
            self.check_own(own, case.value, (self._file, case.line, case.column))

    def check_own(self, evaluators: Iterable[NestedEvaluator], value: Mapping[str, Any], place: CasePlace) -> None:
        """Warn about the evaluators that one case has of its own."""
        truths, expected = _collect_truths(evaluators), value.get("expected", ABSENT)
        file, line, _ = place
        for _, truth in truths if expected is not ABSENT else ():
            truth.observe([expected], [place])
        for missing in list_missing_paths(truths, lambda: [expected]) if expected is not ABSENT else ():
            what = f"the expected value has no {missing.path.path!r}{missing.hint}"
            where = Problem("", format_key_path(missing.key_path), file, line)
            self._diagnostics.warn((self._locate_missing(missing) if file == self._file else where)._replace(what=what))
        for warning in _describe_unreadable(truths):
            self._diagnostics.warn(warning)

    def _locate_missing(self, missing: MissingPath) -> Problem:
        return self._locate(describe_missing(missing), missing.key_path, key=missing.path.is_key)

    def _locate(self, what: str, key_path: KeyPath, *, key: bool) -> Problem:
        node = find_node(self._document, key_path, key=key)
        return node.build_problem(what, format_key_path(key_path), self._file)


def _read_labels(values: Iterable[Mapping[str, Any]]) -> list[Any] | None:
    """Return the expected values of cases; None if a case has none."""
    try:
        return list(map(_READ_EXPECTED, values))
    except KeyError:
        return None


def _collect_truths(evaluators: Iterable[NestedEvaluator]) -> list[NestedTruth]:
    return [(key_path, truth) for key_path, evaluator in evaluators for truth in evaluator.truths()]


def _describe_unreadable(truths: Iterable[NestedTruth]) -> Iterator[Problem]:
    for _, truth in truths:
        for values in truth.list_unreadable():
            where, what = describe_unreadable(values)
            file, line, column = values.where
            yield Problem(what, where, file, line, column, values.note)


def _read_expected_values(case_files: Sequence[CaseFile]) -> Iterator[Any]:
    for case_file in case_files:
        for row in case_file.read_decoded_rows():
            if not isinstance(row, Problem):
                yield row.value.get("expected")
