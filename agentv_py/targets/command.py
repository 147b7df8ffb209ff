"""A program of the user → the answer to each case: a process per case, one process for many, or one for all."""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Self

from pydantic import AfterValidator, Field, PrivateAttr, model_validator

from agentv_py import jsontext
from agentv_py.models.exchange import RequestError
from agentv_py.models.program_error import ProgramError, build_error, check_exit
from agentv_py.models.prompt_template import fill_template, find_names
from agentv_py.process import child
from agentv_py.process.child import Command as ChildCommand
from agentv_py.process.child import ProcessResult
from agentv_py.process.command_line import ScriptProblem, build_argv
from agentv_py.process.persistent import PersistentProcess
from agentv_py.process.programs import Programs, stop_watching
from agentv_py.targets.answer import Answer, complete
from agentv_py.targets.calls import run_in_thread
from agentv_py.targets.live import NAMES, LocalTarget, Place, TargetCase, hash_file
from agentv_py.targets.program_reply import parse_output, parse_row

if TYPE_CHECKING:
    from agentv_py.models.sender import Sender

_OUTPUT_FILE = "output_file"
_PROGRAM = "the command"


def _check_env(env: dict[str, str]) -> dict[str, str]:
    for name, value in env.items():
        if not name or "=" in name or "\0" in name + value:
            raise ValueError(f"{name!r} cannot be set in an environment")
    return env


class _Request(NamedTuple):
    """What one case needs of the program."""

    id: str
    arguments: tuple[str, ...]
    """The rendered command line; `{{output_file}}` is still to be filled in."""
    stdin: bytes
    files: tuple[Path, ...]
    """The files that the command line names."""


