"""A case → the score that a script of the user gives it."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field

from agentv_py import jsontext
from agentv_py.case import Case
from agentv_py.comparison.private_data import remove_values
from agentv_py.evaluators.base import Evaluator
from agentv_py.evaluators.code_judge.builtin import find_builtin_judges
from agentv_py.evaluators.code_judge.payload import build_payload, read_assertions
from agentv_py.models.program_error import ProgramError, build_error, check_exit
from agentv_py.options import build_dict
from agentv_py.process import child
from agentv_py.process.child import Command, ProcessResult
from agentv_py.process.command_line import ScriptProblem, build_argv, is_interpreter
from agentv_py.process.persistent import PersistentProcess, get_persistent
from agentv_py.process.pipes import MOST_STDERR
from agentv_py.score import EvaluatorResult, Score

_ECHO = ("sequence", "case_id")
_PYTHON = Path(sys.executable)


def _check_env(env: dict[str, str]) -> dict[str, str]:
    for name, value in env.items():
        if not name or "=" in name or "\0" in name + value:
            raise ValueError(f"{name!r} cannot be set in an environment")
    return env


def _check_program(argv: list[str]) -> list[str]:
    if argv and not argv[0]:
        raise ValueError("the first word is the program, and it is empty")
    return argv


class CodeJudge(Evaluator):
    """Takes any further key, and hands it to the script as config."""

    model_config = ConfigDict(extra="allow")

    type: Literal["code_judge"]
    script: Annotated[list[str], AfterValidator(_check_program)] | str = Field(
        min_length=1,
        description="argv, or one path whose interpreter is found by its shebang or suffix, or builtin:NAME.",
    )
    cwd: str | None = Field(None, description="Default: the suite's folder.")
    timeout: float = Field(60.0, gt=0, le=1e6, allow_inf_nan=False, description="Seconds, per case.")
    persistent: bool = Field(False, description="true: one process serves many cases, a JSON line in, a JSON line out.")
    env: Annotated[dict[str, str], AfterValidator(_check_env)] = Field(default_factory=build_dict)

    @property
    def runs_subprocess(self) -> bool:
        return True

    def problems(self) -> Iterator[tuple[str, str]]:
        try:
            _ = self._command
        except ScriptProblem as problem:
            yield problem.key, str(problem)

    def files(self) -> Iterator[Path]:
        """Yield the script, and the program if the user wrote it. A further argument may be a file for output."""
        with suppress(ScriptProblem):
            program, *arguments = (Path(part) for part in self._command.argv)
            scripts = (path for path in arguments if path.is_absolute() and path.is_file())
            yield from (() if _is_installed(program) else (program,))
            yield from islice(scripts, 1)

    def remove_data(self, result: EvaluatorResult) -> EvaluatorResult:
        """Keep the paths and counts of a judge; leave out its words and its own details, which may quote the answer."""
        if "error" in result:
            return result
        hits, misses = ([text.partition(" (")[0] for text in texts] for texts in (result["hits"], result["misses"]))
        return remove_values(result, (), notes=False) | {"hits": hits, "misses": misses, "reasoning": ""}

    def for_consistency(self) -> None:
        """Return None, because a script may use more than the two answers, such as the input."""
        return

    def describe_settings(self) -> dict[str, Any]:
        """Name the variables of `env`, whose values may be secrets."""
        settings = super().describe_settings()
        if self.env:
            settings["env"] = list(self.env)
        return settings | {"config": self.model_extra} if self.model_extra else settings

    def evaluate(self, case: Case) -> Score:
        payload = build_payload(case, self.model_extra or {})
        try:
            if self.persistent:
                return self._ask_persistent(get_persistent(self._command), payload)
            result = child.run(self._command, jsontext.dumps_line(payload), self.timeout)
            check_exit(result, self.timeout, program="the judge")
            return _build_score(_parse_reply(result), result)
        except OSError as error:
            raise ProgramError("spawn", f"the judge cannot be started: {error.strerror}") from None
        except ProgramError as failure:
            failure.secrets = tuple(self.env.values())
            raise

    def _ask_persistent(self, judge: PersistentProcess, payload: dict[str, Any]) -> Score:
        payload["sequence"] = judge.next_sequence()
        result = judge.ask(jsontext.dumps_line(payload), self.timeout)
        try:
            check_exit(result, self.timeout, program="the judge", persistent=True)
            reply = _parse_reply(result)
            _check_echo(reply, result, payload)
            score = _build_score(reply, result)
        except ProgramError as failure:
            if failure.kind in _ECHO:
                judge.distrust()
            judge.stop()  # its next line may be the answer to any question
            raise
        if "sequence" not in reply:
            judge.is_unverified = True
            return score._replace(awaits=(judge.lifetime,))
        return score

    @cached_property
    def _command(self) -> Command:
        folder = self._folder / (self.cwd or "")
        from agentv_py.judge import PERSISTENT  # most suites have no judge

        changes = {PERSISTENT: "1"} | self.env if self.persistent else self.env
        env = child.build_environment(changes, str(Path(sys.executable).parent))
        argv = build_argv(find_builtin_judges(self.script), folder, dict(env)["PATH"])
        return Command(tuple(argv), os.fspath(folder.absolute()), env)


def _is_installed(program: Path) -> bool:
    """Tell whether a program is a part of the computer, such as an interpreter, and not of the suite."""
    return not program.is_file() or is_interpreter(program.name) or program.name == "env" or program == _PYTHON


def _parse_reply(result: ProcessResult) -> dict[str, Any]:
    data = result.stdout.removeprefix(b"\xef\xbb\xbf").strip()
    try:
        reply = jsontext.loads(data)
    except jsontext.NotJson:
        raise _explain_no_json(result) from None
    if not isinstance(reply, dict):
        raise build_error("no_json", "the judge's answer is not a JSON object", result)
    if jsontext.may_repeat_keys(data, reply):
        key = jsontext.find_repeated_key(data.decode(errors="replace"))
        if key is not None:
            raise build_error("repeated_key", "the judge's answer has a key twice in one object", result, repr(key))
    return reply


def _check_echo(reply: dict[str, Any], result: ProcessResult, payload: dict[str, Any]) -> None:
    """Raise if a reply names another question than the one that was asked. A reply may name no question."""
    for key in _ECHO:
        echoed, asked = reply.get(key, payload[key]), payload[key]
        if echoed != asked or isinstance(echoed, bool):
            message = f"the judge answered another question; the {key} is {asked!r}, but the answer has"
            raise build_error(key, message, result, jsontext.dumps(echoed).decode())


def _build_score(reply: dict[str, Any], result: ProcessResult) -> Score:
    reply = read_assertions(reply)
    score = reply.get("score")
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
        quote = jsontext.dumps(score).decode()
        raise build_error("score", "the judge's score is not a number from 0 to 1", result, quote)
    for key, is_valid, description in _OPTIONAL:
        if not is_valid(reply.get(key)):
            raise build_error(key, f"the judge's {key} is not {description}", result)
    hits, misses = (tuple(reply.get(key) or ()) for key in ("hits", "misses"))
    return Score(float(score), hits, misses, reply.get("reasoning") or "", reply.get("details"))


def _is_list_of_texts(value: Any) -> bool:
    return value is None or (isinstance(value, list) and all(isinstance(item, str) for item in value))


_OPTIONAL = (
    ("hits", _is_list_of_texts, "a list of texts"),
    ("misses", _is_list_of_texts, "a list of texts"),
    ("reasoning", lambda value: value is None or isinstance(value, str), "text"),
    ("details", lambda value: value is None or isinstance(value, dict), "an object"),
)


def _explain_no_json(result: ProcessResult) -> ProgramError:
    stdout = result.stdout.strip()
    if not stdout:
        return build_error("no_json", "the judge answered nothing", result)
    try:
        last = jsontext.loads(stdout.splitlines()[-1])
    except jsontext.NotJson:
        last = None
    if isinstance(last, dict):
        return build_error("no_json", "the judge wrote something before its JSON; logs go to stderr", result)
    quote = repr(stdout[:MOST_STDERR].decode(errors="replace"))
    return build_error("no_json", "the judge's answer is not JSON", result, quote)
