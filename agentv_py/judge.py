"""A function → a judge: the script's end of the code_judge wire.

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
"""Set in the environment of a judge that is to answer line by line."""


@dataclass(frozen=True, slots=True)
class Payload:
    """What a judge is asked: one case."""

    case_id: str
    candidate: Any
    """The answer as JSON, or as text where it holds none."""
    expected: Any
    candidate_answer: str
    reference_answer: str | None
    """Both as text; JSON-encoded where they are structured."""
    input: Any = None
    question: str | None = None
    metadata: Mapping[str, Any] | None = None
    trace: Any = None
    config: Mapping[str, Any] = field(default_factory=dict)
    """The keys of the evaluator in the suite that are not its own."""


@dataclass(slots=True)
class Result:
    """What a judge says."""

    score: float
    hits: list[str] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)
    reasoning: str = ""
    details: dict[str, Any] | None = None


Judge = Callable[[Payload], "Result | Mapping[str, Any] | float | bool"]


def run(judge: Judge) -> None:
    """Answer what is asked on stdin: one case or, under `persistent: true`, one a line until it closes."""
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr  # what the judge prints is a log, and logs go to stderr
    if os.environ.get(PERSISTENT):
        for line in sys.stdin.buffer:
            _answer(judge, line, answers)
    else:
        _answer(judge, sys.stdin.buffer.read(), answers)


def _answer(judge: Judge, question: bytes, answers: BinaryIO) -> None:
    asked = jsontext.loads(question)
    payload = {key: value for key, value in asked.items() if key in Payload.__dataclass_fields__}
    # Which question this answers; a judge that is asked one question only is not asked for it.
    echo = {key: asked[key] for key in ("sequence", "case_id") if "sequence" in asked}
    answers.write(jsontext.dumps_line(_as_object(judge(Payload(**payload))) | echo))
    answers.flush()


def _as_object(result: "Result | Mapping[str, Any] | float | bool") -> dict[str, Any]:
    if isinstance(result, Mapping):
        return dict(result)
    if not isinstance(result, Result):
        return {"score": float(result)}
    said = {"score": result.score, "hits": result.hits, "misses": result.misses, "reasoning": result.reasoning}
    return said if result.details is None else said | {"details": result.details}
