"""Lines, files and reports → stdout, stderr, the disk, the job summary of a CI run."""

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from agentv_py.errors import Problem, UserError, escape_commands, make_printable
from agentv_py.formats import BY_SUFFIX, Format, render, render_for_file

if TYPE_CHECKING:
    from agentv_py.report import Explanation, Report
    from agentv_py.report.summary import Summary
    from agentv_py.results.read import ResultsSource
    from agentv_py.suite.plan import Plan

JOB_SUMMARY = "GITHUB_STEP_SUMMARY"


def print_lines(*lines: str, safe: bool = False, err: bool = True) -> None:
    """Print lines, by default to stderr. Control characters are escaped, except in `safe` lines."""
    print_text((f"{escape_commands(line if safe else make_printable(line))}\n" for line in lines), err=err)


def choose_suites(names: Sequence[str] | None, *, quiet: bool) -> list[str]:
    """Return the suites that the user names; without names, those that are found, and say which."""
    from agentv_py.suite.suite_folder import discover_suites, expand_folders

    suites = expand_folders(names) if names else discover_suites()
    if suites != list(names or ()) and not quiet:
        print_lines(f"suites: {', '.join(suites)}")
    return suites


def print_warnings(plans: "Sequence[Plan]", *, quiet: bool) -> None:
    """Print the warnings about suites; if `quiet`, only those that change what a figure means."""
    for plan in plans:
        print_lines(*(f"warning: {problem}" for problem in (*plan.warnings, *(() if quiet else plan.remarks))))


def print_text(pieces: Iterable[str], *, err: bool = False) -> None:
    """Print text unchanged and at once."""
    stream = sys.stderr if err else sys.stdout
    try:
        for piece in pieces:
            stream.write(piece)
    finally:
        stream.flush()


def write_report(
    report: "Report",
    format_name: Format,
    output: str | None,
    inputs: "Sequence[ResultsSource]",
    *,
    no_summary: bool = False,
) -> None:
    """Write a report to a file or to stdout, and add it to the job summary."""
    on_screen = output is None or output == "-"
    write_text(
        render(report, format_name) if on_screen else render_for_file(report, format_name),
        output,
        [source.path for source in inputs],
    )
    if not no_summary:
        summarize_job(report)


def write_explanation(
    explanation: "Report | Explanation", format_name: Format, output: str | None, inputs: Sequence[Path]
) -> None:
    """Write an explanation, or a report that is no result of a run, to a file or to stdout."""
    on_screen = output is None or output == "-"
    write_text(
        render(explanation, format_name) if on_screen else render_for_file(explanation, format_name), output, inputs
    )


def write_text(pieces: Iterable[str], output: str | None, inputs: Sequence[Path]) -> None:
    """Write text to the file `output`; None and '-' mean stdout."""
    if output is None or output == "-":
        print_text(pieces)
    else:
        write_file(pieces, output, inputs)


def choose_format(format_name: Format | None, output: str | None) -> Format:
    """Return the format that the user names, else that of the file's suffix. Raises UserError for an unknown suffix."""
    if format_name is not None:
        return format_name
    suffix = "" if output is None or output == "-" else Path(output).suffix
    return _find_format("-o", str(output)) if suffix else "console"


def choose_formats(files: Sequence[str], taken: Iterable[Path], option: str = "--report") -> list[tuple[str, Format]]:
    """Pair each file with the format of its suffix. Raises UserError for an unknown suffix and for an input."""
    chosen: list[tuple[str, Format]] = []
    for file in files:
        format_name = _find_format(option, file)
        _refuse_input(file, taken)
        chosen.append((file, format_name))
    return chosen


def choose_summary_writer(format_name: Format | None, output: str | None) -> "Callable[..., None]":
    """Return what writes a summary, after its inputs: as text, or its comparisons into a Parquet file."""
    if format_name is None and output is not None and _is_parquet(output):
        from agentv_py.formats.parquet_file import check_library

        check_library(output)
        return partial(_write_comparisons, output)
    chosen = choose_format(format_name, output)
    return lambda report, inputs, *, no_summary: write_report(report, chosen, output, inputs, no_summary=no_summary)


def _is_parquet(file: str) -> bool:
    return Path(file).suffix.lower() == ".parquet"


def _write_comparisons(output: str, report: "Summary", inputs: "Sequence[ResultsSource]", *, no_summary: bool) -> None:
    """Write the comparisons of a report to a Parquet file, and add the report to the job summary."""
    from agentv_py.formats.parquet_file import write_parquet

    _refuse_input(output, [source.path for source in inputs])
    try:
        Path(output).parent.mkdir(parents=True, exist_ok=True)
        write_parquet(report, output)
    except OSError as error:
        raise UserError(f"{output}: cannot be written: {error.strerror or error}") from None
    if not no_summary:
        summarize_job(report)


def _find_format(option: str, file: str) -> Format:
    if _is_parquet(file):
        raise UserError(f"{option} {file!r}: only `evalctl report RESULTS -o {file}` writes Parquet")
    format_name = BY_SUFFIX.get(Path(file).suffix.lower())
    if format_name is None:
        raise UserError(f"{option} {file!r}: the suffix selects the format; valid: {' '.join(BY_SUFFIX)}")
    return format_name


def write_reports(
    report: "Report", files: Iterable[tuple[str, Format]], inputs: Sequence[Path], *, no_summary: bool = False
) -> list[Problem]:
    """Write the report to each file and to the job summary; return a problem for each file that cannot be written."""
    writes = [partial(write_file, render_for_file(report, format_name), file, inputs) for file, format_name in files]
    problems: list[Problem] = []
    for attempt in (*writes, *(() if no_summary else (partial(summarize_job, report),))):
        try:
            attempt()
        except UserError as error:
            problems.extend(error.problems)
    return problems


def write_file(pieces: Iterable[str], file: str, inputs: Iterable[Path] = ()) -> None:
    """Write text to a file. Raises UserError if that fails, or if the file is one of the inputs."""
    _refuse_input(file, inputs)
    try:
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        with open(file, "w", encoding="utf-8", errors="backslashreplace") as opened:  # noqa: PTH123  the user's spelling
            opened.writelines(pieces)
    except OSError as error:
        raise UserError(f"{file}: cannot be written: {error.strerror}") from None


def _refuse_input(file: str, inputs: Iterable[Path]) -> None:
    if os.path.exists(file) and any(path.exists() and path.samefile(file) for path in inputs):  # noqa: PTH110  as above
        raise UserError(f"{file}: is an input; name another file")


def summarize_job(report: "Report") -> None:
    """Append the report as Markdown to the job summary of a CI run; do nothing elsewhere."""
    file = os.environ.get(JOB_SUMMARY)
    if not file:
        return
    try:
        with open(file, "a", encoding="utf-8", errors="backslashreplace") as opened:  # noqa: PTH123  as above
            opened.writelines(render(report, "markdown"))
            opened.write("\n")
    except OSError as error:
        raise UserError(f"{JOB_SUMMARY}={file}: cannot be written: {error.strerror}") from None
