"""A program that must exit with 0 before the first case is asked → nothing, or the error of every case."""

from collections.abc import Sequence
from pathlib import Path
from threading import Lock

from agentv_py.models.program_error import ProgramError, check_exit
from agentv_py.process import child
from agentv_py.process.child import Command
from agentv_py.process.command_line import ScriptProblem, build_argv
from agentv_py.process.programs import Programs

_PROGRAM = "the healthcheck"


class Healthcheck:
    """Runs its program at the first request only. Requests at the same time wait for its end."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._failures: list[ProgramError | None] = []

    def run(self, argv: Sequence[str], command: Command, timeout: float, programs: Programs) -> None:
        """Raise ProgramError if the program fails, now or before. It runs where the target's command runs."""
        with self._lock:
            if not self._failures:
                self._failures.append(_find_failure(argv, command, timeout, programs))
        if self._failures[0] is not None:
            raise self._failures[0]


def _find_failure(argv: Sequence[str], command: Command, timeout: float, programs: Programs) -> ProgramError | None:
    try:
        program = build_argv(argv, Path(command.cwd), dict(command.env)["PATH"])
        result = child.run(command._replace(argv=tuple(program)), b"", timeout, programs.start)
        check_exit(result, timeout, program=_PROGRAM)
    except ScriptProblem as problem:
        return ProgramError("healthcheck", f"{_PROGRAM} cannot be started: {problem}")
    except ProgramError as failure:
        return failure
    return None
