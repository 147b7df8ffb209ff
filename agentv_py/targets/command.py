"""A program of the user → the answer to each case: a process per case, one process for many, or one for all."""

import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress
from functools import cached_property, partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Self

from pydantic import AfterValidator, Field, PrivateAttr, model_validator

from agentv_py import jsontext
from agentv_py.models.exchange import RequestError
from agentv_py.models.program_error import ProgramError, build_error, check_exit
from agentv_py.models.prompt_template import find_names
from agentv_py.options import build_dict
from agentv_py.process import child
from agentv_py.process.child import Command as ChildCommand
from agentv_py.process.child import ProcessResult
from agentv_py.process.command_line import ScriptProblem, build_argv
from agentv_py.process.persistent import PersistentProcess
from agentv_py.process.programs import Programs, stop_watching
from agentv_py.targets.answer import Answer, complete
from agentv_py.targets.calls import run_in_thread
from agentv_py.targets.command_arguments import MOMENTARY, OUTPUT_FILE, build_arguments, fill_momentary
from agentv_py.targets.healthcheck import Healthcheck
from agentv_py.targets.live import NAMES, LocalTarget, Place, TargetCase, hash_file
from agentv_py.targets.persistent_program import ask_program
from agentv_py.targets.program_reply import ReplyForm, parse_output, parse_row

if TYPE_CHECKING:
    from agentv_py.models.sender import Sender

_PROGRAM = "the command"
_NAMES = (*NAMES, "prompt", "files", *MOMENTARY)


def _check_env(env: dict[str, str]) -> dict[str, str]:
    for name, value in env.items():
        if not name or "=" in name or "\0" in name + value:
            raise ValueError(f"{name!r} cannot be set in an environment")
    return env


class _Request(NamedTuple):
    """What one case needs of the program."""

    id: str
    arguments: tuple[str, ...]
    """The rendered command line; what only a process knows, such as `{{output_file}}`, is still to be filled in."""
    stdin: bytes
    files: tuple[Path, ...]
    """The files that the command line names."""
    prompt: str = ""
    """The text for `{{prompt_file}}`."""


