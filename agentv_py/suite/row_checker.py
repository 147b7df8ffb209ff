"""Rows of a file of cases → its valid cases, and errors and warnings about the others."""

from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any

from pydantic import ValidationError

from agentv_py.errors import Problem, did_you_mean
from agentv_py.evaluators.base import Evaluator
from agentv_py.suite.case_files import CaseFile
from agentv_py.suite.datasets.row import DecodedRow, PlainRows, describe_repeated_key
from agentv_py.suite.diagnostics import Diagnostics, Refusal
from agentv_py.suite.duplicate_ids import IdFacts, IdHashes
from agentv_py.suite.evaluator_checker import EvaluatorChecker
from agentv_py.suite.evaluators import NestedEvaluator
from agentv_py.suite.locate import list_problems
from agentv_py.suite.raw_case import get_case_id
from agentv_py.suite.schema import CaseRow
from agentv_py.suite.selection import CheckedCases
from agentv_py.suite.truth_checker import CasePlace, TruthChecker

# These keys take any value: a row that has no other keys, and a text as its id, needs no validation.
_FREE_KEYS = frozenset({"id", "input", "expected", "candidate"})
_KEYS_OF_KNOWN_TYPES = frozenset({*_FREE_KEYS, "metadata", "tags"})


class RowChecker:
    """Checks rows in order. What it remembers of them does not grow with their size."""

    def __init__(
        self,
        evaluators: EvaluatorChecker,
        truth: TruthChecker,
        unused_predictions: Sequence[set[str]],
        diagnostics: Diagnostics,
        *,
        needs_own: bool,
    ) -> None:
        self.plain = True
        """Whether orjson alone can decode every row without loss."""
        self.first_id: str | None = None
        """The id of the first valid case."""
        self.position = 0
        """The position of the next row."""
        self.ids = IdHashes()
        self._evaluators = evaluators
        self._truth = truth
        self._unused_predictions = unused_predictions
        self._diagnostics = diagnostics
        self._needs_own = needs_own
        """Whether each case needs evaluators of its own, because the suite has none."""

    @property
    def has_predictions(self) -> bool:
        return bool(self._unused_predictions)

    def forget(self) -> None:
        """Forget the rows so far, so that what is known afterwards is about the rows to come."""
        self.plain = True
        self.ids.take_facts()

    def add_facts(self, id_facts: IdFacts, ids: Sequence[str], *, plain: bool) -> None:
        """Add what another process knows about later rows, which are valid."""
        self.plain = self.plain and plain
        self.ids.add_facts(id_facts)
        for unused in self._unused_predictions:
            unused.difference_update(ids)

    def check(self, case_file: CaseFile, rows: PlainRows | DecodedRow | Problem) -> CheckedCases:
        """Return the valid cases among rows that are read together."""
        if isinstance(rows, Problem):
            self._diagnostics.add_errors(rows)
            self.position += 1
            return CheckedCases(())
        if isinstance(rows, PlainRows):
            ids = None if self._needs_own else _read_free_ids(rows.values)
            if ids is not None:
                return self._accept(case_file, rows, ids)
        decoded = rows.list_decoded() if isinstance(rows, PlainRows) else [rows]
        checked = [self._check_row(case_file, row) for row in decoded]
        valid = [case for case in checked if case is not None]
        cases = CheckedCases([case[0] for case in valid], [case[1] for case in valid], [case[2] for case in valid])
        self._add_ids(cases.ids)
        return cases

    def _accept(self, case_file: CaseFile, rows: PlainRows, ids: Sequence[str]) -> CheckedCases:
        """Add rows that need no further check."""
        self._add_ids(ids)
        if self._truth.is_looking:
            self._truth.observe_all(ids, rows.values, case_file.display_name, rows.first_line)
        first, self.position = self.position, self.position + len(ids)
        return CheckedCases(range(first, self.position), ids, rows.values)

    def _check_row(self, case_file: CaseFile, row: DecodedRow) -> tuple[int, str, dict[str, Any]] | None:
        """Return the position, the id and the row of a valid case."""
        position, self.position = self.position, self.position + 1
        value, line, file, column = row.value, row.line, case_file.display_name, row.column
        if not self._is_valid(case_file, row):
            return None
        id_ = get_case_id(value, case_file.path.stem, line)
        if self._truth.is_looking and not value.get("evaluators"):
            self._truth.observe(id_, value, (file, line, column))
        elif self._needs_own and not value.get("evaluators"):
            what = f"case {id_!r} has no evaluators, and neither has the suite"
            self._diagnostics.add_errors(Problem(what, "", file, line, column, kind="no evaluators"))
        return position, id_, value

    def _add_ids(self, ids: Sequence[str]) -> None:
        self.ids.add(ids)
        for unused in self._unused_predictions:
            unused.difference_update(ids)
        if self.first_id is None and ids:
            self.first_id = ids[0]

    def _is_valid(self, case_file: CaseFile, row: DecodedRow) -> bool:
        value = row.value
        if not row.plain:
            self.plain = False
        if row.repeated_key is not None:
            what = describe_repeated_key(row.repeated_key)
            self._diagnostics.warn(Problem(what, "", case_file.display_name, row.line))
        if case_file.inline is not None or (_FREE_KEYS.issuperset(value) and "id" not in value):
            return True  # inline cases are validated with the suite
        try:
            case = CaseRow.model_validate(value)
        except ValidationError as error:
            self._diagnostics.add_errors(*list_problems(error, CaseRow, value, case_file.display_name, row.line))
            return False
        if case.evaluators:
            self._check_own(case.evaluators, value, (case_file.display_name, row.line, None))
        if not value.keys() <= CaseRow.model_fields.keys():
            self._check_further_keys(value, case_file.display_name, row.line)
        return True

    def _check_own(self, evaluators: Sequence[Evaluator], value: dict[str, Any], place: CasePlace) -> None:
        """Check the evaluators of one row of a dataset."""
        if self._diagnostics.refuses:  # the run must know what they need
            raise Refusal
        checked = self._evaluators.check_row(evaluators, *place[:2])
        nested: list[NestedEvaluator] = [(("evaluators", index), own) for index, own in enumerate(checked)]
        self._truth.check_own(nested, value, place)

    def _check_further_keys(self, value: dict[str, Any], display_name: str, line: int) -> None:
        """Check the keys of a row that go to the metadata of its case."""
        for key in value.keys() - CaseRow.model_fields.keys():
            if key in (value.get("metadata") or ()):
                what = f"key {key!r} is in metadata as well; keep one of them"
                self._diagnostics.add_errors(Problem(what, "", display_name, line))
            if hint := _suggest_key(key):
                self._diagnostics.warn(Problem(f"key {key!r} goes to metadata{hint}", "", display_name, line))


def _read_free_ids(rows: Sequence[dict[str, Any]]) -> list[str] | None:
    """Return the ids of rows that need no validation; None if any of them needs it."""
    try:
        ids = list(map(_READ_ID, rows))
    except KeyError:
        return None
    if set(map(type, ids)) != {str} or not all(ids):
        return None
    if all(map(_FREE_KEYS.issuperset, rows)):
        return ids
    return ids if all(map(_KEYS_OF_KNOWN_TYPES.issuperset, rows)) and all(map(_has_valid_types, rows)) else None


def _has_valid_types(row: dict[str, Any]) -> bool:
    metadata, tags = row.get("metadata"), row.get("tags")
    has_tags = tags is None or (type(tags) is list and all(type(tag) is str for tag in tags))
    return has_tags and (metadata is None or type(metadata) is dict)


@lru_cache(maxsize=1_024)
def _suggest_key(key: str) -> str:
    return did_you_mean(key, list(CaseRow.model_fields))


_READ_ID = itemgetter("id")
