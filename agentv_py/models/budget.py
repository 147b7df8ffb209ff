"""What was spent so far and the most that may be → whether another request may be sent."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field

from agentv_py.models.usage import Usage
from agentv_py.options import Options
from agentv_py.score import SLACK

UNPRICED = "a model that is asked has no prices, so nobody would know the cost; give it prices:"

_Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]
_Count = Annotated[int, Field(ge=0)]


class Budget(Options):
    """The most that asking models may take; the run stops cleanly there."""

    cost: _Amount | None = Field(None, description="In the currency of the prices.")
    tokens: _Count | None = Field(None, description="Of prompts and completions together.")
    calls: _Count | None = Field(None, description="Requests, those that are sent again among them.")


@dataclass(slots=True)
class Ledger:
    """What a budget has left; requests under way count as calls already."""

    budget: Budget = field(default_factory=Budget)
    spent: Usage = field(default_factory=Usage)
    above: "Ledger | None" = None
    """Of the whole run, where this one is of a suite."""

    def may_send(self) -> bool:
        return not self.reached() and (self.above is None or self.above.may_send())

    def send(self) -> None:
        self.spent.calls += 1
        if self.above is not None:
            self.above.send()

    def pay(self, usage: Usage) -> None:
        """For an answer; its call was counted when it was sent."""
        self.spent.add(Usage(0, 0, usage.prompt_tokens, usage.completion_tokens, usage.cost))
        if self.above is not None:
            self.above.pay(usage)

    def reached(self) -> bool:
        return any(True for _ in self._struck())

    def story(self) -> str:
        """What struck, in a user's words."""
        return next(self._struck(), "") or (self.above.story() if self.above is not None else "")

    def _struck(self) -> Iterator[str]:
        cost, tokens, calls = self.spent.cost or 0.0, self.spent.tokens, self.spent.calls
        if self.budget.cost is not None and cost >= self.budget.cost - SLACK:
            yield f"cost {cost:.6g} of {self.budget.cost:g}"
        if self.budget.tokens is not None and tokens >= self.budget.tokens:
            yield f"{tokens:,} of {self.budget.tokens:,} tokens"
        if self.budget.calls is not None and calls >= self.budget.calls:
            yield f"{calls:,} of {self.budget.calls:,} calls"
