"""A run → its progress, summary, further reports, warnings and missed gates, on a terminal and in files."""

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from agentv_py.cli.output import choose_formats, print_lines, print_text, print_warnings, write_reports
from agentv_py.cli.progress import show_progress
from agentv_py.cli.pydantic_plugins import allow_plugins
from agentv_py.errors import Problem, make_printable
from agentv_py.formats import SHOW_ROWS, Format, render
from agentv_py.report.summary import Summary
from agentv_py.run.execute import Display
from agentv_py.run.session import Session
from agentv_py.suite.plan import Plan

if TYPE_CHECKING:
    from agentv_py.run.against import Comparison

_READABLE = ("console", "markdown", "brief")
"""Formats in which a summary and a diff can follow each other."""


class RunDisplay(Display):
    """Shows a run of the command line; `err` sends the summary to stderr, because stdout has the rows."""

    def __init__(
        self,
        form: Format,
        reports: Sequence[str],
        diffs: Sequence[str] = (),
        *,
        annotate: bool,
        quiet: bool,
        err: bool,
        no_summary: bool = False,
    ) -> None:
        self.form: Format = form
        self.reports = reports
        self.diffs = diffs
        """Files for the comparison with earlier results."""
        self.no_summary = no_summary
        self.annotate = annotate
        self.quiet = quiet
        self.err = err
        self.files: list[tuple[str, Format]] = []
        """The further reports, each with its format; set when they are checked."""

    def needs_rows(self) -> bool:
        formats = {form for _, form in self.files} | (set() if self.quiet else {self.form})
        return self.annotate or bool(formats & SHOW_ROWS)

    def show_warnings(self, plans: Sequence[Plan]) -> None:
        print_warnings(plans, quiet=self.quiet)

    def show_selection(self, plans: Sequence[Plan]) -> None:
        if not self.quiet:
            print_lines(*(note.text for plan in plans for note in plan.notes if not note.is_usual))
            narrowed = [] if self._is_on_screen else [plan for plan in plans if plan.selection.selection]
            print_lines(*(f"{f'{plan.name}: ' if len(plans) > 1 else ''}{plan.selection}" for plan in narrowed))

    def prepare(self, plans: Sequence[Plan]) -> None:
        inputs = [path for plan in plans for path in plan.list_inputs()]
        self.files = choose_formats(self.reports, inputs)
        choose_formats(self.diffs, inputs, "--diff")
        allow_plugins()
        for number in (signal.SIGTERM, signal.SIGHUP):  # so that judges under way are ended too
            signal.signal(number, lambda caught, _: sys.exit(128 + caught))

    @contextmanager
    def show_progress(self, plans: Sequence[Plan]) -> Iterator[Callable[[int], None]]:
        with show_progress(sum(plan.count_rows() for plan in plans), quiet=self.quiet) as advance:
            yield advance

    def show(self, session: Session) -> None:
        if not self.quiet:
            print_text(render(session.whole, self.form), err=self.err)

    def write_reports(self, plans: Sequence[Plan], session: Session) -> list[Problem]:
        written = [Path(file) for file in session.written]
        problems = write_reports(session.whole, self.files, written, no_summary=self.no_summary)
        if self.annotate:
            from agentv_py.cli.annotations import build_annotations

            print_text((f"{line}\n" for line in build_annotations(plans, session.whole)), err=self.err)
        return problems

    def show_comparison(self, comparison: "Comparison") -> list[Problem]:
        from agentv_py.cli.diff_display import print_diff_warnings, print_sentence

        diff = comparison.diff
        is_shown = not self.quiet and self.form in _READABLE
        print_diff_warnings(diff, on_screen=is_shown and self.form == "console")
        if is_shown:
            print_text(render(diff, self.form), err=self.err)
        elif not self.quiet:
            print_sentence(diff)
        inputs = [side.source.path for side in (diff.baseline, diff.candidate)]
        problems = write_reports(diff, choose_formats(self.diffs, inputs, "--diff"), inputs, no_summary=self.no_summary)
        print_lines(*(f"gate violated: {text}" for text in comparison.violations))
        return problems

    @property
    def _is_on_screen(self) -> bool:
        """Whether a reader of stderr sees the summary, too, so that its warnings need not be repeated there."""
        if self.form == "brief":
            return True
        return self.form == "console" and sys.stdout.isatty() and sys.stderr.isatty()

    def narrate(self, session: Session) -> None:
        if not self.quiet:
            confidences = [] if self._is_on_screen else _warn_of_confidences(session.whole)
            print_lines(*(f"warning: {what}" for what in (*session.warnings, *confidences)))
        print_lines(*(f"gate missed: {suite}: {gate}" for suite, gate in session.whole.gates if not gate.is_met))
        if not self.quiet:
            print_lines(*session.notes)
            print_lines(*(f"results: {_link(file)}" for file in session.written), safe=True)
        print_lines(*(f"error: {what}; --resume continues with a larger budget" for what in session.stopped))


def _warn_of_confidences(whole: Summary) -> list[str]:
    if not whole.broken_wrappers and all(evaluator.confidence is None for evaluator in whole.evaluators):
        return []
    from agentv_py.formats.sections.confidence import list_warnings  # most answers have no confidences

    return list(list_warnings(whole))


def _link(file: str) -> str:
    """Return the file's name; as a link, if stderr is a terminal that can follow links."""
    name = make_printable(file)
    if not sys.stderr.isatty() or os.environ.get("TERM", "dumb") == "dumb" or "NO_COLOR" in os.environ:
        return name
    return f"\x1b]8;;{Path(file).absolute().as_uri()}\x1b\\{name}\x1b]8;;\x1b\\"
