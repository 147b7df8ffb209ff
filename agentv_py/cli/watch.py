"""`--watch` → a run, and another one after each change of its files, which shows only what changed."""

import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

from agentv_py import jsontext
from agentv_py.cli.output import print_lines
from agentv_py.cli.run_display import RunDisplay
from agentv_py.errors import UserError
from agentv_py.run.execute import execute
from agentv_py.run.request import RunRequest
from agentv_py.run.session import Session
from agentv_py.suite.plan import Plan

_SECONDS = 0.3
_MOST_SHOWN = 3

FileStates = dict[str, list[int]]
"""By path: size and time of the last change; empty for a file that is not there."""


class WatchFolder(NamedTuple):
    """A temporary folder in which a run leaves what the next one, and the loop around them, must know."""

    path: Path

    @property
    def earlier_rows(self) -> Path:
        return self.path / "earlier.jsonl"

    @property
    def rows(self) -> Path:
        return self.path / "rows.jsonl"

    @property
    def states(self) -> Path:
        return self.path / "states.json"

    def write_states(self, files: Iterable[str]) -> None:
        self.states.write_bytes(jsontext.dumps(read_states(files)))

    def take_states(self) -> FileStates:
        """Return what the last run read, and keep its rows for the next one."""
        if self.rows.exists():
            self.rows.replace(self.earlier_rows)
        states: FileStates = jsontext.loads(self.states.read_bytes()) if self.states.exists() else {}
        self.states.unlink(missing_ok=True)
        return states


class WatchDisplay(RunDisplay):
    """Shows the first run as ever, and of each later run only what changed."""

    def __init__(self, display: RunDisplay, folder: WatchFolder) -> None:
        vars(self).update(vars(display))
        self.folder = folder

    def show_warnings(self, plans: Sequence[Plan]) -> None:
        files = (str(path) for plan in plans for path in plan.files.list_paths())
        self.folder.write_states(files)
        super().show_warnings(plans)

    def show(self, session: Session) -> None:
        with self.folder.rows.open("wb") as rows:
            for file in session.written:
                with open(file, "rb") as written:  # noqa: PTH123  keeps the user's spelling
                    shutil.copyfileobj(written, rows)
        if not self.folder.earlier_rows.exists() or not self._show_changes():
            super().show(session)

    def _show_changes(self) -> bool:
        from agentv_py.formats.changed_cases import list_changed_cases
        from agentv_py.report.diff.compute import compute_diff
        from agentv_py.results.read import ResultsSource

        sources = [ResultsSource(path, path.name) for path in (self.folder.earlier_rows, self.folder.rows)]
        try:
            lines = list(list_changed_cases(compute_diff(sources[0], sources[1])))
        except UserError:  # nothing to compare
            return False
        if not self.quiet:
            print_lines(*lines, err=False)
        return True


def watch_suites(request: RunRequest, display: RunDisplay) -> int:
    """Run, and run again after each change, until Ctrl-C. Return the exit code of the last run.

    Each run has a process of its own: it reads every file, and every module of the user, anew.
    """
    if request.output == "-" or request.resume:
        raise UserError(f"--watch and {'--resume' if request.resume else '-o -'} exclude each other")
    folder, process = WatchFolder(Path(mkdtemp(prefix="evalctl-"))), os.getpid()
    try:
        loop = WatchLoop(request.suites, folder, lambda: _run_in_child(request, WatchDisplay(display, folder)))
        return loop.run(lambda: time.sleep(_SECONDS))
    finally:
        if os.getpid() == process:  # a child ends here, too
            shutil.rmtree(folder.path, ignore_errors=True)


class WatchEnd(Exception):  # noqa: N818  the name states an event
    """Ctrl-C during a run, which ended with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class WatchLoop:
    def __init__(self, suites: Sequence[str], folder: WatchFolder, start: Callable[[], int]) -> None:
        self._states = read_states(suites)
        self._folder = folder
        self._start = start
        """Runs once, and returns the exit code."""

    def run(self, wait: Callable[[], None]) -> int:
        """Run after each change; call `wait` between two looks at the files. Ctrl-C ends the loop."""
        while True:
            known = read_states(self._states)
            try:
                code = self._start()
            except WatchEnd as end:
                return end.code
            # A run that finds a problem early has not seen all files that it will read.
            self._states = known | self._folder.take_states()
            try:
                print_lines(f"watching {len(self._states):,} file{'' if len(self._states) == 1 else 's'}; Ctrl-C ends")
                changed = self._wait_for_change(wait)
            except KeyboardInterrupt:
                return code
            more = f" and {len(changed) - _MOST_SHOWN} more" if len(changed) > _MOST_SHOWN else ""
            print_lines("", f"changed: {', '.join(map(os.path.relpath, changed[:_MOST_SHOWN]))}{more}")

    def _wait_for_change(self, wait: Callable[[], None]) -> list[str]:
        while not (
            changed := [file for file, state in read_states(self._states).items() if state != self._states[file]]
        ):
            wait()
        return changed


def read_states(files: Iterable[str]) -> FileStates:
    states: FileStates = {}
    for file in files:
        try:
            status = Path(file).stat()
        except (OSError, ValueError):
            states[file] = []
        else:
            states[file] = [status.st_size, status.st_mtime_ns]
    return states


def _run_in_child(request: RunRequest, display: WatchDisplay) -> int:
    child = os.fork()
    if not child:
        sys.exit(_run_once(request, display))
    try:
        return _wait_for_child(child)
    except KeyboardInterrupt:  # the child has it, too, and ends
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise WatchEnd(_wait_for_child(child)) from None


def _wait_for_child(child: int) -> int:
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return 128 - code if code < 0 else code


def _run_once(request: RunRequest, display: WatchDisplay) -> int:
    try:
        return execute(request, display)
    except UserError as error:
        if not display.folder.states.exists():
            display.folder.write_states(problem.file for problem in error.problems if problem.file)
        raise
