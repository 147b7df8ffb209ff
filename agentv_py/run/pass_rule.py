"""`--pass-rule` → whether a case with several answers passes."""

import re
from collections.abc import Callable, Sequence

from agentv_py.errors import UserError
from agentv_py.score import MEAN_RULE, SLACK, VerdictName

_RATE = re.compile(r"rate:(0(\.\d+)?|1(\.0+)?)")
_RULES: dict[str, Callable[[float], bool]] = {
    "all": lambda share: share == 1,
    "any": lambda share: share > 0,
    "majority": lambda share: share > 0.5,
}


def check_rule(rule: str) -> None:
    """Raise a UserError if there is no such rule."""
    if rule != MEAN_RULE and rule not in _RULES and not _RATE.fullmatch(rule):
        raise UserError(f"--pass-rule: {rule!r} is no rule; valid: {MEAN_RULE}, {', '.join(_RULES)}, rate:0.8")


def apply_rule(rule: str, verdicts: Sequence[VerdictName], mean: VerdictName) -> VerdictName:
    """Return the verdict of a case. Where the rule says no, it is that of the mean score, but at most partial."""
    if rule == MEAN_RULE:
        return mean
    share = verdicts.count("pass") / len(verdicts)
    passes = _RULES[rule](share) if rule in _RULES else share >= float(rule.removeprefix("rate:")) - SLACK
    if passes:
        return "pass"
    return "fail" if mean == "fail" else "partial"
