"""Suites → results in a file, a summary on stdout, an exit code for CI."""

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from agentv_py.cli import NO_PLUGINS
from agentv_py.cli.errors import ending
from agentv_py.cli.load import load_plans
from agentv_py.cli.options import Quiet, SuiteFiles, write_epilog
from agentv_py.cli.output import forms, say, show, write_all
from agentv_py.cli.progress import show_progress
from agentv_py.errors import NothingSelected, Problem, UserError, printable
from agentv_py.formats import SHOW_ROWS, Format, render

if TYPE_CHECKING:
    from agentv_py.models.policy import CacheUse, Terms
    from agentv_py.run.session import Session
    from agentv_py.suite.plan import Plan
    from agentv_py.suite.schema import Gates

EPILOG = write_epilog(
    {
        "evalctl run suite.yaml": "Run every case of a suite.",
        "evalctl run suite.yaml --case 'invoice-*' --case 'order-*' --tag slow": "Run slow invoices and slow orders.",
        "evalctl run suite.yaml --min-pass-rate 0.95 --report report.html": "Demand that 95 % pass; write a page, too.",
        "evalctl run suite.yaml -o results.jsonl --resume": "Continue a run that ended early.",
    },
    {
        0: "Every case passed, or the gates were met.",
        1: "A case did not pass, or a gate was missed.",
        2: "The usage or a suite is wrong and nothing ran, or something could not be read or written.",
        3: "The run finished, but a case erred, or the budget was spent first.",
        5: "No case was selected.",
    },
)


