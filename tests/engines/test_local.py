"""Chunks in order, whoever scores them."""

import mmap
import multiprocessing
import os
import select
import signal
import struct
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentv_py.errors import UserError
from agentv_py.report.summary import Summary
from agentv_py.run.chunk import ScoredChunk
from agentv_py.run.engines import Recovery, local, replies

_RECOVERY = Recovery(split=lambda chunk: [[item] for item in chunk], give_up=lambda _chunk, how: [how])
_FINISHED = struct.Struct("ii")


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


@pytest.mark.parametrize("sends_ahead", [False, True])
@pytest.mark.parametrize("size", [10, 3_000, 300_000, 3_000_000])
def test_large_chunks_and_results_do_not_block_each_other(size: int, *, sends_ahead: bool) -> None:
    chunks = [bytes([number]) * size for number in range(12)]
    results = local.run(lambda chunk: chunk * 3, chunks, 2, sends_ahead=sends_ahead)
    assert list(results) == [chunk * 3 for chunk in chunks]


def test_a_task_that_waits_at_a_worker_that_dies_runs_at_another_one() -> None:
    def work(chunk: list[int]) -> list[int]:
        if 5 in chunk:
            os.kill(os.getpid(), signal.SIGKILL)
        return chunk

    results = list(local.run(work, [[number] for number in range(40)], 2, recovery=_RECOVERY, sends_ahead=True))
    assert results == [["died (signal 9)"] if number == 5 else [number] for number in range(40)]


def test_a_worker_that_dies_is_named() -> None:
    def work(chunk: int) -> int:
        if chunk == 5:
            os.kill(os.getpid(), signal.SIGKILL)
        return chunk

    with pytest.raises(UserError, match=r"a worker process died \(signal 9\)"):
        list(local.run(work, range(10), 2))


def test_a_chunk_whose_worker_dies_once_runs_again(tmp_path: Path) -> None:
    def work(chunk: list[int]) -> list[int]:
        if 5 in chunk and not (tmp_path / "died").exists():
            (tmp_path / "died").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return chunk

    chunks = [[number, number + 1] for number in range(0, 20, 2)]
    assert list(local.run(work, chunks, 2, recovery=_RECOVERY)) == chunks


@pytest.mark.parametrize("fatal", [{5}, {0}, {19}, {4, 5}, {0, 7, 19}])
def test_only_the_items_that_end_their_workers_have_no_result(fatal: set[int]) -> None:
    def work(chunk: list[int]) -> list[int]:
        if fatal.intersection(chunk):
            os.kill(os.getpid(), signal.SIGKILL)
        return chunk

    chunks = [[number, number + 1] for number in range(0, 20, 2)]
    results = list(local.run(work, chunks, 2, recovery=_RECOVERY))
    items = [item for result in results for item in result]
    assert items == ["died (signal 9)" if number in fatal else number for number in range(20)]
    assert multiprocessing.active_children() == []


def test_the_death_of_a_worker_is_reported_also_in_a_pause(tmp_path: Path) -> None:
    def pause() -> list[str]:
        try:
            (tmp_path / "paused").touch(exist_ok=False)
        except FileExistsError:
            return ["paused"]
        os.kill(os.getpid(), signal.SIGKILL)
        return []

    recovery = _RECOVERY._replace(report_death=lambda pid: [f"reported {pid > 0}"])
    results = list(local.run(lambda chunk: chunk, [["a"], ["b"]], 2, pause=pause, recovery=recovery))
    assert (results[:2], sorted(results[2:])) == ([["a"], ["b"]], [["paused"], ["reported True"]])


def test_workers_that_die_at_every_case_end_the_run() -> None:
    def work(_chunk: list[int]) -> list[int]:
        os._exit(3)

    with pytest.raises(UserError, match=r"a worker process died \(exit code 3\); the rows before it are whole"):
        list(local.run(work, [list(range(100))], 2, recovery=_RECOVERY))


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


def test_large_results_reach_the_caller_whole_through_shared_memory_or_the_pipe(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replies, "_SIZE", mmap.PAGESIZE)
    sizes = [0, 1, mmap.PAGESIZE, mmap.PAGESIZE + 1, 100_000, 5]
    results = list(local.run(_make_rows, sizes, 2))
    assert [scored.rows for scored in results] == [_make_rows(size).rows for size in sizes]


def test_rows_in_shared_memory_stay_whole_while_the_caller_uses_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replies, "_SIZE", mmap.PAGESIZE)
    finished = _Finished()
    results = local.run(finished.note(_make_rows), range(100, 120), 2, sends_ahead=True)
    for size, scored in zip(range(100, 120), results, strict=True):
        if size == 100:
            while finished.count_like(100) < 2:  # this worker may be one reply ahead
                assert finished.has(1)
            while finished.has(1, seconds=0.05):
                pass
            assert finished.count_like(100) == 2  # its next reply would overwrite these rows
        assert scored.rows == _make_rows(size).rows


def test_an_idle_worker_gets_a_large_task_before_the_caller_uses_a_result() -> None:
    finished = _Finished()
    results = local.run(finished.note(len), [bytes(10_000)] * 6, 2, sends_ahead=True)
    assert next(results) == 10_000
    assert finished.has(3)
    assert list(results) == [10_000] * 5


class _Finished:
    """A pipe that tells of each task that a worker has finished: the worker and, if it is a number, the task."""

    def __init__(self) -> None:
        self._reader, self._writer = os.pipe()
        self._workers: list[int] = []
        """The worker of each task that is known to be finished."""
        self._worker_of: dict[int, int] = {}

    def note(self, work: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def work_and_note(chunk: Any) -> Any:
            result = work(chunk)
            os.write(self._writer, _FINISHED.pack(os.getpid(), chunk if isinstance(chunk, int) else -1))
            return result

        return work_and_note

    def has(self, count: int, seconds: float = 60.0) -> bool:
        """Wait until so many more tasks are finished. False if that takes longer."""
        for _ in range(count):
            if not select.select([self._reader], [], [], seconds)[0]:
                return False
            worker, task = _FINISHED.unpack(os.read(self._reader, _FINISHED.size))
            self._workers.append(worker)
            self._worker_of[task] = worker
        return True

    def count_like(self, task: int) -> int:
        """Count the finished tasks of the worker that has finished this one."""
        return self._workers.count(self._worker_of.get(task, 0))


def _make_rows(size: int) -> ScoredChunk:
    return ScoredChunk(bytes(number % 251 for number in range(size)), Summary())
