"""How models may be asked in a run: the use of the cache, the budget, and the pace."""

import time
from copy import copy
from typing import Literal

from agentv_py.models.budget import Budget, Spending

CacheUse = Literal["use", "refresh", "off"]


class CallPolicy:
    """The rules for all requests of a run, or of one suite."""

    def __init__(self, cache: CacheUse = "use", spending: Spending | None = None) -> None:
        self.cache = cache
        self.spending = spending or Spending()
        self.refreshed: set[str] = set()
        """The keys of questions that were asked again in this run; a second time is not needed."""
        self._next_turns: dict[str, float] = {}
        """By address: the time at which the next request may be sent."""

    def for_suite(self, budget: Budget) -> "CallPolicy":
        """The same policy for one suite, which has a budget of its own besides that of the run."""
        policy = copy(self)  # what was refreshed and the turns are those of the run
        policy.spending = Spending(budget, run=self.spending)
        return policy

    async def pace(self, url: str, requests_per_minute: float | None) -> None:
        """Wait for this request's turn."""
        import asyncio

        if requests_per_minute is None:
            return
        now = time.monotonic()
        turn = max(now, self._next_turns.get(url, now))
        self._next_turns[url] = turn + 60.0 / requests_per_minute
        await asyncio.sleep(turn - now)
