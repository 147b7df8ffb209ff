"""Suites, their datasets and predictions → every problem in them."""

from agentv_py.cli.errors import exit_on_user_error
from agentv_py.cli.load import load_plans
from agentv_py.cli.options import Quiet, SuiteFiles, write_epilog
from agentv_py.cli.output import print_lines

EPILOG = write_epilog(
    {
        "evalctl validate suite.yaml": "Check a suite before it runs.",
        "evalctl validate -q evals/*.yaml": "Check many suites, and print errors only.",
    },
    {0: "Every suite is valid.", 2: "The usage or a suite is wrong."},
)


def validate(suites: SuiteFiles, quiet: Quiet = False) -> None:
    """Check suites, their datasets and predictions.

    The command runs nothing. It shows all problems at once, each with its file and line.
    """
    with exit_on_user_error():
        from agentv_py.suite.selection import Selection

        for plan in load_plans(suites, Selection(), quiet=quiet):
            if not quiet:
                count = len(plan.selected)
                print_lines(f"{plan.file}: valid, {count:,} {'case' if count == 1 else 'cases'}", err=False)
