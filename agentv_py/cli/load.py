"""Suite files → their plans, or the problems of all of them at once."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agentv_py.cli.output import print_lines

if TYPE_CHECKING:
    from agentv_py.suite.plan import Plan
    from agentv_py.suite.selection import Selection


def load_plans(files: Sequence[str], selection: "Selection", *, quiet: bool) -> "list[Plan]":
    """Load every suite, and print its warnings. Raises UserError with the problems of all of them."""
    from agentv_py.run.plans import load_plans as load_all

    plans = load_all(files, selection)
    for plan in () if quiet else plans:
        print_lines(*(f"warning: {problem}" for problem in plan.warnings))
    return plans
