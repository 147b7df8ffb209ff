"""A results file → columns of what a diff needs of each row, and the row's offset in the file."""

from array import array
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from agentv_py.errors import Problem
from agentv_py.report.confidence import ConfidenceSummary
from agentv_py.report.diff.attribute_rows import AttributeRows
from agentv_py.report.diff.slice_values import SliceValues
from agentv_py.report.differences import join_target
from agentv_py.results.label import RunLabel, read_label
from agentv_py.results.read import ResultsSource, read_located_rows, row_at
from agentv_py.results.row import Row, RowSelection, read_options, read_selection

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FAIL, PARTIAL, PASS, ERROR = range(4)
UNKNOWN_OPTIONS = -1
"""Instead of the hash of what scored a case, where its row does not tell."""
_MOST_KEYS = 1_000
_STATES = {"fail": FAIL, "partial": PARTIAL, "pass": PASS}


class EvaluatorKey(NamedTuple):
    """Evaluators of two suites may share a name, but are two evaluators; so are those that score two targets."""

    suite: str
    name: str
    target: str = ""


class CaseKey(NamedTuple):
    """Both sides name a case by this. A target's answer to a case is a case of its own."""

    suite: str
    case_id: str
    target: str = ""

    @property
    def name(self) -> str:
        """The id, then the target where it is known."""
        return join_target(self.case_id, self.target)


@dataclass(slots=True)
class EvaluatorColumn:
    """The scores of one evaluator, each with the number of its row; errored rows are left out."""

    type: str
    rows: "array[int]" = field(default_factory=lambda: array("q"))
    scores: "array[float]" = field(default_factory=lambda: array("d"))
    attributes: AttributeRows = field(default_factory=AttributeRows)
    confidence: ConfidenceSummary | None = None
    """What is right and wrong at each confidence, where answers have confidences."""


