"""A function → a judge script: the SDK of code_judge.

from agentv_py import judge

def score(payload: judge.Payload) -> float:
return float(payload.candidate == payload.expected)

judge.run(score)
"""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from agentv_py import jsontext

PERSISTENT = "EVALCTL_PERSISTENT"
"""An environment variable. It is set for a judge that serves many cases, one case per line."""


@dataclass(frozen=True, slots=True)
class Payload:
    """One case, as a judge receives it."""

    case_id: str
    candidate: Any
    """The answer as JSON; as text, if it holds no JSON."""
    expected: Any
    candidate_answer: str
    reference_answer: str | None
    """The answer and the expected value as text; objects and lists are encoded as JSON."""
    input: Any = None
    question: str | None = None
    metadata: Mapping[str, Any] | None = None
    trace: Any = None
    config: Mapping[str, Any] = field(default_factory=dict)
    """Every key of the evaluator in the suite that is not an option of code_judge."""


@dataclass(slots=True)
class Result:
    """What a judge returns."""

    score: float
    hits: list[str] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)
    reasoning: str = ""
    details: dict[str, Any] | None = None


Judge = Callable[[Payload], "Result | Mapping[str, Any] | float | bool"]


def run(judge: Judge) -> None:
    """Score the case on stdin or, under `persistent: true`, one case per line until stdin closes."""
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr  # stdout is for answers only, so everything that the judge prints goes to stderr
    if os.environ.get(PERSISTENT):
        for line in sys.stdin.buffer:
            _answer(judge, line, answers)
    else:
        _answer(judge, sys.stdin.buffer.read(), answers)


def _answer(judge: Judge, question: bytes, answers: BinaryIO) -> None:
    values = jsontext.loads(question)
    payload = {key: value for key, value in values.items() if key in Payload.__dataclass_fields__}
    # A question without a sequence number is the only one of its process, so its answer needs no echo.
    echo = {key: values[key] for key in ("sequence", "case_id") if "sequence" in values}
    try:
        answer = _to_object(judge(Payload(**payload)))
    except Exception as error:  # noqa: BLE001  whatever it is, evalctl shows it to the author of the judge
        sys.exit(_describe_exception(error))
    answers.write(jsontext.dumps_line(answer | echo))
    answers.flush()


def _describe_exception(error: Exception) -> str:
    """Return the exception as one line, with the place in the author's own code."""
    from traceback import extract_tb  # most judges never fail

    words = " ".join(str(error).split())
    name = f"{type(error).__name__}: {words}" if words else type(error).__name__
    frames = [frame for frame in extract_tb(error.__traceback__) if frame.filename != __file__]
    folder = os.path.dirname(os.path.abspath(sys.argv[0]))  # noqa: PTH100, PTH120  pathlib would take time to import
    own = [frame for frame in frames if os.path.dirname(os.path.abspath(frame.filename)) == folder]  # noqa: PTH100, PTH120  as above
    if not frames:
        return name
    last = (own or frames)[-1]
    return f"{name} ({os.path.basename(last.filename)}:{last.lineno} in {last.name})"  # noqa: PTH119  as above


def _to_object(result: "Result | Mapping[str, Any] | float | bool") -> dict[str, Any]:
    if isinstance(result, Mapping):
        return dict(result)
    if not isinstance(result, Result):
        return {"score": float(result)}
    answer = {"score": result.score, "hits": result.hits, "misses": result.misses, "reasoning": result.reasoning}
    return answer if result.details is None else answer | {"details": result.details}
