"""A suite file → items of pytest: one for each case and target. An item passes if the case does."""

import os
from collections.abc import Iterator
from typing import Any

import pytest

from agentv_py.errors import UserError
from agentv_py.report.explanation.case import explain_row
from agentv_py.report.explanation.case_model import CaseStory
from agentv_py.report.explanation.suite import build_scoring
from agentv_py.run.case_runs import CaseRuns, NamedCase


class CaseFailed(AssertionError):  # noqa: N818  a finding about a case, not a fault of the program
    """The case does not pass."""

    def __init__(self, story: CaseStory) -> None:
        from agentv_py.formats.story_words import describe_verdict, list_misses

        super().__init__("\n".join([describe_verdict(story), *list_misses(story)]))


class SuiteFile(pytest.File):
    def collect(self) -> Iterator["CaseItem"]:
        try:
            runs = CaseRuns(str(self.path))
        except UserError as error:
            raise self.CollectError("\n".join(f"error: {problem}" for problem in error.problems)) from None
        for case in runs.cases:
            item: CaseItem = CaseItem.from_parent(self, name=case.name, runs=runs, case=case)
            item.extra_keyword_matches.update(case.tags)
            yield item


class CaseItem(pytest.Item):
    def __init__(self, *, runs: CaseRuns, case: NamedCase, **options: Any) -> None:
        super().__init__(**options)
        self._runs = runs
        self._case = case

    def runtest(self) -> None:
        row = self._runs.score(self._case)
        self.user_properties.append(("score", row["score"]))
        if row["verdict"] != "pass":
            scoring = build_scoring(self._runs.plan, row["case_id"])
            raise CaseFailed(explain_row(row, self._case.where, scoring))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, CaseFailed | UserError):
            text = f"{self._case.where}: {excinfo.value}"
            return text.replace(f"{self.config.rootpath}{os.sep}", "")
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[os.PathLike[str] | str, int | None, str]:
        return self.path, None, f"{self.path.name}: {self.name}"
