"""argv → one pipeline → exit code."""

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from agentv_py import __version__
from agentv_py.errors import NothingSelected, Problem, UserError, printable
from agentv_py.formats import Format, render

if TYPE_CHECKING:
    from typing import TextIO

    from agentv_py.asking.terms import CacheUse, Terms
    from agentv_py.suite.models import Gates
    from agentv_py.suite.plan import Plan, Selection

_NO_PLUGINS = "PYDANTIC_DISABLE_PLUGINS"
INTERRUPTED = 130
READER_LEFT = 141  # what a shell shows for a program ended by SIGPIPE

app = typer.Typer(
    name="evalctl",
    help="Score structured answers of AI systems against ground truth.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
strategies = typer.Typer(help="Strategies of json_quality.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(strategies, name="strategies")

SuiteFiles = Annotated[list[str], typer.Argument(metavar="SUITE...", help="Suite files.", show_default=False)]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Print errors only.")]


def main() -> NoReturn:
    # A parent that ignores its children leaves that to us, and then nobody could tell how a judge ended.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.environ.setdefault(_NO_PLUGINS, "__all__")  # looking for pydantic's plugins takes longer than any suite's models
    gc.disable()  # everything that is loaded from here to the first case stays
    sys.stdout, sys.stderr = _ready(sys.stdout), _ready(sys.stderr)
    if sys.argv[1:] == ["--version"]:  # typer loads pydantic to read even this
        _show_version()
        sys.exit(0)
    app()
    sys.exit(0)


def _ready(stream: "TextIO | None") -> "TextIO":
    """A stream that takes every character; a closed one is no reason not to run."""
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123  it stays open as long as we run
    stream.reconfigure(errors="backslashreplace")  # type: ignore[attr-defined]
    return stream


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    if version:
        _show_version()
        raise typer.Exit
    if context.invoked_subcommand is None:
        context.fail("Missing command.")


def _show_version() -> None:
    typer.echo(f"evalctl {__version__}")


@app.command()
def run(
    suites: SuiteFiles,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", metavar="FILE", help="Results; '-' is stdout. [default: .evalctl/results/...]"),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("-j", "--jobs", min=1, metavar="N", help="Processes. [default: the cores]")
    ] = None,
    case: Annotated[list[str] | None, typer.Option(metavar="GLOB", help="Only cases with such an id.")] = None,
    tag: Annotated[list[str] | None, typer.Option(metavar="T", help="Only cases with this tag.")] = None,
    limit: Annotated[int | None, typer.Option(min=0, metavar="N", help="Only the first N of them.")] = None,
    fail_under: Annotated[
        float | None, typer.Option(min=0, max=1, metavar="X", help="Gate: the least mean score.")
    ] = None,
    min_pass_rate: Annotated[
        float | None,
        typer.Option(min=0, max=1, metavar="X", help="Gate: the least share of cases that pass."),
    ] = None,
    exit_zero: Annotated[bool, typer.Option("--exit-zero", help="Exit 0 where it would be 1 or 3.")] = False,
    no_data: Annotated[
        bool, typer.Option("--no-data", help="Leave expected and candidate out of the results.")
    ] = False,
    form: Annotated[Format, typer.Option("--format", help="Of the summary.")] = "console",
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the file of -o: missing and errored cases.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Resume although the suite has changed.")] = False,
    budget: Annotated[float | None, typer.Option(min=0, metavar="COST", help="The most that models may cost.")] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Neither read nor keep answers of models.")] = False,
    refresh: Annotated[bool, typer.Option("--refresh", help="Ask models anew, and keep the answers.")] = False,
    quiet: Quiet = False,
) -> None:
    """Run suites: results to a file, a summary to stdout, an exit code for CI."""
    with _ending():
        from agentv_py.report.gates import ERRORED, exit_code, missed
        from agentv_py.session import resume_plans, run_plans
        from agentv_py.suite.plan import Selection

        _check_resume(output, resume=resume, force=force)
        plans = _load(suites, Selection(case or (), tag or (), limit), quiet=quiet)
        if not any(plan.selected for plan in plans):
            raise NothingSelected("no case was selected, so nothing ran")
        terms = _terms(plans, budget, no_cache=no_cache, refresh=refresh)
        gates = [_gates(plan, fail_under, min_pass_rate) for plan in plans]
        gc.freeze()
        gc.enable()
        os.environ.pop(_NO_PLUGINS, None)  # not for judges
        for ending in (signal.SIGTERM, signal.SIGHUP):  # so that judges under way are ended too
            signal.signal(ending, lambda number, _: sys.exit(128 + number))
        with _progress(plans, quiet=quiet) as advance:
            if resume and output is not None:
                done = resume_plans(plans, output, jobs, advance, data=not no_data, terms=terms, force=force)
            else:
                done = run_plans(plans, output, jobs, advance, data=not no_data, terms=terms)
        if not quiet:
            typer.echo(render(done.whole, form), nl=False, err=output == "-", color=True)  # rich has decided
            _say(*(f"warning: {what}" for what in (*done.warnings, *done.never_labelled)))
            for plan, summary, wanted in zip(plans, done.summaries, gates, strict=True):
                _say(*(f"gate missed: {plan.name}: {what}" for what in missed(summary, wanted)))
            _say(*(f"results: {file}" for file in done.written))
        _say(*(f"error: {what}; --resume goes on with a larger budget" for what in done.stopped))
        code = max(exit_code(summary, wanted) for summary, wanted in zip(done.summaries, gates, strict=True))
        code = ERRORED if done.stopped else code
        raise typer.Exit(0 if exit_zero else code)


@app.command()
def validate(suites: SuiteFiles, quiet: Quiet = False) -> None:
    """Check suites, their datasets and predictions, without running anything."""
    with _ending():
        from agentv_py.suite.plan import Selection

        for plan in _load(suites, Selection(), quiet=quiet):
            if not quiet:
                count = len(plan.selected)
                typer.echo(f"{plan.shown}: valid, {count:,} {'case' if count == 1 else 'cases'}")


@app.command()
def report(
    results: Annotated[list[str], typer.Argument(metavar="RESULTS...", help="Results files.", show_default=False)],
    form: Annotated[Format, typer.Option("--format", help="Of the report.")] = "console",
    output: Annotated[str | None, typer.Option("-o", "--output", metavar="FILE", help="[default: stdout]")] = None,
    evaluator: Annotated[str | None, typer.Option(metavar="NAME", help="Only this evaluator.")] = None,
) -> None:
    """Add results up: scores, pass rates, and precision, recall and F1 per attribute."""
    with _ending():
        from agentv_py.report.summary import Summary
        from agentv_py.results import read

        summary = Summary(full=True)
        for file in results:
            for row in read(file):
                if isinstance(row, Problem):
                    _say(f"warning: {row}")
                else:
                    summary.add(row, evaluator)
        if evaluator is not None and evaluator not in summary.evaluators:
            raise UserError(f"no row has an evaluator named {evaluator!r}")
        _deliver(render(summary, form), output, results)


@strategies.command("infer")
def infer_strategies(
    file: Annotated[str, typer.Argument(metavar="SUITE|DATASET", help="A suite or a file of cases.")],
    output: Annotated[str | None, typer.Option("-o", "--output", metavar="FILE", help="[default: stdout]")] = None,
) -> None:
    """Detect the strategy of each field over all cases: JSON to edit, and to name as strategies_file."""
    with _ending():
        from agentv_py.quality.strategies import infer, spelled
        from agentv_py.suite.truth import expected_values

        found, doubts = infer(expected_values(file))
        _say(*(f"warning: {doubt}" for doubt in doubts))
        if not found:
            raise UserError(f"{file}: no case has an expected object with a value in it")
        _deliver(spelled(found), output, [file])


@app.command()
def schema() -> None:
    """Print the JSON Schema of the suite file, for editors."""
    with _ending():
        import json

        from agentv_py.suite.schema import suite_schema

        typer.echo(json.dumps(suite_schema(), indent=2))


@app.command()
def init(folder: Annotated[str, typer.Argument(metavar="[DIR]", show_default=False)] = ".") -> None:
    """Write a small suite that runs."""
    with _ending():
        from agentv_py.suite.starter import write_starter

        suite = write_starter(folder)
        typer.echo(f"wrote {suite} and its dataset\nnow: evalctl run {suite}")


def _load(files: Sequence[str], selection: "Selection", *, quiet: bool) -> "list[Plan]":
    """Every suite, or the problems of all of them at once."""
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
        if clash := next((other for other in plans if other.name == plan.name), None):
            problems.append(Problem(f"is named {plan.name!r} like {clash.shown}; give one a name:", "", file))
        plans.append(plan)
    if problems:
        raise UserError(*problems, omitted=omitted)
    for plan in () if quiet else plans:
        _say(*(f"warning: {problem}" for problem in plan.warnings))
    return plans


def _check_resume(output: str | None, *, resume: bool, force: bool) -> None:
    if resume and output in (None, "-"):
        raise UserError("--resume goes on with a file; name it with -o")
    if force and not resume:
        raise UserError("--force goes with --resume")


def _terms(plans: "Sequence[Plan]", budget: float | None, *, no_cache: bool, refresh: bool) -> "Terms":
    """On which terms models are asked."""
    from agentv_py.asking.budget import UNPRICED, Budget, Ledger
    from agentv_py.asking.terms import Terms

    if no_cache and refresh:
        raise UserError("--no-cache and --refresh contradict each other")
    if budget is not None and (unpriced := next((plan for plan in plans if plan.unpriced), None)):
        raise UserError(Problem(UNPRICED, "--budget", unpriced.shown))
    cache: CacheUse = "off" if no_cache else "refresh" if refresh else "use"
    return Terms(cache, Ledger(Budget(cost=budget)))


@contextmanager
def _progress(plans: "Sequence[Plan]", *, quiet: bool) -> "Iterator[Callable[[int], None]]":
    """A bar on stderr, where somebody can see it."""
    if quiet or not sys.stderr.isatty():
        yield lambda _cases: None
        return
    from agentv_py.formats.console import progress

    with progress(sum(len(plan.selected) for plan in plans)) as advance:
        yield advance


def _gates(plan: "Plan", mean_score: float | None, pass_rate: float | None) -> "Gates":
    """The suite's gates, each overridden by its flag."""
    flags = {"mean_score": mean_score, "pass_rate": pass_rate}
    return plan.suite.gates.model_copy(update={name: least for name, least in flags.items() if least is not None})


@contextmanager
def _ending() -> Iterator[None]:
    """What a user can fix is shown line by line, and ends the command with its exit code."""
    try:
        yield
        sys.stdout.flush()
    except UserError as error:
        _say(*(f"error: {problem}" for problem in error.problems))
        if error.omitted:
            _say(f"error: and {error.omitted:,} more problems")
        raise typer.Exit(error.exit_code) from None
    except KeyboardInterrupt:
        _say("interrupted")
        raise typer.Exit(INTERRUPTED) from None
    except BrokenPipeError:  # as in `evalctl run ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(READER_LEFT) from None
    except OSError as error:
        _say(f"error: standard output cannot be written: {error.strerror}")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(UserError.exit_code) from None


def _deliver(text: str, output: str | None, inputs: Sequence[str]) -> None:
    """The text to a file, or to stdout; what renders it has decided about colour."""
    if output is None or output == "-":
        typer.echo(text, nl=False, color=True)
        return
    try:
        if any(os.path.exists(output) and os.path.samefile(output, one) for one in inputs):  # noqa: PTH110, PTH121  as below
            raise UserError(f"{output}: is an input of this report; name another file with -o")
        with open(output, "w", encoding="utf-8") as file:  # noqa: PTH123  keeps the user's spelling
            file.write(text)
    except OSError as error:
        raise UserError(f"{output}: cannot be written: {error.strerror}") from None


def _say(*lines: str) -> None:
    for line in lines:
        typer.echo(printable(line), err=True)
