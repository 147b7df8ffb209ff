"""Suites, their datasets and predictions → every problem in them."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from agentv_py.cli.errors import exit_on_user_error
from agentv_py.cli.options import Quiet, Strict, SuiteFiles, write_epilog
from agentv_py.cli.output import choose_suites, print_lines, print_warnings

if TYPE_CHECKING:
    from agentv_py.suite.plan import Plan

_NO_ANSWER = 3

EPILOG = write_epilog(
    {
        "evalctl validate suite.yaml": "Check a suite before it runs.",
        "evalctl validate --strict evals/*.yaml": "Check many suites, and allow no warning.",
        "evalctl validate suite.yaml --gold": "Check the expected values for repeated cases, gaps and spellings.",
        "evalctl validate suite.yaml --target api": "Ask the target for one answer, and show it.",
    },
    {
        0: "Every suite is valid.",
        2: "The usage or a suite is wrong, or --strict allows no warning.",
        3: "Every suite is valid, but the target of --target gave no answer.",
    },
)


def validate(
    suites: SuiteFiles = None,
    target: Annotated[
        str | None, typer.Option(metavar="NAME", help="Ask the target NAME about one case, and show what came back.")
    ] = None,
    gold: Annotated[
        bool,
        typer.Option("--gold", help="Check the expected values, too: repeated cases, empty fields, mixed spellings."),
    ] = False,
    strict: Strict = False,
    quiet: Quiet = False,
) -> None:
    """Check suites, their datasets and predictions.

    The command runs nothing, unless you name a target. It shows all problems at once, each with its file and line.
    """
    with exit_on_user_error():
        from agentv_py.run.plans import check_code, load_plans
        from agentv_py.suite.answers import AnswerChoice
        from agentv_py.suite.selection import Selection

        choice = AnswerChoice(targets=[] if target is None else [target])
        plans = load_plans(choose_suites(suites, quiet=quiet), Selection(), choice, strict=strict, jobs=None)
        print_warnings(plans, quiet=quiet)
        findings = _check_gold(plans, strict=strict) if gold else {}
        for plan in plans:
            if not quiet:
                print_lines(*(note.text for note in plan.notes), err=False)
                count = len(plan.selected)
                found = _describe_findings(findings[plan.file]) if gold else ""
                print_lines(f"{plan.file}: valid, {count:,} {'case' if count == 1 else 'cases'}{found}", err=False)
        if target is not None:
            check_code(plans)
        answers = [_show_answer(plan, target) for plan in plans] if target is not None else []
        if not all(answers):
            sys.exit(_NO_ANSWER)


def _check_gold(plans: "list[Plan]", *, strict: bool) -> dict[str, int]:
    """Print what is wrong with the ground truth; return the number of findings by suite. Strict: raise them."""
    from agentv_py.errors import InvalidSuite
    from agentv_py.suite.gold.check import GoldChecker

    problems = {plan.file: GoldChecker(plan).check() for plan in plans}
    if strict and any(problems.values()):
        raise InvalidSuite(*(problem for found in problems.values() for problem in found))
    print_lines(*(f"warning: {problem}" for found in problems.values() for problem in found))
    return {file: len(found) for file, found in problems.items()}


def _describe_findings(count: int) -> str:
    found = f"{count:,} {'finding' if count == 1 else 'findings'}" if count else "no finding"
    return f"; {found} about its ground truth"


def _show_answer(plan: "Plan", target: str) -> bool:
    """Ask the target about the first case, and show what came back; False if it gave no answer."""
    from agentv_py import jsontext
    from agentv_py.case import ABSENT
    from agentv_py.run.trial import try_target

    case = try_target(plan, target)
    place = f"{plan.file}: target {target}: case {case.id}"
    if case.failure is not None or (case.candidate is ABSENT and case.candidates is None):
        kind, message = case.failure or ("no_candidate", "the case has no candidate")
        print_lines(f"error: {place}: {kind}: {message}")
        return False
    answer = case.candidate if case.candidates is None else case.candidates
    facts = [f"{name}: {jsontext.dumps(value).decode()}" for name, value in (case.facts or {}).items()]
    print_lines(f"{place}:", f"answer: {jsontext.dumps(answer).decode()}", *facts, err=False)
    return True
