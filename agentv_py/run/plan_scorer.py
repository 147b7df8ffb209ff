"""A plan → the scorer of its cases."""

import os
from pathlib import Path
from typing import Any

from agentv_py.evaluators.grade import assign_names
from agentv_py.run.fingerprint import Fingerprints
from agentv_py.run.scorer import Scorer
from agentv_py.score import Thresholds
from agentv_py.suite.plan import Plan


def make_scorer(plan: Plan, *, data: bool = True) -> Scorer:
    placed = [evaluator.in_folder(Path(plan.folder)) for evaluator in plan.suite.evaluators or []]
    keys = [os.environ.get(name, "").strip() for name in plan.key_names]
    verdicts = plan.suite.verdicts
    return Scorer(
        plan.name,
        assign_names(placed, Thresholds(verdicts.pass_, verdicts.partial)),
        verdicts,
        plan.folder,
        plain=plan.plain,
        data=data,
        keys=keys,
        fingerprints=Fingerprints(plan),
        pass_rule=plan.pass_rule,
        learned=plan.learned,
        slices=plan.slices,
        about=_describe_run(plan, data=data),
        confidence=plan.suite.confidence,
    )


def _describe_run(plan: Plan, *, data: bool) -> dict[str, Any]:
    """Return what every row says about its run: which cases were selected, the label and the commit."""
    selection = plan.selection.to_row(data=data)
    return {**({} if selection is None else {"selection": selection}), **plan.label}
