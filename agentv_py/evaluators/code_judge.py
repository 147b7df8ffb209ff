"""A case → what a script of the user's says of it."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, ConfigDict, Field

from agentv_py import jsontext, process
from agentv_py.case import ABSENT, Case
from agentv_py.evaluator import Evaluator, EvaluatorFailed
from agentv_py.process import Command, Finished
from agentv_py.score import Score
from agentv_py.script import ScriptProblem, resolve

_SHOWN = 400


def _settable(env: dict[str, str]) -> dict[str, str]:
    for name, value in env.items():
        if not name or "=" in name or "\0" in name + value:
            raise ValueError(f"{name!r} cannot be set in an environment")
    return env


class CodeJudge(Evaluator):
    """Takes any further key, and hands it to the script as config."""

    model_config = ConfigDict(extra="allow")

    type: Literal["code_judge"]
    script: list[Annotated[str, Field(min_length=1)]] | str = Field(
        min_length=1, description="argv, or one path whose interpreter is found by its shebang or suffix."
    )
    cwd: str | None = Field(None, description="Default: the suite's folder.")
    timeout: float = Field(60.0, gt=0, le=1e6, allow_inf_nan=False, description="Seconds, per case.")
    persistent: bool = Field(False, description="true: one process serves many cases, a JSON line in, a JSON line out.")
    env: Annotated[dict[str, str], AfterValidator(_settable)] = Field(default_factory=dict)

    outside: ClassVar[bool] = True

    def problems(self) -> Iterator[tuple[str, str]]:
        try:
            _ = self._command
        except ScriptProblem as problem:
            yield problem.key, str(problem)

    def files(self) -> Iterator[Path]:
        """The script; whatever that reads itself, nobody knows."""
        with suppress(ScriptProblem):
            paths = [Path(part) for part in self._command.argv if part != sys.executable]
            yield from (path for path in paths if path.is_absolute() and path.is_file())

    def between_answers(self) -> None:
        """A script may well look at more than the two values."""
        return

    def evaluate(self, case: Case) -> Score:
        question = jsontext.dumps_line(self._payload(case))
        try:
            if self.persistent:
                return self._asked(process.persistent(self._command), question)
            return _score(process.run(self._command, question, self.timeout), self.timeout, persistent=False)
        except OSError as error:
            raise EvaluatorFailed("spawn", f"the judge cannot be started: {error.strerror}") from None

    def _asked(self, judge: process.Persistent, question: bytes) -> Score:
        try:
            return _score(judge.ask(question, self.timeout), self.timeout, persistent=True)
        except EvaluatorFailed:
            judge.stop()  # nobody knows which question its next line would answer
            raise

    def _payload(self, case: Case) -> dict[str, Any]:
        expected = None if case.expected is ABSENT else case.expected
        return {
            "case_id": case.id,
            "candidate_answer": _text(case.candidate),
            "reference_answer": None if case.expected is ABSENT else _text(expected),
            "candidate": _structured(case.candidate),
            "expected": _structured(expected),
            "input": case.input,
            "question": None if case.input is None else _text(case.input),
            "metadata": case.metadata,
            "trace": None,
            "config": self.model_extra or {},
        }

    @cached_property
    def _command(self) -> Command:
        folder = self._folder / (self.cwd or "")
        from agentv_py.judge import PERSISTENT  # most suites have no judge

        extra = {PERSISTENT: "1"} | self.env if self.persistent else self.env
        env = process.environment(extra, str(Path(sys.executable).parent))
        argv = resolve(self.script, folder, dict(env)["PATH"])
        return Command(tuple(argv), os.fspath(folder.absolute()), env)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else jsontext.dumps(value).decode()


def _structured(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return jsontext.find(value)
    except jsontext.NotJson:
        return value


def _score(finished: Finished, timeout: float, *, persistent: bool) -> Score:
    if finished.failure == "timeout":
        raise _failed("timeout", f"the judge took longer than {timeout:g} s", finished)
    if finished.failure == "output":
        raise _failed("output", f"the judge wrote more than {process.MOST_OUTPUT // 2**20} MiB", finished)
    if finished.code < 0:
        raise _failed("signal", f"the judge was ended by signal {-finished.code}", finished)
    if finished.code > 0:
        raise _failed("exit", f"the judge exited with code {finished.code}", finished)
    if persistent and not finished.stdout.endswith(b"\n"):
        raise _failed("exit", "the judge ended without an answer", finished)
    return _read(finished)


def _read(finished: Finished) -> Score:
    try:
        said = jsontext.loads(finished.stdout.removeprefix(b"\xef\xbb\xbf").strip())
    except jsontext.NotJson:
        raise _failed("no_json", _why_no_json(finished.stdout), finished) from None
    if not isinstance(said, dict):
        raise _failed("no_json", "the judge's answer is not a JSON object", finished)
    score = said.get("score")
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
        shown = jsontext.dumps(score).decode()[:_SHOWN]
        raise _failed("score", f"the judge's score is not a number from 0 to 1: {shown}", finished)
    for key, fits, wanted in _OPTIONAL:
        if not fits(said.get(key)):
            raise _failed(key, f"the judge's {key} is not {wanted}", finished)
    return Score(
        float(score), said.get("hits") or [], said.get("misses") or [], said.get("reasoning") or "", said.get("details")
    )


def _is_texts(value: Any) -> bool:
    return value is None or (isinstance(value, list) and all(isinstance(one, str) for one in value))


_OPTIONAL = (
    ("hits", _is_texts, "a list of texts"),
    ("misses", _is_texts, "a list of texts"),
    ("reasoning", lambda value: value is None or isinstance(value, str), "text"),
    ("details", lambda value: value is None or isinstance(value, dict), "an object"),
)


def _why_no_json(stdout: bytes) -> str:
    if not stdout.strip():
        return "the judge answered nothing"
    try:
        last = jsontext.loads(stdout.strip().splitlines()[-1])
    except jsontext.NotJson:
        last = None
    if isinstance(last, dict):
        return "the judge wrote something before its JSON; logs go to stderr"
    return f"the judge's answer is not JSON: {stdout[:80].decode(errors='replace')!r}"


def _failed(kind: str, message: str, finished: Finished) -> EvaluatorFailed:
    end = finished.stderr[-_SHOWN:]
    return EvaluatorFailed(kind, f"{message}; stderr: {end}" if end else message)
