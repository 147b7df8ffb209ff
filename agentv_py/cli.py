"""argv → one pipeline → exit code."""

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NoReturn

import typer

from agentv_py import __version__
from agentv_py.errors import NothingSelected, Problem, UserError, printable
from agentv_py.formats import SHOW_ROWS, Format, render

if TYPE_CHECKING:
    from typing import TextIO

    from agentv_py.asking.terms import CacheUse, Terms
    from agentv_py.report.kinds import Report
    from agentv_py.results import Source
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
    reports: Annotated[
        list[str] | None, typer.Option("--report", metavar="FILE", help="A further report; its suffix says the format.")
    ] = None,
    annotate: Annotated[
        Literal["github"] | None, typer.Option("--annotations", help="Mark cases that do not pass, at their lines.")
    ] = None,
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
        from agentv_py.delivery import for_file, forms, summarize_job, write
        from agentv_py.report.gates import ERRORED, exit_code, missed
        from agentv_py.session import resume_plans, run_plans, spooling
        from agentv_py.suite.plan import Selection

        _check_resume(output, resume=resume, force=force)
        plans = _load(suites, Selection(case or (), tag or (), limit), quiet=quiet)
        if not any(plan.selected for plan in plans):
            raise NothingSelected("no case was selected, so nothing ran")
        terms = _terms(plans, budget, no_cache=no_cache, refresh=refresh)
        gates = [_gates(plan, fail_under, min_pass_rate) for plan in plans]
        further = forms(reports or (), [path for plan in plans for path in plan.inputs()])
        gc.freeze()
        gc.enable()
        os.environ.pop(_NO_PLUGINS, None)  # not for judges
        for ending in (signal.SIGTERM, signal.SIGHUP):  # so that judges under way are ended too
            signal.signal(ending, lambda number, _: sys.exit(128 + number))
        shown = {form for _, form in further} | (set() if quiet else {form})
        with spooling(wanted=bool(annotate or shown & SHOW_ROWS)) as spool:
            with _progress(plans, quiet=quiet) as advance:
                if resume and output is not None:
                    done = resume_plans(plans, output, jobs, advance, data=not no_data, terms=terms, force=force)
                else:
                    done = run_plans(plans, output, jobs, advance, data=not no_data, terms=terms, spool=spool)
            if not quiet:
                _print(render(done.whole, form), err=output == "-")
            for file, kind in further:
                write(for_file(done.whole, kind), file, [Path(one) for one in done.written])
            summarize_job(done.whole)
            if annotate:
                from agentv_py.annotations import annotations

                _print((f"{line}\n" for line in annotations(plans, done.whole)), err=output == "-")
        if not quiet:
            _say(*(f"warning: {what}" for what in (*done.warnings, *done.never_labelled)))
            for plan, summary, wanted in zip(plans, done.summaries, gates, strict=True):
                _say(*(f"gate missed: {plan.name}: {what}" for what in missed(summary, wanted)))
            _say(*(f"results: {_linked(file)}" for file in done.written), safe=True)
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
        from agentv_py.results import read, rereadable, rows

        with rereadable(results) as sources:
            summary = Summary(full=True, rows=partial(rows, sources, evaluator))
            for source in sources:
                for row in read(source):
                    if isinstance(row, Problem):
                        _say(f"warning: {row}")
                    else:
                        summary.add(row, evaluator)
            if evaluator is not None and evaluator not in summary.evaluators:
                raise UserError(f"no row has an evaluator named {evaluator!r}")
            _deliver(summary, form, output, sources)