class Command(LocalTarget):
    type: Literal["command"]
    command: list[Annotated[str, Field(min_length=1)]] | str = Field(
        min_length=1,
        description="argv with templates, or one path whose interpreter its shebang or suffix names.",
    )
    cwd: str | None = Field(None, description="Default: the suite's folder.")
    env: Annotated[dict[str, str], AfterValidator(_check_env)] = Field(default_factory=dict)
    persistent: bool = Field(False, description="true: one process serves many cases, a JSON line in, a JSON line out.")
    batch: bool = Field(False, description="true: one process for all cases, rows {id, input} in, {id, output} out.")

    _idle: list[PersistentProcess] = PrivateAttr(default_factory=list)
    _programs: Programs = PrivateAttr(default_factory=Programs)

    @model_validator(mode="after")
    def _check_modes(self) -> Self:
        names = self._list_names()
        if self.persistent and self.batch:
            raise ValueError("persistent and batch exclude each other")
        if (self.persistent or self.batch) and names:
            mode = "persistent" if self.persistent else "batch"
            raise ValueError(f"with {mode}: true one command line serves many cases, so it cannot name {min(names)!r}")
        return self

    def problems(self) -> Iterator[tuple[str | Place, str]]:
        try:
            _ = self._command
        except ScriptProblem as problem:
            yield "command" if problem.key == "script" else problem.key, str(problem)

    def list_files(self) -> Iterator[Path]:
        """Yield the program and the script, unless the program is Python itself or one of the system's."""
        with suppress(ScriptProblem):
            for part in self._command.argv:
                path = Path(part)
                if path.is_absolute() and path != Path(sys.executable) and path.is_file():
                    yield path

    def build_request(self, question: TargetCase) -> _Request:
        case, names = question.case, self._list_names()
        values = question.values() | {_OUTPUT_FILE: "{{output_file}}"}
        arguments, files = list[str](), list[Path]()
        for argument in self._command.argv:
            text = fill_template(argument, values)
            path = question.folder / text if text != argument and text else None
            if path is not None and path.is_file():
                text = str(path.absolute())
                files.append(path)
            arguments.append(text)
        payload: Any = {"id": case.id, "input": case.input} if self.persistent or self.batch else case.input
        stdin = b"" if "input" in names else jsontext.dumps_line(payload)
        return _Request(case.id, tuple(arguments), stdin, tuple(files))

    def describe_request(self, request: _Request) -> Any:
        files = [(path.name, hash_file(path)) for path in request.files]
        mode = "persistent" if self.persistent else "batch" if self.batch else "each"
        env = sorted(self.env.items())
        return [mode, request.arguments, request.stdin.decode(), self._program_files, files, env, self.cwd]

    async def ask(self, request: _Request, sender: "Sender") -> Answer:
        return await sender.retry(self, lambda: self._try(request, sender))

    async def _try(self, request: _Request, sender: "Sender") -> Answer:
        await sender.admit(self)
        run = self._ask_persistent if self.persistent else self._run
        return await run_in_thread(partial(self._raise_as_request_error, partial(run, request)))

    @property
    def answers_together(self) -> bool:
        return self.batch

    def answer_all(self, requests: list[_Request]) -> dict[str, Answer | RequestError]:
        """Return the answer of one process to each of many requests, by id, or the error instead."""
        stdin = b"".join(request.stdin for request in requests)
        started = time.perf_counter()

        def run() -> dict[str, Answer]:
            result = child.run(self._command, stdin, self.timeout, self._programs.start)
            check_exit(result, self.timeout, program=_PROGRAM)
            return dict(parse_row(line, result) for line in result.stdout.splitlines() if line.strip())

        try:
            answers = self._raise_as_request_error(run)
        except RequestError as error:
            return {request.id: error for request in requests}
        seconds = (time.perf_counter() - started) / max(1, len(requests))
        missing = RequestError("no_answer", f"{_PROGRAM} wrote no row for this case")
        return {
            request.id: complete(answers[request.id], seconds, self.prices) if request.id in answers else missing
            for request in requests
        }

    def close(self) -> None:
        self._programs.end()
        while self._idle:
            self._idle.pop().kill()
        stop_watching()

    def _run(self, request: _Request) -> Answer:
        """Run the program for one case."""
        has_file = _OUTPUT_FILE in self._list_names()
        with tempfile.TemporaryDirectory(prefix="evalctl-") if has_file else nullcontext("") as folder:
            path = Path(folder, "output")
            argv = [part.replace("{{output_file}}", str(path)) for part in request.arguments]
            started = time.perf_counter()
            command = self._command._replace(argv=tuple(argv))
            result = child.run(command, request.stdin, self.timeout, self._programs.start)
            seconds = time.perf_counter() - started
            check_exit(result, self.timeout, program=_PROGRAM)
            output = path.read_bytes() if has_file and path.is_file() else b"" if has_file else result.stdout
            return complete(parse_output(output, result, in_file=has_file), seconds, self.prices)

    def _ask_persistent(self, request: _Request) -> Answer:
        """Ask a process that serves many cases. Several run at once, up to `max_concurrency`."""
        try:
            persistent = self._idle.pop()
        except IndexError:
            persistent = PersistentProcess(self._command, self._programs.start)
        started = time.perf_counter()
        try:
            result = persistent.ask(request.stdin, self.timeout)
            if result.failure is None and result.code == 0 and not result.stdout:
                # It ended after its last answer, and so has not seen this question; `ask` starts another.
                result = persistent.ask(request.stdin, self.timeout)
            seconds = time.perf_counter() - started
            check_exit(result, self.timeout, program=_PROGRAM, persistent=True)
            answer = _take_own(parse_row(result.stdout.partition(b"\n")[0], result), request.id, result)
        except ProgramError:
            persistent.kill()  # its next line may be the answer to any question
            raise
        finally:
            self._idle.append(persistent)
        return complete(answer, seconds, self.prices)

    def _raise_as_request_error(self, run: "Callable[[], Any]") -> Any:
        try:
            return run()
        except OSError as error:
            raise RequestError("spawn", f"{_PROGRAM} cannot be started: {error.strerror}") from None
        except ProgramError as failure:
            failure.secrets = tuple(self.env.values())
            raise RequestError(failure.kind, failure.describe(self.secrets())) from None

    def _list_names(self) -> set[str]:
        """Return the names that the templates of the command line read."""
        texts = [self.command] if isinstance(self.command, str) else self.command
        return {name for text in texts if "{" in text for name in find_names(text, (*NAMES, _OUTPUT_FILE))}

    @cached_property
    def _command(self) -> ChildCommand:
        folder = self._folder / (self.cwd or "")
        env = child.build_environment(self.env, str(Path(sys.executable).parent))
        argv = build_argv(self.command, folder, dict(env)["PATH"])
        return ChildCommand(tuple(argv), os.fspath(folder.absolute()), env)

    @cached_property
    def _program_files(self) -> list[tuple[str, str]]:
        return [(path.name, hash_file(path)) for path in self.list_files()]


def _take_own(row: tuple[str, Answer], id_: str, result: ProcessResult) -> Answer:
    if row[0] != id_:
        raise build_error(
            "id", f"{_PROGRAM} answered another case; the id is {id_!r}, but the answer has", result, row[0]
        )
    return row[1]
