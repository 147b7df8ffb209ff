"""Fuzzes the program in one process, guided by the lines that inputs reach.

    python tests/fuzz/fuzz.py --minutes 10 [--target suites] [--seed 1]
    python tests/fuzz/fuzz.py --target suites --replay FILE

It prints executions, seconds and inputs kept for each target, and each crash with a file that reproduces it. It ends
with 1 where there was a crash, else with 0.
"""

import argparse
import faulthandler
import os
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

sys.path.append(str(Path(__file__).parents[1]))

from fuzz_coverage import Coverage
from fuzz_mutation import MOST_BYTES, Mutator
from fuzz_readers import Wrong
from fuzz_targets import TARGETS, Target

import agentv_py

_PACKAGE = str(Path(agentv_py.__file__).parent)
_TRACED = 0.15  # of all executions: an execution that is traced takes four times as long
_SYSTEMATIC = 0.7  # of all inputs, while there are changes of the seeds that were not tried
_MOST_MEMORY = 6 * 2**30
_STUCK = 900  # seconds in which no signal was heard: the process ends and leaves the input behind


CURRENT = Path("input-under-way")


class Hang(BaseException):
    """An execution took too long. No `except Exception` may take it for something else."""


@dataclass
class Fuzzer:
    name: str
    target: Target
    patience: float
    crashes_folder: Path
    chance: Random
    most_seeds: int | None = None
    traced: float = _TRACED
    corpus: list[bytes] = field(default_factory=list)
    executions: int = 0
    seconds: float = 0.0
    armed: float = -_STUCK
    crashes: dict[str, Path] = field(default_factory=dict)
    coverage: Coverage = field(default_factory=lambda: Coverage(_PACKAGE))

    def __post_init__(self) -> None:
        self.mutator = Mutator(self.target.shape, self.chance)
        self.corpus = [seed for seed in islice(self.target.seeds(), self.most_seeds) if len(seed) <= MOST_BYTES]
        self.changes = self.mutator.changes(self.corpus)
        for seed in self.corpus:
            self.execute(seed, traced=self.traced > 0)

    def work(self, seconds: float, most: int | None = None) -> None:
        """For a while, or for a number of executions."""
        started = time.monotonic()
        until, last = started + seconds, self.executions + (most or sys.maxsize)
        while time.monotonic() < until and self.executions < last:
            data = self._next_input()
            if self.execute(data, traced=self.chance.random() < self.traced):
                self.corpus.append(data)
        self.seconds += time.monotonic() - started

    def execute(self, data: bytes, *, traced: bool = True) -> bool:
        """Whether the input is known to reach something new."""
        self.executions += 1
        before = self.coverage.reached
        CURRENT.write_bytes(data)
        self._arm_watchdog()
        try:
            with _alarm(self.patience):
                if traced:
                    self.coverage.trace(lambda: self.target.run(data))
                else:
                    self.target.run(data)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001  whatever comes out of the program is what is looked for
            self._note(error, data)
        return self.coverage.reached > before

    def _arm_watchdog(self) -> None:
        """Now and then: it takes a thread each time."""
        if time.monotonic() - self.armed > _STUCK / 20:
            faulthandler.dump_traceback_later(_STUCK, exit=True)
            self.armed = time.monotonic()

    def _next_input(self) -> bytes:
        data = next(self.changes, None) if self.chance.random() < _SYSTEMATIC else None
        return data if data is not None else self.mutator.mutate(self._choose(), self._choose())

    def _choose(self) -> bytes:
        """Half of the time one of those that came last: they reached what others did not."""
        return self.chance.choice(self.corpus[-20:] if self.chance.random() < 0.5 else self.corpus)

    def _note(self, error: BaseException, data: bytes) -> None:
        """The first input of each kind of crash."""
        kind = f"{self.name}: {_kind(error)}"
        if kind in self.crashes:
            return
        file = self.crashes_folder / f"{self.name}-{len(self.crashes) + 1}"
        file.write_bytes(data)
        self.crashes[kind] = file
        text = "".join(traceback.format_exception(error)[-6:])
        sys.stdout.write(f"CRASH {kind}\n  reproduce: --target {self.name} --replay {file}\n{_indented(text)}\n")
        sys.stdout.flush()


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise Hang(f"no end after {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _kind(error: BaseException) -> str:
    """The exception and the last place in the package; a finding about a result by its words."""
    if isinstance(error, Wrong):
        return re.sub(r"[0-9]+|'.*?'|\".*?\"", "#", str(error))[:120]
    ours = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(_PACKAGE)]
    where = f"{Path(ours[-1].filename).relative_to(_PACKAGE)}:{ours[-1].lineno}" if ours else "outside the package"
    return f"{type(error).__name__} at {where}"