class Command(LocalTarget):
    type: Literal["command"]
    command: list[Annotated[str, Field(min_length=1)]] | str = Field(
        min_length=1,
        description="argv with templates, or one path whose interpreter its shebang or suffix names.",
    )
    cwd: str | None = Field(None, description="Default: the suite's folder.")
    env: Annotated[dict[str, str], AfterValidator(_check_env)] = Field(default_factory=build_dict)
    persistent: bool = Field(False, description="true: one process serves many cases, a JSON line in, a JSON line out.")
    batch: bool = Field(False, description="true: one process for all cases, rows {id, input} in, {id, output} out.")
    reply: ReplyForm = Field(
        "evalctl", description="How an answer that is an object names its parts; text: it is text in any case."
    )
    healthcheck: list[Annotated[str, Field(min_length=1)]] | None = Field(
        None, min_length=1, description="argv of a program that runs once, before the first case; it must exit with 0."
    )

    _health: Healthcheck = PrivateAttr(default_factory=Healthcheck)
    _idle: list[PersistentProcess] = PrivateAttr(default_factory=list)
    _programs: Programs = PrivateAttr(default_factory=Programs)

    @model_validator(mode="after")
    def _check_modes(self) -> Self:
        names = self._list_names() - ({OUTPUT_FILE} if self.batch else set())
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
        arguments, files = build_arguments(self._command.argv, question, names)
        payload: Any = {"id": case.id, "input": case.input} if self.persistent or self.batch else case.input
        shows_input = names & {"input", "prompt", "prompt_file", "files"}
        stdin = b"" if shows_input else jsontext.dumps_line(payload)
        prompt = question.write_prompt() if "prompt_file" in names else ""
        return _Request(case.id, tuple(arguments), stdin, tuple(files), prompt)

    def describe_request(self, request: _Request) -> Any:
        files = [(path.name, hash_file(path)) for path in request.files]
        mode = "persistent" if self.persistent else "batch" if self.batch else "each"
        env = sorted(self.env.items())
        extra = [part for part in (request.prompt, self.reply) if part not in ("", "evalctl")]
        return [mode, request.arguments, request.stdin.decode(), self._program_files, files, env, self.cwd, *extra]

    async def ask(self, request: _Request, sender: "Sender") -> Answer:
        attempts = count()
        return await sender.retry(self, lambda: self._try(request, next(attempts), sender))

    async def _try(self, request: _Request, attempt: int, sender: "Sender") -> Answer:
        await sender.admit(self)
        try:
            if self.persistent:
                return await self._ask_persistent(request)
            return await run_in_thread(partial(self._run, request, attempt))
        except (OSError, ProgramError) as error:
            raise self._build_request_error(error) from None

    @property
    def answers_together(self) -> bool:
        return self.batch

    def answer_all(self, requests: list[_Request]) -> dict[str, Answer | RequestError]:
        """Return the answer of one process to each of many requests, by id, or the error instead."""
        stdin = b"".join(request.stdin for request in requests)
        started = time.perf_counter()
        try:
            output, result, _ = self._run_program(self._command.argv, stdin)
            answers = dict(parse_row(line, result, self.reply) for line in output.splitlines() if line.strip())
        except (OSError, ProgramError) as error:
            return dict.fromkeys((request.id for request in requests), self._build_request_error(error))
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

    def _run(self, request: _Request, attempt: int) -> Answer:
        """Run the program for one case."""
        output, result, seconds = self._run_program(request.arguments, request.stdin, request.prompt, attempt)
        in_file = OUTPUT_FILE in self._list_names()
        return complete(parse_output(output, result, self.reply, in_file=in_file), seconds, self.prices)

    def _run_program(
        self, arguments: Sequence[str], stdin: bytes, prompt: str = "", attempt: int = 0
    ) -> tuple[bytes, ProcessResult, float]:
        """Return what the program wrote, to its output file if it has one, and how long it took."""
        if self.healthcheck is not None:
            self._health.run(self.healthcheck, self._command, self.timeout, self._programs)
        names = self._list_names()
        has_file = OUTPUT_FILE in names
        with tempfile.TemporaryDirectory(prefix="evalctl-") if names & set(MOMENTARY) else nullcontext("") as folder:
            argv = fill_momentary(arguments, folder, prompt, attempt)
            started = time.perf_counter()
            command = self._command._replace(argv=tuple(argv))
            result = child.run(command, stdin, self.timeout, self._programs.start)
            seconds = time.perf_counter() - started
            check_exit(result, self.timeout, program=_PROGRAM)
            path = Path(folder, OUTPUT_FILE)
            output = path.read_bytes() if has_file and path.is_file() else b"" if has_file else result.stdout
            return output, result, seconds

    async def _ask_persistent(self, request: _Request) -> Answer:
        """Ask a process that serves many cases. Several run at once, up to `max_concurrency`."""
        try:
            persistent = self._idle.pop()
        except IndexError:
            persistent = PersistentProcess(self._command, self._programs.start)
        started = time.perf_counter()
        try:
            result = await ask_program(persistent, request.stdin, self.timeout)
            if result.failure is None and result.code == 0 and not result.stdout:
                # It ended after its last answer, and so has not seen this question; this starts another.
                result = await ask_program(persistent, request.stdin, self.timeout)
            seconds = time.perf_counter() - started
            check_exit(result, self.timeout, program=_PROGRAM, persistent=True)
            answer = _take_own(parse_row(result.stdout.partition(b"\n")[0], result, self.reply), request.id, result)
        except ProgramError:
            await run_in_thread(persistent.kill)  # its next line may be the answer to any question
            raise
        finally:
            self._idle.append(persistent)
        return complete(answer, seconds, self.prices)

    def _build_request_error(self, error: OSError | ProgramError) -> RequestError:
        if isinstance(error, OSError):
            return RequestError("spawn", f"{_PROGRAM} cannot be started: {error.strerror}")
        error.secrets = tuple(self.env.values())
        return RequestError(error.kind, error.describe(self.secrets()))

    def _list_names(self) -> set[str]:
        """Return the names that the templates of the command line read."""
        texts = [self.command] if isinstance(self.command, str) else self.command
        return {name for text in texts if "{" in text for name in find_names(text, _NAMES)}

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
