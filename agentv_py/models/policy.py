"""On which terms models are asked in a run: the cache, the budget, and the pace."""

import time
from dataclasses import dataclass, field, replace
from typing import Literal

from agentv_py.models.budget import Budget, Ledger
from agentv_py.models.usage import Usage

CacheUse = Literal["use", "refresh", "off"]


@dataclass(slots=True)
class Terms:
    cache: CacheUse = "use"
    ledger: Ledger = field(default_factory=Ledger)
    refreshed: set[str] = field(default_factory=set)
    """What was asked anew in this run, and need not be once more."""
    _slots: dict[str, float] = field(default_factory=dict)
    """When the next request to an address may be sent."""

    def within(self, budget: Budget, spent: Usage | None = None) -> "Terms":
        """The same for one suite, which has a budget of its own, some of it spent before."""
        if spent is not None:
            self.ledger.spent.add(spent)
        ledger = Ledger(budget, replace(spent) if spent else Usage(), self.ledger)
        return replace(self, ledger=ledger)

    async def pace(self, url: str, requests_per_minute: float | None) -> None:
        """Wait for this request's turn."""
        import asyncio

        if requests_per_minute is None:
            return
        now = time.monotonic()
        turn = max(now, self._slots.get(url, now))
        self._slots[url] = turn + 60.0 / requests_per_minute
        await asyncio.sleep(turn - now)
