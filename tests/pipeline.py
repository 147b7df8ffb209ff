"""The pipeline from Python: a suite file → a plan, or its rows."""

import warnings
from pathlib import Path
from typing import Any, cast

from agentv_py import run_suite
from agentv_py.suite.load import load
from agentv_py.suite.plan import Plan
from agentv_py.suite.selection import Selection


def plan_of(path: Path) -> Plan:
    return load(str(path), Selection())


def rows_of(path: Path, **options: Any) -> list[dict[str, Any]]:
    """The suite's rows, whatever it warns of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cast("list[dict[str, Any]]", list(run_suite(path, **options)))
