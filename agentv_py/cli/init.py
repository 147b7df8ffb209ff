"""A folder, and perhaps cases, a JSON Schema or a model → a suite in the folder."""

from typing import TYPE_CHECKING, Annotated

import typer

from agentv_py.cli.errors import exit_on_user_error
from agentv_py.cli.options import write_epilog
from agentv_py.cli.output import print_lines

if TYPE_CHECKING:
    from agentv_py.suite.draft import Draft

_MOST_CASES = 1_000

EPILOG = write_epilog(
    {
        "evalctl init demo": "Write demo/suite.yaml and its dataset.",
        "evalctl init --from cases.jsonl": "Write a suite that fits your cases, and run it.",
        "evalctl init --from gold/ --predictions out/": "Compare two folders of JSON files with equal names.",
        "evalctl init evals --from invoice.schema.json": "Write a suite that fits a JSON Schema.",
        "evalctl init evals --from app.models:Invoice": "Write a suite that fits a pydantic model or a dataclass.",
    },
    {
        0: "The suite is written, and it is valid.",
        2: "The usage or the source is wrong, so that no suite stays; or one exists already or cannot be written.",
    },
)


def init(
    folder: Annotated[
        str, typer.Argument(metavar="DIR", help="The folder to write to. It is created if it does not exist.")
    ] = ".",
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="SOURCE",
            help="Write a suite that fits SOURCE: a dataset, a folder of JSON files, a JSON Schema, or module:Model.",
        ),
    ] = None,
    predictions: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]FILE|DIR",
            help="Name the recorded answers to the cases of SOURCE. You may repeat it: each is a target.",
        ),
    ] = None,
) -> None:
    """Write a suite that runs.

    With --from the suite fits what you have. Each comparator has the reason for it in a comment. The command then
    checks the suite and runs it. Without --from it writes a small example, in which one of three answers is wrong.
    """
    with exit_on_user_error():
        from agentv_py.errors import InvalidSuite, UserError

        if source is None:
            if predictions:
                raise UserError("--predictions needs --from: the cases that they answer")
            from agentv_py.suite.starter import write_starter

            suite = write_starter(folder)
            print_lines(f"wrote {suite} and its dataset", f"now: evalctl run {suite}", err=False)
            return
        from agentv_py.suite.draft import draft_suite
        from agentv_py.suite.new_files import check_new_files, remove_if_invalid, write_new_files

        check_new_files(folder, ["suite.yaml"])
        draft = draft_suite(source, predictions or (), folder)
        with remove_if_invalid(folder, draft.files):
            suite = write_new_files(folder, draft.files)
            names = " and ".join(str(suite.with_name(name)) for name in draft.files)
            print_lines(f"wrote {names}", err=False)
            try:
                _try_suite(str(suite), draft)
            except InvalidSuite:
                print_lines(f"removed {names}: it is not valid")
                raise


def _try_suite(suite: str, draft: "Draft") -> None:
    """Run the suite, or only check it if there are no answers yet. A case that does not pass is no failure of init."""
    from agentv_py.run.plans import load_plans
    from agentv_py.suite.selection import Selection

    if draft.has_answers:
        _run(suite, draft)
        return
    plans = load_plans([suite], Selection())
    print_lines(*(f"warning: {problem}" for plan in plans for problem in (*plan.warnings, *plan.remarks)))
    print_lines(
        f"{suite}: valid, but its cases have no answers yet. Do one of these:",
        "  add a candidate to each row of the dataset, and run it: evalctl run " + suite,
        f"  name a file of answers: evalctl run {suite} --predictions FILE",
        f"  add a target to {suite} that is asked for the answers",
        err=False,
    )


def _run(suite: str, draft: "Draft") -> None:
    from agentv_py.cli.run_display import RunDisplay
    from agentv_py.process import orphans
    from agentv_py.run.execute import execute
    from agentv_py.run.request import RunRequest

    orphans.claim_children()
    is_large = draft.cases > _MOST_CASES
    if is_large:
        print_lines(f"running the first {_MOST_CASES:,} of {draft.cases:,} cases", err=False)
    request = RunRequest(suites=[suite], limit=_MOST_CASES if is_large else None, exit_zero=True)
    code = execute(request, RunDisplay("console", (), annotate=False, quiet=False, err=False))
    print_lines(f"next: read {suite}, change what does not fit, then: evalctl run {suite}", err=False)
    raise typer.Exit(code)
