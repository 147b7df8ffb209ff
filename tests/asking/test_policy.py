"""What a suite spends counts for the suite and for the run; making a policy for a suite spends nothing."""

import asyncio
import threading
import time
from collections.abc import Coroutine
from typing import Any

import pytest

from agentv_py.models.budget import Budget, Spending
from agentv_py.models.policy import CallPolicy
from agentv_py.models.usage import Usage


def test_a_policy_for_a_suite_leaves_the_policy_of_the_run_as_it_is() -> None:
    run = CallPolicy(spending=Spending(Budget(calls=2), Usage(calls=1)))
    suite = run.for_suite(Budget(tokens=10))
    assert _list_spending(run.spending) == (Budget(calls=2), Usage(calls=1), None)
    assert _list_spending(suite.spending) == (Budget(tokens=10), Usage(), run.spending)


def _list_spending(spending: Spending) -> tuple[Budget, Usage, Spending | None]:
    return spending.budget, spending.spent, spending.run


def test_what_an_earlier_run_spent_counts_for_the_suite_and_for_the_run() -> None:
    run = CallPolicy(spending=Spending(Budget(calls=3)))
    suite = run.for_suite(Budget(tokens=100))
    suite.spending.record_earlier(Usage(2, 1, 30, 4, 0.5))
    assert suite.spending.admit_call()
    suite.spending.record_usage(Usage(1, 0, 5, 6, 0.25))
    total = Usage(3, 1, 35, 10, 0.75)
    assert (suite.spending.spent, run.spending.spent) == (total, total)
    assert (suite.spending.admit_call(), suite.spending.limit_reached_message()) == (False, "3 of 3 calls")


def test_threads_together_send_exactly_as_many_calls_as_the_budget_allows() -> None:
    spending = Spending(Budget(tokens=10**9), run=Spending(Budget(calls=20_000)))
    admitted = list[int]()

    def ask() -> None:
        calls = 0
        while spending.admit_call():
            spending.record_usage(Usage(0, 0, 1, 2, 1.0))
            calls += 1
        admitted.append(calls)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (sum(admitted), spending.spent) == (20_000, Usage(20_000, 0, 20_000, 40_000, 20_000.0))


def test_requests_per_minute_spreads_requests_evenly_for_each_address(monkeypatch: pytest.MonkeyPatch) -> None:
    now, waits = [100.0], list[float]()

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(asyncio, "sleep", sleep)
    policy = CallPolicy()

    def send(*addresses: str) -> list[float]:
        waits.clear()
        for address in addresses:
            _run_to_end(policy.for_suite(Budget()).pace(address, 30))
        return list(waits)

    assert send("a", "a", "b", "a", "b") == [0.0, 2.0, 0.0, 4.0, 2.0]
    now[0] += 5.0
    assert send("a", "a") == [1.0, 3.0]
    now[0] += 60.0
    assert send("a", "a") == [0.0, 2.0]
    _run_to_end(policy.pace("a", None))
    assert len(waits) == 2


def _run_to_end(work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine that waits for nothing: a loop would read the clock."""
    with pytest.raises(StopIteration):
        work.send(None)