@dataclass(slots=True)
class ResultColumns:
    source: ResultsSource
    cluster_by: str | None = None
    """The metadata key that cases are clustered by."""
    only_target: str | None = None
    """The target whose rows are compared with another target's; None compares all rows."""
    slices: SliceValues = field(default_factory=SliceValues)
    cases: dict[tuple[str, str, str], int] = field(default_factory=dict)
    """Each case, as suite, id and target, with its number, in the order of the file. Of plain tuples, because Python's
    garbage collector visits each of many named ones again and again."""
    offsets: "array[int]" = field(default_factory=lambda: array("q"))
    case_of: "array[int]" = field(default_factory=lambda: array("q"))
    scores: "array[float]" = field(default_factory=lambda: array("d"))
    states: bytearray = field(default_factory=bytearray)
    has_misses: bytearray = field(default_factory=bytearray)
    """By row: whether it has any miss."""
    row_of: "array[int]" = field(default_factory=lambda: array("q"))
    """By case: the number of its first row that did not err; of its first row where all erred."""
    evaluators: dict[EvaluatorKey, EvaluatorColumn] = field(default_factory=dict)
    clusters: dict[int, str] = field(default_factory=dict)
    """By case: its value of the metadata key."""
    options: "array[int]" = field(default_factory=lambda: array("q"))
    """By case: a hash of what scored it, or `UNKNOWN_OPTIONS`."""
    metadata_keys: dict[str, Any] = field(default_factory=dict)
    """The keys of cases without that key, for a message."""
    selections: dict[RowSelection | None, None] = field(default_factory=dict)
    """Which cases the runs of the rows selected; None for a run of every case."""
    labels: dict[RunLabel, None] = field(default_factory=dict)
    """What the user calls the runs of the rows."""
    targets: dict[str, None] = field(default_factory=dict)
    """Every target that a row of the file names."""
    duplicates: int = 0
    """Rows beyond the first of a case that no `repeat` distinguishes."""
    torn_line: Problem | None = None
    _suite: str | None = None
    _has_targets: bool = True
    """Whether cases and evaluators are named by their target as well."""
    _variants: set[int] = field(default_factory=set)

    def read(self) -> None:
        for item in read_located_rows(self.source):
            if isinstance(item, Problem):
                self.torn_line = item
                continue
            target = _read_target(item.row)
            if target not in self.targets:
                self.targets[target] = None
            if self.only_target is None:
                self._add(item.offset, item.row, target)
            elif self.only_target == target:
                self._add(item.offset, item.row, "")
        self._variants.clear()

    def rename_suite(self, name: str) -> None:
        """Name the one suite as the other side does, so that the cases of both can be joined."""
        self._suite = name
        self.cases = {(name, case_id, target): number for (_, case_id, target), number in self.cases.items()}
        self.evaluators = {key._replace(suite=name): column for key, column in self.evaluators.items()}

    @property
    def has_one_target(self) -> bool:
        """Whether suite and id alone tell all cases apart."""
        return len({key[:2] for key in self.cases}) == len(self.cases)

    def leave_out_targets(self) -> None:
        """Name cases and evaluators without their target, so that they can be joined with those of another target."""
        self._has_targets = False
        self.evaluators = {key._replace(target=""): column for key, column in self.evaluators.items()}
        self.cases = {(suite, case_id, ""): number for (suite, case_id, _), number in self.cases.items()}

    @property
    def suites(self) -> list[str]:
        return list(dict.fromkeys(map(itemgetter(0), self.cases)))

    @property
    def errors(self) -> int:
        return self.states.count(ERROR)

    def restrict_confidences(self, cases: "NDArray[np.int64]") -> None:
        """Count the confidences of these cases only: read the rows of the other, few cases again and subtract them."""
        if not any(column.confidence for column in self.evaluators.values()):
            return
        known = set(cases.tolist())
        others = [n for n, case in enumerate(self.case_of) if case not in known and self.states[n] != ERROR]
        with self.open() as file:
            for number in others:
                row = row_at(self.source, file, self.offsets[number])
                for result in row["evaluator_results"]:
                    confidence = self.evaluators[self.find_evaluator(row, result["name"])].confidence
                    if confidence is not None and "observations" in result:
                        confidence.subtract(result["observations"])

    def find_evaluator(self, row: Row, name: str) -> EvaluatorKey:
        """Return the key of an evaluator of a row."""
        has_target = self._has_targets and self.only_target is None
        return EvaluatorKey(self._suite or row["suite"], name, _read_target(row) if has_target else "")

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        with self.source.path.open("rb") as file:
            yield file

    def read_row(self, file: BinaryIO, case: int) -> Row:
        """Read the row that represents a case."""
        return row_at(self.source, file, self.offsets[self.row_of[case]])

    def _add(self, offset: int, row: Row, target: str) -> None:
        number = len(self.offsets)
        is_error = row["status"] == "error"
        key = (row["suite"], row["case_id"], target)
        case = self.cases.get(key)
        self.duplicates += self._is_duplicate(case, row)
        if case is None:
            case = self._add_case(key, number, row)
        elif not is_error and self.states[self.row_of[case]] == ERROR:
            self.row_of[case] = number
        self.offsets.append(offset)
        self.case_of.append(case)
        self.scores.append(row["score"])
        self.states.append(ERROR if is_error else _STATES[row["verdict"]])
        has_misses = False
        if not is_error:
            for result in row["evaluator_results"]:
                has_misses = has_misses or bool(result["misses"])
                self._add_result(number, (row["suite"], result["name"], target), result)
        self.has_misses.append(has_misses)

    def _add_case(self, key: tuple[str, str, str], number: int, row: Row) -> int:
        case = self.cases[key] = len(self.cases)
        selection = read_selection(row["selection"]) if "selection" in row else None
        if selection not in self.selections:
            self.selections[selection] = None
        if "label" in row and (label := read_label(row)) is not None:
            self.labels[label] = None
        self.row_of.append(number)
        if self.slices.keys:
            self.slices.add(case, row)
        options = read_options(row.get("fingerprint"))
        self.options.append(UNKNOWN_OPTIONS if options is None else int(options, 16))
        if self.cluster_by is not None:
            self._add_cluster(case, self.cluster_by, row.get("metadata"))
        return case

    def _add_cluster(self, case: int, key: str, metadata: Any) -> None:
        if isinstance(metadata, dict):
            if metadata.get(key) is not None:
                self.clusters[case] = str(metadata[key])
            elif len(self.metadata_keys) < _MOST_KEYS:
                self.metadata_keys |= metadata

    def _add_result(self, number: int, key: tuple[str, str, str], result: Mapping[str, Any]) -> None:
        column = self.evaluators.get(key)  # type: ignore[call-overload]  # a plain tuple is faster, and equal to a key
        if column is None:
            column = self.evaluators[EvaluatorKey(*key)] = EvaluatorColumn(result["type"])
        column.rows.append(number)
        column.scores.append(result["score"])
        column.attributes.add(result)
        if "observations" in result:
            if column.confidence is None:
                column.confidence = ConfidenceSummary()
            column.confidence.add(result["observations"])

    def _is_duplicate(self, case: int | None, row: Row) -> bool:
        """Repeats distinguish the rows of a case; a row that nothing distinguishes is a duplicate."""
        if "repeat" not in row:
            return case is not None
        number = len(self.cases) if case is None else case
        variant = hash((number, str(row.get("repeat"))))
        is_known = variant in self._variants
        self._variants.add(variant)
        return is_known


def _read_target(row: Row) -> str:
    """Read the target of a row, empty where it names none; other tools write anything under this name."""
    target = row.get("target")
    return "" if target is None else str(target)
