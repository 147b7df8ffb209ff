"""A suite file → its rows, one by one, for Python callers."""

import os
import warnings
from collections.abc import Iterator, Sequence

from agentv_py import jsontext
from agentv_py.errors import UserError
from agentv_py.models.policy import CallPolicy
from agentv_py.report.summary import Summary
from agentv_py.results.row import Row
from agentv_py.run.execute import choose_policy
from agentv_py.run.plans import check_code, check_selection, load_plans
from agentv_py.run.request import RunRequest
from agentv_py.run.select import build_selection
from agentv_py.run.session import check_inputs
from agentv_py.run.suite_run import SuiteRun
from agentv_py.score import MEAN_RULE
from agentv_py.suite.plan import Plan


def run_suite(
    path: str | os.PathLike[str],
    *,
    cases: Sequence[str] = (),
    tags: Sequence[str] = (),
    limit: int | None = None,
    where: Sequence[str] = (),
    split: str | None = None,
    sample: int | None = None,
    seed: int | None = None,
    shard: str | None = None,
    failed_from: Sequence[str] = (),
    predictions: Sequence[str] = (),
    targets: Sequence[str] = (),
    repeat: int | None = None,
    pass_rule: str = MEAN_RULE,
    jobs: int | None = 1,
    data: bool = True,
    budget: float | None = None,
    no_cache: bool = False,
    refresh: bool = False,
) -> Iterator[Row]:
    """Check a suite, then yield the row of each case as it is scored, in suite order.

    The options are those of `evalctl run`; `jobs=None` uses as many processes as there are cores. Nothing is written
    to disk but the models' cache. What the command would show as a warning is a Python warning. Raise a UserError if
    the suite is invalid, if no case is selected, or, after the last row, if the budget is spent.
    """
    request = RunRequest(
        suites=[os.fspath(path)],
        cases=cases,
        tags=tags,
        limit=limit,
        where=where,
        split=split,
        sample=sample,
        seed=seed,
        shard=shard,
        failed_from=failed_from,
        predictions=predictions,
        targets=targets,
        repeat=repeat,
        pass_rule=pass_rule,
        jobs=jobs,
        data=data,
        budget=budget,
        no_cache=no_cache,
        refresh=refresh,
    )
    request.check()
    selection = build_selection(request)
    [plan] = load_plans(request.suites, selection, request.answers)
    check_selection([plan], selection)
    check_code([plan])
    for problem in (*plan.warnings, *plan.remarks):
        warnings.warn(str(problem), stacklevel=2)
    return _score(plan, request, choose_policy([plan], request))


def _score(plan: Plan, request: RunRequest, policy: CallPolicy) -> Iterator[Row]:
    summary = Summary()
    with check_inputs([plan]):
        policy = policy.for_suite(plan.suite.budget)
        run = SuiteRun(plan, request.jobs, data=request.data, policy=policy, engine=request.engine)
        for scored in run.score():
            summary.merge(scored.summary)
            for line in bytes(scored.rows).splitlines():
                yield jsontext.loads(line, jsontext.MAX_WRITTEN_DEPTH)
    stops = list(run.describe_stop(summary.cases))
    if stops:
        raise UserError(*stops)
