"""Suites → whether they, their datasets and predictions are valid."""

from agentv_py.commands.ending import ending, say
from agentv_py.commands.options import Quiet, SuiteFiles
from agentv_py.commands.plans import load_plans


def validate(suites: SuiteFiles, quiet: Quiet = False) -> None:
    """Check suites, their datasets and predictions. Nothing is run."""
    with ending():
        from agentv_py.suite.plan import Selection

        for plan in load_plans(suites, Selection(), quiet=quiet):
            if not quiet:
                count = len(plan.selected)
                say(f"{plan.shown}: valid, {count:,} {'case' if count == 1 else 'cases'}", err=False)
