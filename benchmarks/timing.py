"""Subjects → the times that they take, in turns; a command → its peak memory."""

import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

ROUNDS = 7

Subject = Callable[[], object]
Clock = Callable[[], float]


def read_work() -> float:
    """The processor time of this process and of its children. A busy machine changes it less than the elapsed time."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def time_in_turns(*subjects: Subject, rounds: int = ROUNDS, clock: Clock = time.perf_counter) -> list[list[float]]:
    """The times of each subject; taken in turns, so that a slow moment of the machine affects all of them."""
    times: list[list[float]] = [[] for _ in subjects]
    for _ in range(rounds):
        for subject, taken in zip(subjects, times, strict=True):
            started = clock()
            subject()
            taken.append(clock() - started)
    return times


def divide(times: Sequence[float], others: Sequence[float]) -> list[float]:
    """The ratio of each round."""
    return [one / other for one, other in zip(times, others, strict=True)]


def evalctl(*arguments: str) -> None:
    """The whole command, start included. Some cases have mistakes on purpose, so 1 is no failure."""
    done = subprocess.run([sys.executable, "-m", "agentv_py", *arguments], stdout=subprocess.DEVNULL, check=False)
    if done.returncode not in {0, 1}:
        raise RuntimeError(f"evalctl {' '.join(arguments)} ended with {done.returncode}")


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
