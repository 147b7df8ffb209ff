"""Suites, their datasets and predictions → every problem in them."""

from agentv_py.cli.errors import exit_on_user_error
from agentv_py.cli.options import Quiet, Strict, SuiteFiles, write_epilog
from agentv_py.cli.output import print_lines, print_warnings

EPILOG = write_epilog(
    {
        "evalctl validate suite.yaml": "Check a suite before it runs.",
        "evalctl validate --strict evals/*.yaml": "Check many suites, and allow no warning.",
    },
    {0: "Every suite is valid.", 2: "The usage or a suite is wrong, or --strict allows no warning."},
)


def validate(suites: SuiteFiles, strict: Strict = False, quiet: Quiet = False) -> None:
    """Check suites, their datasets and predictions.

    The command runs nothing. It shows all problems at once, each with its file and line.
    """
    with exit_on_user_error():
        from agentv_py.run.plans import load_plans
        from agentv_py.suite.selection import Selection

        plans = load_plans(suites, Selection(), strict=strict)
        print_warnings(plans, quiet=quiet)
        for plan in plans:
            if not quiet:
                count = len(plan.selected)
                print_lines(f"{plan.file}: valid, {count:,} {'case' if count == 1 else 'cases'}", err=False)
