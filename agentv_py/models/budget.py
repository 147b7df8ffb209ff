"""What is spent so far, and the limits of a budget → whether another request may be sent."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field

from agentv_py.models.usage import Usage
from agentv_py.options import Options
from agentv_py.score import SLACK

UNKNOWN_COST_MESSAGE = "a model that is asked has no prices, so its cost is unknown; give it prices:"

_Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]
_Count = Annotated[int, Field(ge=0)]


class Budget(Options):
    """The most that asking models may take; the run stops cleanly there."""

    cost: _Amount | None = Field(None, description="In the currency of the prices.")
    tokens: _Count | None = Field(None, description="Of prompts and completions together.")
    calls: _Count | None = Field(None, description="Requests, those that are sent again among them.")


@dataclass(slots=True)
class Spending:
    """The spent part of a budget. A request counts as a call as soon as it is sent."""

    budget: Budget = field(default_factory=Budget)
    spent: Usage = field(default_factory=Usage)
    run: "Spending | None" = None
    """The spending of the whole run, if this is the spending of one suite. Each amount is added to both."""

    def may_send(self) -> bool:
        return not self.is_limit_reached() and (self.run is None or self.run.may_send())

    def record_call(self) -> None:
        self.spent.calls += 1
        if self.run is not None:
            self.run.record_call()

    def record_usage(self, usage: Usage) -> None:
        """Count the tokens and the cost of a reply; its call was counted when the request was sent."""
        self.record_earlier(Usage(0, 0, usage.prompt_tokens, usage.completion_tokens, usage.cost))

    def record_earlier(self, usage: Usage) -> None:
        """Count the calls, tokens and cost of the earlier run that this run resumes."""
        self.spent.add(usage)
        if self.run is not None:
            self.run.record_earlier(usage)

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
