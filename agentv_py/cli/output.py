"""A report → where it was asked to go: stdout, files by their suffix, the job summary of a CI run."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from agentv_py.errors import Problem, UserError
from agentv_py.formats import BY_SUFFIX, Format, render

if TYPE_CHECKING:
    from agentv_py.report import Report

JOB_SUMMARY = "GITHUB_STEP_SUMMARY"

# Colours and links, which a terminal may have been promised and a file was not.
_STEERING = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;[^\x1b]*\x1b\\")


def forms(files: Sequence[str], taken: Iterable[Path]) -> list[tuple[str, Format]]:
    """Each file with the format its suffix stands for, before anything runs; one that is read elsewhere is refused."""
    found: list[tuple[str, Format]] = []
    for file in files:
        form = BY_SUFFIX.get(Path(file).suffix.lower())
        if form is None:
            raise UserError(f"--report {file!r}: the suffix says the format, one of {' '.join(BY_SUFFIX)}")
        _refuse(file, taken)
        found.append((file, form))
    return found


def write_all(report: "Report", files: Iterable[tuple[str, Format]], inputs: Sequence[Path]) -> list[Problem]:
    """Further reports and the job's summary; what cannot be written keeps nothing else from being written."""
    ways = [partial(write, for_file(report, form), file, inputs) for file, form in files]
    problems: list[Problem] = []
    for way in (*ways, partial(summarize_job, report)):
        try:
            way()
        except UserError as error:
            problems.extend(error.problems)
    return problems


def for_file(report: "Report", form: Format) -> Iterator[str]:
    """The report without what steers a terminal."""
    pieces = render(report, form)
    return (_STEERING.sub("", piece) for piece in pieces) if form == "console" else pieces


def write(pieces: Iterable[str], file: str, inputs: Iterable[Path] = ()) -> None:
    _refuse(file, inputs)
    try:
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        with open(file, "w", encoding="utf-8", errors="backslashreplace") as opened:  # noqa: PTH123  the user's spelling
            opened.writelines(pieces)
    except OSError as error:
        raise UserError(f"{file}: cannot be written: {error.strerror}") from None


def _refuse(file: str, inputs: Iterable[Path]) -> None:
    if os.path.exists(file) and any(one.exists() and one.samefile(file) for one in inputs):  # noqa: PTH110  as above
        raise UserError(f"{file}: is an input; name another file")


def summarize_job(report: "Report") -> None:
    """The report as Markdown, under what the job said before; nothing outside CI."""
    file = os.environ.get(JOB_SUMMARY)
    if not file:
        return
    try:
        with open(file, "a", encoding="utf-8", errors="backslashreplace") as opened:  # noqa: PTH123  as above
            opened.writelines(render(report, "markdown"))
            opened.write("\n")
    except OSError as error:
        raise UserError(f"{JOB_SUMMARY}={file}: cannot be written: {error.strerror}") from None
