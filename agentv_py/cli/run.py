"""Suites → results in a file, a summary on stdout, an exit code for CI."""

from typing import Annotated, Literal

import typer

from agentv_py.cli.errors import exit_on_user_error
from agentv_py.cli.options import FailOn, MinCases, NoSummary, Quiet, SliceKeys, Strict, SuiteFiles, write_epilog
from agentv_py.cli.output import choose_suites
from agentv_py.cli.run_options import Against, DiffFiles, Label, PredictionFiles, RecordFile, ReportFiles
from agentv_py.errors import UserError
from agentv_py.formats import Format
from agentv_py.run.engines import EngineChoice, EngineName
from agentv_py.score import MEAN_RULE

EPILOG = write_epilog(
    {
        "evalctl run suite.yaml": "Run every case of a suite.",
        "evalctl run suite.yaml --case 'invoice-*' --case 'order-*' --tag slow": "Run slow invoices and slow orders.",
        "evalctl run suite.yaml --min-pass-rate 0.95 --report report.html": "Demand that 95 % pass; write a page, too.",
        "evalctl run suite.yaml --predictions a.jsonl --predictions b=answers/": "Compare the answers of two models.",
        "evalctl run suite.yaml --against baseline --fail-on broken": "Exit 1 if a case of the baseline broke.",
        "evalctl run suite.yaml -o results.jsonl --resume": "Continue a run that ended early.",
    },
    {
        0: "Every case passed, or the gates were met.",
        1: "A case did not pass, or a gate was missed or violated.",
        2: "The usage or a suite is wrong and nothing ran, or something could not be read or written.",
        3: "The run finished, but a case erred, or the budget was spent first.",
        5: "No case was selected.",
    },
)


def run(
    suites: SuiteFiles = None,
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
    engine: Annotated[
        EngineName, typer.Option(help="Score on this machine, or on the nodes of a Ray cluster.")
    ] = "local",
    address: Annotated[
        str | None,
        typer.Option(
            metavar="HOST:PORT",
            help="Use the Ray cluster at HOST:PORT.  [default: start one on this machine]",
        ),
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
        typer.Option(min=0, metavar="N", help="Run only the first N cases of each suite that the other flags take."),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            help="Run only cases that have VALUE at KEY, such as metadata.vendor=acme; KEY!=VALUE: only the others. "
            "You may repeat it: a case that has any VALUE of each KEY is taken.",
        ),
    ] = None,
    split: Annotated[
        str | None, typer.Option(metavar="NAME", help="Run only the part NAME of the suite's split.")
    ] = None,
    failed_from: Annotated[
        list[str] | None,
        typer.Option(
            "--failed-from",
            metavar="RESULTS",
            help="Run only cases that did not pass in RESULTS. You may repeat it: every file is read.",
        ),
    ] = None,
    last_failed: Annotated[
        bool,
        typer.Option("--last-failed", help="Run only cases that did not pass in the last run without -o."),
    ] = False,
    sample: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Run N cases of each suite, drawn at random.")
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="S", help="Draw another sample.  [default: 0]")] = None,
    shard: Annotated[
        str | None,
        typer.Option(metavar="K/N", help="Run only the part K of N equal parts, after all other flags: 1/4, 2/4, ..."),
    ] = None,
    predictions: PredictionFiles = None,
    target: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Run only the suite's target NAME. You may repeat it. With --predictions, both kinds run.",
        ),
    ] = None,
    repeat: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Ask each target N times per case, instead of its own repeat."),
    ] = None,
    pass_rule: Annotated[
        str,
        typer.Option(
            "--pass-rule",
            metavar="RULE",
            help="Say when a case with several answers passes: mean, all, any, majority, or rate:0.8 of them.",
        ),
    ] = MEAN_RULE,
    record: RecordFile = None,
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
        bool, typer.Option("--no-data", help="Leave inputs, expected values and answers out of the results.")
    ] = False,
    form: Annotated[Format, typer.Option("--format", help="Choose the format of the summary.")] = "console",
    reports: ReportFiles = None,
    against: Against = None,
    fail_on: FailOn = None,
    diffs: DiffFiles = None,
    label: Label = "",
    no_summary: NoSummary = False,
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
    slice_keys: SliceKeys = None,
    min_cases: MinCases = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Run again when a file changes, and show what changed; Ctrl-C ends it.")
    ] = False,
    strict: Strict = False,
    quiet: Quiet = False,
) -> None:
    """Run suites, write their results and show a summary.

    Without gates every case must pass. Gates (in the suite, --fail-under, --min-pass-rate) decide alone between exit
    codes 0 and 1.
    """
    with exit_on_user_error():
        from agentv_py.cli.run_display import RunDisplay
        from agentv_py.process import orphans
        from agentv_py.run.execute import execute
        from agentv_py.run.request import RunRequest
        from agentv_py.suite.slice_key import SliceChoice

        orphans.claim_children()
        request = RunRequest(
            suites=choose_suites(suites, quiet=quiet),
            cases=case or (),
            tags=tag or (),
            limit=limit,
            where=where or (),
            split=split,
            sample=sample,
            seed=seed,
            shard=shard,
            failed_from=failed_from or (),
            last_failed=last_failed,
            predictions=predictions or (),
            targets=target or (),
            repeat=repeat,
            pass_rule=pass_rule,
            record=record,
            output=output,
            resume=resume,
            force=force,
            data=not no_data,
            jobs=jobs,
            engine=EngineChoice(engine, address),
            mean_score=fail_under,
            pass_rate=min_pass_rate,
            against=against,
            fail_on=fail_on or (),
            label=label,
            exit_zero=exit_zero,
            strict=strict,
            budget=budget,
            no_cache=no_cache,
            refresh=refresh,
            slices=SliceChoice(slice_keys or (), min_cases),
        )
        if diffs and against is None:
            raise UserError("--diff writes a comparison; name earlier results with --against")
        display = RunDisplay(
            form,
            reports or (),
            diffs or (),
            annotate=annotate is not None,
            quiet=quiet,
            err=output == "-",
            no_summary=no_summary,
        )
        if watch:
            from agentv_py.cli.watch import watch_suites  # most runs end

            raise typer.Exit(watch_suites(request, display))
        raise typer.Exit(execute(request, display))
