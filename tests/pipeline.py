"""The pipeline from Python: a suite file → a plan → rows."""

from pathlib import Path
from typing import Any

from agentv_py import jsontext
from agentv_py.run.engines import local
from agentv_py.run.scorer import chunks, scorer_of
from agentv_py.suite.load import load
from agentv_py.suite.plan import Plan
from agentv_py.suite.selection import Selection


def plan_of(path: Path, selection: Selection | None = None) -> Plan:
    return load(str(path), selection or Selection())


def rows_of(plan: Plan, jobs: int = 1) -> list[dict[str, Any]]:
    scored = local.run(scorer_of(plan), chunks(plan.raw_cases()), jobs)
    return [jsontext.loads(line) for chunk in scored for line in chunk.rows.splitlines()]
