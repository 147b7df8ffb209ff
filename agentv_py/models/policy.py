"""How models may be asked in a run: the use of the cache, the budget, and the pace."""

import time
from dataclasses import dataclass, field, replace
from typing import Literal

from agentv_py.models.budget import Budget, Spending

CacheUse = Literal["use", "refresh", "off"]


@dataclass(slots=True, eq=False)
class CallPolicy:
    """The rules for all requests of a run, or of one suite."""

    cache: CacheUse = "use"
    spending: Spending = field(default_factory=Spending)
    refreshed: set[str] = field(default_factory=set)
    """The keys of questions that were asked again in this run; a second time is not needed."""
    _next_turns: dict[str, float] = field(default_factory=dict)
    """By address: the time at which the next request may be sent."""

    def for_suite(self, budget: Budget) -> "CallPolicy":
        """The same policy for one suite, which has a budget of its own besides that of the run."""
        return replace(self, spending=Spending(budget, run=self.spending))

    async def pace(self, url: str, requests_per_minute: float | None) -> None:
        """Wait for this request's turn."""
        import asyncio

        if requests_per_minute is None:
            return
        now = time.monotonic()
        turn = max(now, self._next_turns.get(url, now))
        self._next_turns[url] = turn + 60.0 / requests_per_minute
        await asyncio.sleep(turn - now)
