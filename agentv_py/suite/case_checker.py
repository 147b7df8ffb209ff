"""Files of cases → their valid cases in order, and errors and warnings about the others."""

from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import ValidationError

from agentv_py.errors import Problem, did_you_mean
from agentv_py.evaluators.base import Evaluator
from agentv_py.suite.case_files import CaseFile
from agentv_py.suite.datasets.row import DecodedRow, describe_repeated_key
from agentv_py.suite.diagnostics import Diagnostics
from agentv_py.suite.duplicate_ids import IdHashes, find_duplicates
from agentv_py.suite.evaluator_checker import EvaluatorChecker
from agentv_py.suite.evaluators import NestedEvaluator
from agentv_py.suite.locate import list_problems
from agentv_py.suite.raw_case import get_case_id
from agentv_py.suite.schema import CaseRow
from agentv_py.suite.selection import PositionedCase
from agentv_py.suite.truth_checker import CasePlace, TruthChecker

# These keys take any value: a row that has no other keys, and a text as its id, needs no validation.
_FREE_KEYS = frozenset({"id", "input", "expected", "candidate"})


class CaseChecker:
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
        self._evaluators = evaluators
        self._truth = truth
        self._unused_predictions = unused_predictions
        self._diagnostics = diagnostics
        self._needs_own = needs_own
        """Whether each case needs evaluators of its own, because the suite has none."""

    def check(self, case_files: Sequence[CaseFile]) -> Iterator[PositionedCase]:
        ids, position = IdHashes(), -1
        add_id, discards = ids.add, [unused.discard for unused in self._unused_predictions]
        for case_file in case_files:
            stem, file = case_file.path.stem, case_file.display_name
            is_observed = self._truth.start_file()
            for row in case_file.read_decoded_rows():
                position += 1
                if isinstance(row, Problem):
                    self._diagnostics.add_errors(row)
                    continue
                line, value, plain, repeated_key, _, column = row
                id_ = value.get("id")
                if not (plain and repeated_key is None and type(id_) is str and id_ and _FREE_KEYS.issuperset(value)):
                    if not self._is_valid(case_file, row):
                        continue
                    id_ = get_case_id(value, stem, line)
                add_id(id_)
                for discard in discards:
                    discard(id_)
                if is_observed and not value.get("evaluators"):
                    is_observed = self._truth.observe(id_, value, (file, line, column))
                elif self._needs_own and not value.get("evaluators"):
                    what = f"case {id_!r} has no evaluators, and neither has the suite"
                    self._diagnostics.add_errors(Problem(what, "", file, line, column, kind="no evaluators"))
                if self.first_id is None:
                    self.first_id = id_
                yield position, id_, value
            self._truth.end_file()
        self._diagnostics.add_errors(*find_duplicates(case_files, ids.find_repeated()))

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
        checked = self._evaluators.check_row(evaluators, *place[:2])
        nested: list[NestedEvaluator] = [(("evaluators", index), own) for index, own in enumerate(checked)]
        self._truth.check_own(nested, value, place)

    def _check_further_keys(self, value: dict[str, Any], display_name: str, line: int) -> None:
        """Check the keys of a row that go to the metadata of its case."""
        for key in value.keys() - CaseRow.model_fields.keys():
            if key in (value.get("metadata") or ()):
                what = f"key {key!r} is in metadata as well; keep one of them"
                self._diagnostics.add_errors(Problem(what, "", display_name, line))
            hint = did_you_mean(key, list(CaseRow.model_fields))
            if hint:
                self._diagnostics.warn(Problem(f"key {key!r} goes to metadata{hint}", "", display_name, line))
