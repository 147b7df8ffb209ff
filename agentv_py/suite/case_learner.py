"""The expected values of all cases → the comparators that fit them, for evaluators that learn from cases.

All cases are looked at and not only the selected ones, so that a case has the same score in every run.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from agentv_py.comparison.truth.collector import parse_expected
from agentv_py.errors import Problem
from agentv_py.suite.case_files import CaseFile
from agentv_py.suite.selection import CheckedCases

if TYPE_CHECKING:
    from agentv_py.inference.profile import Profile
    from agentv_py.inference.suggestion import Suggestion


class CaseLearner:
    """Looks at the expected value of each case once, while the cases are checked."""

    def __init__(self) -> None:
        self._profile: Profile | None = None

    def watch(self, cases: Iterable[CheckedCases]) -> Iterator[CheckedCases]:
        """Yield the cases, and take note of their expected values."""
        from agentv_py.inference.profile import Profile  # few suites learn from cases

        profile = self._profile = Profile()
        for checked in cases:
            for row in checked.rows:
                expected = row.get("expected")
                profile.add(parse_expected(expected) if type(expected) is str else expected)
            yield checked

    def suggest(self, case_files: Sequence[CaseFile]) -> "Suggestion":
        """Return what fits. Cases that nobody has watched are read again: one of them learns on its own."""
        from agentv_py.inference.suggest import suggest, suggest_from_values

        if self._profile is not None:
            return suggest(self._profile)
        rows = (row for case_file in case_files for row in case_file.read_decoded_rows())
        return suggest_from_values(row.value.get("expected") for row in rows if not isinstance(row, Problem))