def run(
    suites: SuiteFiles,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write the results to FILE; '-' is stdout.  [default: a new file in .evalctl/results]",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option("-j", "--jobs", min=1, metavar="N", help="Score in N processes.  [default: as many as cores]"),
    ] = None,
    case: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GLOB",
            help="Run only cases whose id fits GLOB. You may repeat it: a case that fits any GLOB is taken.",
        ),
    ] = None,
    tag: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TAG",
            help="Run only cases that have TAG. You may repeat it: a case that has any TAG is taken. With --case, "
            "both must hold.",
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Run only the first N cases of each suite that --case and --tag take."),
    ] = None,
    fail_under: Annotated[
        float | None,
        typer.Option(
            min=0, max=1, metavar="X", help="Exit 1 if the mean score is below X. This replaces the suite's own gate."
        ),
    ] = None,
    min_pass_rate: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            metavar="X",
            help="Exit 1 if the share of cases that pass is below X. This replaces the suite's own gate.",
        ),
    ] = None,
    exit_zero: Annotated[bool, typer.Option("--exit-zero", help="Exit 0 instead of 1 or 3.")] = False,
    no_data: Annotated[
        bool, typer.Option("--no-data", help="Leave expected values and answers out of the results.")
    ] = False,
    form: Annotated[Format, typer.Option("--format", help="Choose the format of the summary.")] = "console",
    reports: Annotated[
        list[str] | None,
        typer.Option(
            "--report",
            metavar="FILE",
            help="Write a further report to FILE, in the format of its suffix: .json, .md, .csv, .xml, .html or "
            ".txt. You may repeat it: every FILE is written.",
        ),
    ] = None,
    annotate: Annotated[
        Literal["github"] | None,
        typer.Option("--annotations", help="Print GitHub's annotations for the first cases that do not pass."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue the file of -o: run the cases that it lacks or that erred.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Resume even if the suite has changed.")] = False,
    budget: Annotated[
        float | None, typer.Option(min=0, metavar="COST", help="Stop the run when the models have cost COST.")
    ] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Neither read nor keep answers of models.")] = False,
    refresh: Annotated[bool, typer.Option("--refresh", help="Ask models again and keep the new answers.")] = False,
    quiet: Quiet = False,
) -> None:
    """Run suites, write their results and show a summary.

    Without gates every case must pass. Gates (in the suite, --fail-under, --min-pass-rate) decide alone between exit
    codes 0 and 1.
    """
    with ending():
        from agentv_py.process import orphans
        from agentv_py.run.gates import ERRORED, exit_code
        from agentv_py.run.session import resume_plans, run_plans, spooling
        from agentv_py.suite.selection import Selection

        orphans.own_process()
        _check_resume(output, resume=resume, force=force)
        selection = Selection(case or (), tag or (), limit)
        plans = load_plans(suites, selection, quiet=quiet)
        if not any(plan.selected for plan in plans):
            raise NothingSelected(*(_why_nothing(plan, selection.describe_flags()) for plan in plans))
        terms = _terms(plans, budget, no_cache=no_cache, refresh=refresh)
        gates = [_gates(plan, fail_under, min_pass_rate) for plan in plans]
        further = forms(reports or (), [path for plan in plans for path in plan.inputs()])
        os.environ.pop(NO_PLUGINS, None)  # not for judges
        for number in (signal.SIGTERM, signal.SIGHUP):  # so that judges under way are ended too
            signal.signal(number, lambda caught, _: sys.exit(128 + caught))
        shown = {form for _, form in further} | (set() if quiet else {form})
        with spooling(wanted=bool(annotate or shown & SHOW_ROWS)) as spool:
            with show_progress(sum(len(plan.selected) for plan in plans), quiet=quiet) as advance:
                if resume and output is not None:
                    done = resume_plans(plans, output, jobs, advance, data=not no_data, terms=terms, force=force)
                else:
                    done = run_plans(plans, output, jobs, advance, data=not no_data, terms=terms, spool=spool)
            if not quiet:
                show(render(done.whole, form), err=output == "-")
            unwritten = write_all(done.whole, further, [Path(one) for one in done.written])
            if annotate:
                from agentv_py.cli.annotations import annotations

                show((f"{line}\n" for line in annotations(plans, done.whole)), err=output == "-")
        _narrate(plans, done, gates, quiet=quiet)
        if unwritten:
            raise UserError(*unwritten)
        code = max(exit_code(summary, wanted) for summary, wanted in zip(done.summaries, gates, strict=True))
        raise typer.Exit(0 if exit_zero else ERRORED if done.stopped else code)


def _why_nothing(plan: "Plan", flags: str) -> Problem:
    if flags:
        return Problem(f"no case fits {flags}, so nothing ran", "", plan.shown)
    files = ", ".join(source.shown for source in plan.sources)
    return Problem("holds no case, so nothing ran", "", files or plan.shown)


def _narrate(plans: "Sequence[Plan]", done: "Session", gates: "Sequence[Gates]", *, quiet: bool) -> None:
    """What is to know of the run beside its report."""
    from agentv_py.run.gates import missed

    if not quiet:
        say(*(f"warning: {what}" for what in (*done.warnings, *done.never_labelled)))
        for plan, summary, wanted in zip(plans, done.summaries, gates, strict=True):
            say(*(f"gate missed: {plan.name}: {what}" for what in missed(summary, wanted)))
        say(*(f"results: {_linked(file)}" for file in done.written), safe=True)
    say(*(f"error: {what}; --resume goes on with a larger budget" for what in done.stopped))


def _check_resume(output: str | None, *, resume: bool, force: bool) -> None:
    if resume and output in (None, "-"):
        raise UserError("--resume goes on with a file; name it with -o")
    if force and not resume:
        raise UserError("--force goes with --resume")


def _terms(plans: "Sequence[Plan]", budget: float | None, *, no_cache: bool, refresh: bool) -> "Terms":
    """On which terms models are asked."""
    from agentv_py.models.budget import UNPRICED, Budget, Ledger
    from agentv_py.models.policy import Terms

    if no_cache and refresh:
        raise UserError("--no-cache and --refresh contradict each other")
    if budget is not None and (unpriced := next((plan for plan in plans if plan.unpriced), None)):
        raise UserError(Problem(UNPRICED, "--budget", unpriced.shown))
    cache: CacheUse = "off" if no_cache else "refresh" if refresh else "use"
    return Terms(cache, Ledger(Budget(cost=budget)))


def _gates(plan: "Plan", mean_score: float | None, pass_rate: float | None) -> "Gates":
    """The suite's gates, each overridden by its flag."""
    flags = {"mean_score": mean_score, "pass_rate": pass_rate}
    return plan.suite.gates.model_copy(update={name: least for name, least in flags.items() if least is not None})


def _linked(file: str) -> str:
    """The file's name; on a terminal that can follow links, the way to it."""
    name = printable(file)
    if not sys.stderr.isatty() or os.environ.get("TERM", "dumb") == "dumb" or "NO_COLOR" in os.environ:
        return name
    return f"\x1b]8;;{Path(file).absolute().as_uri()}\x1b\\{name}\x1b]8;;\x1b\\"
