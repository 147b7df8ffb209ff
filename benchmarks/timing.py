"""Subjects → their median times, taken in turns; a command → its peak memory."""

import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median

ROUNDS = 7


def time_in_turns(
    *subjects: Callable[[], object], rounds: int = ROUNDS, clock: Callable[[], float] = time.perf_counter
) -> list[float]:
    """The median time of each subject; taken in turns, so that a slow moment of the machine affects all of them."""
    times: list[list[float]] = [[] for _ in subjects]
    for _ in range(rounds):
        for subject, taken in zip(subjects, times, strict=True):
            started = clock()
            subject()
            taken.append(clock() - started)
    return [median(taken) for taken in times]


def show(what: str, ratio: float, goal: str) -> None:
    print(f"{ratio:9.2f}  {what} (goal: {goal})")


def peak_memory(*arguments: str) -> int:
    """The peak memory of a child process that runs only evalctl, in KiB. VmHWM starts at 0; ru_maxrss does not."""
    code = (
        f"import sys; sys.argv = {['evalctl', *arguments]!r}\n"
        "from agentv_py.cli import main\n"
        "try: main()\n"
        "except SystemExit: print(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return int(done.stdout)