def _indented(text: str) -> str:
    return "\n".join(f"  {line[:200]}" for line in text.splitlines()[-14:])


@contextmanager
def prepared(folder: Path) -> Iterator[None]:
    """In a folder of its own, with warnings as errors and a bound on memory."""
    before = Path.cwd()
    os.chdir(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()
            os.chdir(before)


def fuzzers(names: Sequence[str], crashes: Path, patience: float, seed: int) -> list[Fuzzer]:
    return [Fuzzer(name, TARGETS[name], patience, crashes, Random(f"{seed} {name}")) for name in names]


def fuzz(names: Sequence[str], seconds: float, crashes: Path, patience: float, seed: int) -> list[Fuzzer]:
    """All targets in turn, several times, so that each has its share whenever it is stopped."""
    several = fuzzers(names, crashes, patience, seed)
    rounds = max(1, min(20, int(seconds / len(several))))
    whole = sum(one.target.share for one in several)
    try:
        for _ in range(rounds):
            for one in several:
                one.work(seconds / rounds * one.target.share / whole)
            sys.stdout.write(f"{sum(one.executions for one in several):,} executions\n")
            sys.stdout.flush()
    except KeyboardInterrupt:
        sys.stdout.write("interrupted\n")
    return several


def _show(several: Sequence[Fuzzer]) -> None:
    sys.stdout.write(
        f"{'target':<16}{'executions':>12}{'seconds':>10}{'per second':>12}{'kept':>8}{'lines':>8}{'crashes':>9}\n"
    )
    for one in several:
        rate = one.executions / one.seconds if one.seconds else 0
        figures = f"{one.executions:>12,}{one.seconds:>10.0f}{rate:>12,.0f}{len(one.corpus):>8}{one.coverage.reached:>8,}{len(one.crashes):>9}"
        sys.stdout.write(f"{one.name:<16}{figures}\n")
    whole, seconds = sum(one.executions for one in several), sum(one.seconds for one in several)
    sys.stdout.write(f"{'all':<16}{whole:>12,}{seconds:>10.0f}\n")
    for one in several:
        for kind, file in one.crashes.items():
            sys.stdout.write(f"CRASH {kind}\n  reproduce: --target {one.name} --replay {file}\n")


def _arguments() -> Any:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--target", action="append", choices=list(TARGETS), help="one or several; default: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, default=10.0, help="seconds that one execution may take")
    parser.add_argument("--crashes", type=Path, default=Path(tempfile.gettempdir(), "evalctl-fuzz"))
    parser.add_argument("--replay", type=Path, help="a file that crashed a target; the traceback is shown")
    return parser.parse_args()


def _fast_folder() -> str | None:
    """Each execution writes files: in memory that takes no time."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def main() -> int:
    arguments = _arguments()
    names = arguments.target or list(TARGETS)
    crashes = arguments.crashes.absolute()
    crashes.mkdir(parents=True, exist_ok=True)
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
    data = arguments.replay.read_bytes() if arguments.replay else b""
    with tempfile.TemporaryDirectory(dir=_fast_folder()) as folder, prepared(Path(folder)):
        sys.stdout.write(f"input under way: {folder}/{CURRENT}\n")
        if arguments.replay:
            with _alarm(arguments.patience):
                TARGETS[names[0]].run(data)
            return 0
        several = fuzz(names, arguments.minutes * 60, crashes, arguments.patience, arguments.seed)
    _show(several)
    return int(any(one.crashes for one in several))


if __name__ == "__main__":
    sys.exit(main())
