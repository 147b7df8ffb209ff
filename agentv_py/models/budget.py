"""What is spent so far, and the limits of a budget → whether another request may be sent."""

import os
import threading
from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from agentv_py.models.usage import Usage
from agentv_py.options import Options
from agentv_py.score import SLACK

UNKNOWN_COST_MESSAGE = "a model that is asked has no prices, so its cost is unknown; give it prices:"

# Targets are asked in a thread of their own, while judges are asked in another. It belongs to the module, because the
# spending itself goes to other processes; a fork waits for it, so that no process inherits it locked.
_LOCK = threading.Lock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_LOCK.acquire, after_in_parent=_LOCK.release, after_in_child=_LOCK.release)

_Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]
_Count = Annotated[int, Field(ge=0)]


class Budget(Options):
    """The most that asking models may take; the run stops cleanly there."""

    cost: _Amount | None = Field(None, description="In the currency of the prices.")
    tokens: _Count | None = Field(None, description="Of prompts and completions together.")
    calls: _Count | None = Field(None, description="Requests, those that are sent again among them.")


class Spending:
    """The spent part of a budget. A request counts as a call as soon as it is sent."""

    def __init__(self, budget: Budget | None = None, spent: Usage | None = None, run: "Spending | None" = None) -> None:
        self.budget = budget or Budget()
        self.spent = Usage() if spent is None else spent
        self.run = run
        """The spending of the whole run, if this is the spending of one suite. Each amount is added to both."""

    def admit_call(self) -> bool:
        """Count a call, unless a limit of the suite or of the run is reached."""
        with _LOCK:
            levels = list(self._levels())
            if any(level.is_limit_reached() for level in levels):
                return False
            for level in levels:
                level.spent.calls += 1
            return True

    def record_usage(self, usage: Usage) -> None:
        """Count the tokens and the cost of a reply; its call was counted when the request was sent."""
        self.record_earlier(Usage(0, 0, usage.prompt_tokens, usage.completion_tokens, usage.cost))

    def record_earlier(self, usage: Usage) -> None:
        """Count the calls, tokens and cost of the earlier run that this run resumes."""
        with _LOCK:
            for level in self._levels():
                level.spent.add(usage)

    def _levels(self) -> "Iterator[Spending]":
        yield self
        if self.run is not None:
            yield from self.run._levels()  # noqa: SLF001  it is this class's own

    def is_limit_reached(self) -> bool:
        return any(True for _ in self._reached_limits())

    def limit_reached_message(self) -> str:
        """The limit that is reached, and the amount spent; empty if no limit is reached."""
        return next(self._reached_limits(), "") or (self.run.limit_reached_message() if self.run is not None else "")

    def _reached_limits(self) -> Iterator[str]:
        cost, tokens, calls = self.spent.cost or 0.0, self.spent.tokens, self.spent.calls
        if self.budget.cost is not None and cost >= self.budget.cost - SLACK:
            yield f"cost {cost:.6g} of {self.budget.cost:g}"
        if self.budget.tokens is not None and tokens >= self.budget.tokens:
            yield f"{tokens:,} of {self.budget.tokens:,} tokens"
        if self.budget.calls is not None and calls >= self.budget.calls:
            yield f"{calls:,} of {self.budget.calls:,} calls"
