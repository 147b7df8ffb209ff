"""Lists, judges and models → what they add to a case: seconds of processor time."""

import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

from backends import ask, serve
from figure import Effort
from lists import ROW, evaluator, rows
from timing import read_work, time_in_turns

from agentv_py.case import Case
from agentv_py.evaluators.code_judge import CodeJudge
from agentv_py.models.backends import Llm
from agentv_py.process.persistent import stop_persistent

CALLS = 2_000
JUDGE = "from agentv_py import judge\njudge.run(lambda payload: float(payload.candidate == payload.expected))\n"


class OtherCosts(NamedTuple):
    """Seconds of what some cases have besides."""

    ten_rows: float
    hundred_rows: float
    call: float
    process: float
    request: float


def measure_others(effort: Effort) -> OtherCosts:
    return OtherCosts(
        measure_list(10, effort), measure_list(100, effort), *measure_judges(effort), measure_model(effort)
    )


def measure_list(count: int, effort: Effort) -> float:
    ours, (expected, actual) = evaluator({"unordered": ROW}), rows(count)
    case = Case("", expected, actual)
    repeats = 2_000 // count
    ours.evaluate(case)
    [times] = time_in_turns(
        lambda: [ours.evaluate(case) for _ in range(repeats)], rounds=effort.rounds(5), clock=read_work
    )
    return median(times) / repeats


def measure_judges(effort: Effort) -> tuple[float, float]:
    """The processor time of a call, in our process and in the judge's."""
    Path("judge.py").write_text(JUDGE, encoding="utf-8")
    options = {"type": "code_judge", "script": "judge.py"}
    stays, once = (CodeJudge.model_validate(options | {"persistent": persistent}) for persistent in (True, False))
    case = Case("x", {"a": 1}, {"a": 1})

    def call_many() -> None:
        for _ in range(CALLS):
            stays.evaluate(case)
        stop_persistent()  # only then does the time of the judge count

    many, few = time_in_turns(
        call_many, lambda: [once.evaluate(case) for _ in range(5)], rounds=effort.rounds(3), clock=read_work
    )
    return median(many) / CALLS, median(few) / 5


def measure_model(effort: Effort) -> float:
    """The processor time of our process for a request."""
    pairs = [(f"text {number}", f"other {number}") for number in range(200)]
    with serve(0) as root:
        model = Llm(base_url=f"{root}/v1", model="m")
        ask(model, pairs[:1])
        [times] = time_in_turns(lambda: ask(model, pairs), rounds=effort.rounds(3), clock=time.process_time)
    return median(times) / len(pairs)
