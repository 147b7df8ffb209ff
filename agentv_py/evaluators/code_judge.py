"""A case → what a script of the user's says of it."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field

from agentv_py import jsontext
from agentv_py.case import ABSENT, Case
from agentv_py.evaluators.base import Evaluator, EvaluatorFailed, Quotes
from agentv_py.process import child
from agentv_py.process.child import Command, Finished
from agentv_py.process.command_line import ScriptProblem, resolve
from agentv_py.process.persistent import Persistent, get_persistent, staying
from agentv_py.repeated_keys import find_repeated_key
from agentv_py.score import Score

_ECHO = ("sequence", "case_id")


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

    @property
    def outside(self) -> bool:
        return True

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
        question = self._payload(case)
        try:
            if self.persistent:
                return self._ask(get_persistent(self._command), question)
            finished = child.run(self._command, jsontext.dumps_line(question), self.timeout, staying())
            _check_end(finished, self.timeout, persistent=False)
            return _score(_read(finished), finished)
        except OSError as error:
            raise EvaluatorFailed("spawn", f"the judge cannot be started: {error.strerror}") from None
        except EvaluatorFailed as failure:
            failure.secrets = tuple(self.env.values())
            raise

    def _ask(self, judge: Persistent, question: dict[str, Any]) -> Score:
        question["sequence"] = judge.next_sequence()
        finished = judge.ask(jsontext.dumps_line(question), self.timeout)
        try:
            _check_end(finished, self.timeout, persistent=True)
            answer = _read(finished)
            _check_echo(answer, finished, question)
            score = _score(answer, finished)
        except EvaluatorFailed as failure:
            if failure.kind in _ECHO:
                judge.distrust()
            judge.stop()  # nobody knows which question its next line would answer
            raise
        if "sequence" not in answer:
            judge.is_unverified = True
            return score._replace(awaits=judge.lifetime)
        return score

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
        env = child.environment(extra, str(Path(sys.executable).parent))
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


def _check_end(finished: Finished, timeout: float, *, persistent: bool) -> None:
    if finished.failure == "timeout":
        raise _failed("timeout", f"the judge took longer than {timeout:g} s", finished)
    if finished.failure == "output":
        raise _failed("output", f"the judge wrote more than {child.MOST_OUTPUT // 2**20} MiB", finished)
    if finished.code < 0:
        raise _failed("signal", f"the judge was ended by signal {-finished.code}", finished)
    if finished.code > 0:
        raise _failed("exit", f"the judge exited with code {finished.code}", finished)
    if persistent and not finished.stdout.endswith(b"\n"):
        raise _failed("exit", "the judge ended without an answer", finished)


def _read(finished: Finished) -> dict[str, Any]:
    data = finished.stdout.removeprefix(b"\xef\xbb\xbf").strip()
    try:
        answer = jsontext.loads(data)
    except jsontext.NotJson:
        raise _not_json(finished) from None
    if not isinstance(answer, dict):
        raise _failed("no_json", "the judge's answer is not a JSON object", finished)
    if (key := find_repeated_key(data.decode(errors="replace"))) is not None:
        raise _failed("repeated_key", "the judge's answer has a key twice in one object", finished, repr(key))
    return answer


def _check_echo(answer: dict[str, Any], finished: Finished, question: dict[str, Any]) -> None:
    """Where the answer says which question it answers, hold it to that."""
    for key in _ECHO:
        given, asked = answer.get(key, question[key]), question[key]
        if given != asked or isinstance(given, bool):
            message = f"the judge answered another question; asked for {key} {asked!r}, it said"
            raise _failed(key, message, finished, jsontext.dumps(given).decode())


def _score(answer: dict[str, Any], finished: Finished) -> Score:
    score = answer.get("score")
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
        shown = jsontext.dumps(score).decode()
        raise _failed("score", "the judge's score is not a number from 0 to 1", finished, shown)
    for key, fits, wanted in _OPTIONAL:
        if not fits(answer.get(key)):
            raise _failed(key, f"the judge's {key} is not {wanted}", finished)
    hits, misses = (tuple(answer.get(key) or ()) for key in ("hits", "misses"))
    return Score(float(score), hits, misses, answer.get("reasoning") or "", answer.get("details"))


def _is_texts(value: Any) -> bool:
    return value is None or (isinstance(value, list) and all(isinstance(one, str) for one in value))


_OPTIONAL = (
    ("hits", _is_texts, "a list of texts"),
    ("misses", _is_texts, "a list of texts"),
    ("reasoning", lambda value: value is None or isinstance(value, str), "text"),
    ("details", lambda value: value is None or isinstance(value, dict), "an object"),
)


def _not_json(finished: Finished) -> EvaluatorFailed:
    stdout = finished.stdout.strip()
    if not stdout:
        return _failed("no_json", "the judge answered nothing", finished)
    try:
        last = jsontext.loads(stdout.splitlines()[-1])
    except jsontext.NotJson:
        last = None
    if isinstance(last, dict):
        return _failed("no_json", "the judge wrote something before its JSON; logs go to stderr", finished)
    shown = repr(stdout[: child.MOST_STDERR].decode(errors="replace"))
    return _failed("no_json", "the judge's answer is not JSON", finished, shown)


def _failed(kind: str, message: str, finished: Finished, quote: str = "") -> EvaluatorFailed:
    is_cut = len(finished.stderr.encode()) >= child.MOST_STDERR
    return EvaluatorFailed(kind, message, Quotes(quote, finished.stderr, is_cut=is_cut))
