"""A suite → its cases, and the row of any one of them, for callers that run cases one by one."""

from collections.abc import Sequence
from typing import NamedTuple

from agentv_py import jsontext
from agentv_py.errors import UserError
from agentv_py.results.row import Row
from agentv_py.run.execute import choose_policy
from agentv_py.run.plans import load_plans
from agentv_py.run.request import RunRequest
from agentv_py.run.suite_run import SuiteRun
from agentv_py.suite.raw_case import RawCase, build_case
from agentv_py.suite.selection import Selection


class NamedCase(NamedTuple):
    name: str
    """The id; the target follows in brackets if the suite has several."""
    where: str
    """The file and the line."""
    tags: Sequence[str]
    raw: RawCase


class CaseRuns:
    def __init__(self, file: str) -> None:
        """Check the suite, and read its cases. Raises UserError."""
        [self.plan] = load_plans([file], Selection())
        request = RunRequest(suites=[file])
        self._policy = choose_policy([self.plan], request).for_suite(self.plan.suite.budget)
        self.cases = [self._name_case(raw) for raw in self.plan.read_raw_cases()]

    def score(self, case: NamedCase) -> Row:
        """Score one case; ask its target and its models if it needs them. Raises UserError if the budget is spent."""
        run = SuiteRun(self.plan, 1, policy=self._policy)
        lines = [line for scored in run.score_cases(iter([case.raw]), 1) for line in bytes(scored.rows).splitlines()]
        if not lines:
            raise UserError(*run.describe_stop(0))
        row: Row = jsontext.loads(lines[0], jsontext.MAX_WRITTEN_DEPTH)
        return row

    def _name_case(self, raw: RawCase) -> NamedCase:
        case = build_case(raw, self.plan.folder, plain=self.plan.plain)[0]
        has_several = raw.target is not None and len(self.plan.targets) > 1
        files = (file.display_name for file in self.plan.case_files if file.path.stem == raw.stem)
        where = f"{next(files, self.plan.file)}:{raw.line}"
        return NamedCase(f"{case.id}[{raw.target}]" if has_several else case.id, where, case.tags, raw)
