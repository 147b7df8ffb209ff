"""Chunks in order, whoever scores them."""

import multiprocessing
import os
import signal
import time

import pytest

from agentv_py.errors import UserError
from agentv_py.run.engines import local


@pytest.mark.parametrize("jobs", [1, 2, 7])
def test_results_come_in_the_order_of_the_chunks(jobs: int) -> None:
    assert list(local.run(lambda chunk: chunk * 2, range(100), jobs)) == [chunk * 2 for chunk in range(100)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_no_chunks_are_no_results(jobs: int) -> None:
    assert list(local.run(str, [], jobs)) == []


@pytest.mark.parametrize(("jobs", "pauses"), [(1, ["p"]), (2, ["p", "p"])])
def test_every_process_pauses_between_two_stretches_of_chunks_and_after_the_last(jobs: int, pauses: list[str]) -> None:
    found = list(local.run(str, [1, 2, 3, None, 4, None], jobs, pause=lambda: "p"))
    assert found == ["1", "2", "3", *pauses, "4", *pauses]


def test_large_chunks_and_results_do_not_block_each_other() -> None:
    assert sum(map(len, local.run(lambda chunk: chunk * 2, [b"x" * 3_000_000] * 6, 2))) == 36_000_000


def test_a_worker_that_dies_is_named() -> None:
    def work(chunk: int) -> int:
        if chunk == 5:
            os.kill(os.getpid(), signal.SIGKILL)
        return chunk

    with pytest.raises(UserError, match=r"a worker process died \(exit code -9\)"):
        list(local.run(work, range(10), 2))


def test_a_worker_that_misses_the_signal_to_end_ends_nevertheless() -> None:
    def work(chunk: int) -> int:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        return chunk

    assert list(local.run(work, range(10), 2)) == list(range(10))


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("error", [MemoryError(), OSError(24, "Too many open files", "f.txt")], ids=["memory", "files"])
def test_what_the_system_refuses_a_worker_is_no_bug(error: Exception, jobs: int) -> None:
    def work(chunk: int) -> int:
        raise error

    with pytest.raises(type(error)) as caught:
        list(local.run(work, [1], jobs))
    assert caught.value.args == error.args


def test_a_bug_in_a_worker_is_a_traceback() -> None:
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        list(local.run(lambda chunk: 1 // chunk, [1, 0], 2))


def test_a_worker_that_hears_no_signal_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    def work(chunk: int) -> int:
        if chunk:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
            time.sleep(600)
        return chunk

    monkeypatch.setattr(local, "_PATIENCE", 0.1)
    results = local.run(work, [0, 1], 2)
    assert next(results) == 0
    results.close()  # type: ignore[attr-defined]  # it is a generator
    assert multiprocessing.active_children() == []
