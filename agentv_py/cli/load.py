"""Suite files → their plans, or the problems of all of them at once."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from agentv_py.cli.output import say
from agentv_py.errors import Problem, UserError

if TYPE_CHECKING:
    from agentv_py.suite.plan import Plan
    from agentv_py.suite.selection import Selection


def load_plans(files: Sequence[str], selection: "Selection", *, quiet: bool) -> "list[Plan]":
    """Load every suite. Raises UserError with the problems of all of them."""
    from agentv_py.suite.load import load

    plans: list[Plan] = []
    problems: list[Problem] = []
    omitted = 0
    for file in files:
        try:
            plan = load(file, selection)
        except UserError as error:
            problems.extend(error.problems)
            omitted += error.omitted
            continue
        if namesake := next((other for other in plans if other.name == plan.name), None):
            is_same = os.path.samefile(namesake.shown, file)  # noqa: PTH121  keeps the user's spelling
            what = "is listed twice" if is_same else f"is named {plan.name!r} like {namesake.shown}; give one a name:"
            problems.append(Problem(what, "", file))
        plans.append(plan)
    if problems:
        raise UserError(*problems, omitted=omitted)
    for plan in () if quiet else plans:
        say(*(f"warning: {problem}" for problem in plan.warnings))
    return plans