@app.command()
def diff(
    baseline: Annotated[str, typer.Argument(metavar="BASELINE", help="Results to compare with.", show_default=False)],
    candidate: Annotated[str, typer.Argument(metavar="CANDIDATE", help="Results to compare.", show_default=False)],
    form: Annotated[Format, typer.Option("--format", help="Of the report.")] = "console",
    output: Annotated[str | None, typer.Option("-o", "--output", metavar="FILE", help="[default: stdout]")] = None,
    fail_on: Annotated[
        list[str] | None, typer.Option(metavar="GATE", help="Exit 1 on this; a word that is none lists them.")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(metavar="KEY", help="Cases with the same value of this metadata key go together.")
    ] = None,
    threshold: Annotated[
        float, typer.Option(min=0, max=1, metavar="D", help="The least change of a case's score that counts as one.")
    ] = 0.0,
    seed: Annotated[int, typer.Option(min=0, metavar="S", help="Of the bootstrap.")] = 0,
) -> None:
    """Show what changed between two results files, and whether it is more than noise."""
    with _ending():
        from agentv_py.report.sentence import uncompared
        from agentv_py.report.strikes import parse_gates, strikes
        from agentv_py.report.weigh import compare
        from agentv_py.results import rereadable

        gates = parse_gates(fail_on or ())
        with rereadable([baseline, candidate]) as (old, new):
            found = compare(old, new, cluster=cluster, threshold=threshold, seed=seed)
            on_screen = form == "console" and output is None  # where the report itself says it
            _say(*(f"warning: {what}" for what in (*found.torn, *(() if on_screen else uncompared(found)))))
            struck = list(strikes(found, gates))
            _deliver(found, form, output, [old, new])
        _say(*(f"gate struck: {what}" for what in struck))
        raise typer.Exit(int(bool(struck)))


@app.command()
def trend(
    results: Annotated[list[str], typer.Argument(metavar="RESULTS...", help="Results files.", show_default=False)],
    form: Annotated[Format, typer.Option("--format", help="Of the report.")] = "console",
    output: Annotated[str | None, typer.Option("-o", "--output", metavar="FILE", help="[default: stdout]")] = None,
    fail_on: Annotated[
        Literal["degrading"] | None, typer.Option(help="Exit 1 where a suite's scores or pass rates are falling.")
    ] = None,
) -> None:
    """Follow scores and pass rates over many runs, the oldest first."""
    with _ending():
        from agentv_py.report.trend import follow
        from agentv_py.results import rereadable

        with rereadable(results) as sources:
            found = follow(sources)
            _say(*(f"warning: {problem}" for problem in found.torn))
            _deliver(found, form, output, sources)
        struck = [series.suite for series in found.series if series.degrading] if fail_on else []
        _say(*(f"gate struck: degrading: {suite}" for suite in struck))
        raise typer.Exit(int(bool(struck)))


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
        _put([spelled(found)], output, [Path(file)])


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


def _print(pieces: Iterable[str], *, err: bool = False) -> None:
    for piece in pieces:
        typer.echo(piece, nl=False, err=err, color=True)  # what renders it has decided about colour


def _deliver(report: "Report", form: Format, output: str | None, inputs: "Sequence[Source]") -> None:
    """The report to a file, or to stdout; and to the job's summary."""
    from agentv_py.delivery import for_file, summarize_job

    on_screen = output is None or output == "-"
    _put(render(report, form) if on_screen else for_file(report, form), output, [source.path for source in inputs])
    summarize_job(report)


def _put(pieces: Iterable[str], output: str | None, inputs: Sequence[Path]) -> None:
    from agentv_py.delivery import write

    if output is None or output == "-":
        _print(pieces)
    else:
        write(pieces, output, inputs)


def _linked(file: str) -> str:
    """The file's name; on a terminal that can follow links, the way to it."""
    name = printable(file)
    if not sys.stderr.isatty() or os.environ.get("TERM", "dumb") == "dumb" or "NO_COLOR" in os.environ:
        return name
    return f"\x1b]8;;{Path(file).absolute().as_uri()}\x1b\\{name}\x1b]8;;\x1b\\"


def _say(*lines: str, safe: bool = False) -> None:
    for line in lines:
        typer.echo(line if safe else printable(line), err=True, color=True)
