"""A plan → what one of its targets answers to the first case, without the cache."""

from agentv_py.case import Case
from agentv_py.errors import UserError
from agentv_py.models.policy import CallPolicy
from agentv_py.run.answer_stage import AnswerStage
from agentv_py.suite.plan import Plan
from agentv_py.suite.raw_case import build_case


def try_target(plan: Plan, name: str) -> Case:
    """Return the first case with the target's answer, or with its failure. Raise UserError if there is no case."""
    raws = list(plan.read_raw_cases())[:1]
    if not raws:
        raise UserError(f"{plan.file}: holds no case about which {name!r} could be asked")
    [[filled]] = AnswerStage(plan, CallPolicy("off")).fill(raws, most=1)
    return build_case(filled, plan.folder, plain=plan.plain)[0]
