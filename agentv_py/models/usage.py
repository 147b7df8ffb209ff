"""The calls, tokens and cost of asking models: added up, and shared out among questions."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self, TypeGuard

_MAX_COUNT = 2**53
_TOKENS_PER_PRICE = 1_000_000
_DECIMALS = 12


@dataclass(slots=True)
class Usage:
    """What asking models took."""

    calls: int = 0
    """Requests that were sent, retries included."""
    cached: int = 0
    """Questions that were answered without a request."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    """None if no prices are known."""

    def __bool__(self) -> bool:
        return self.calls > 0 or self.cached > 0

    def __str__(self) -> str:
        calls = f"{self.calls:,} call{'' if self.calls == 1 else 's'}, {self.cached:,} cached"
        tokens = f"{self.prompt_tokens:,} + {self.completion_tokens:,} tokens"
        return f"{calls} · {tokens}" + ("" if self.cost is None else f" · cost {self.cost:.4f}")

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def add(self, other: "Usage") -> None:
        self.calls += other.calls
        self.cached += other.cached
        self.prompt_tokens += other.prompt_tokens
        self.completion_tokens += other.completion_tokens
        if other.cost is not None:
            self.cost = (self.cost or 0.0) + other.cost

    def share(self, weights: Sequence[int]) -> "list[Usage]":
        """Split the usage into one share per weight. The shares add up to the whole; the first has all calls."""
        prompts = _apportion(self.prompt_tokens, weights)
        completions = _apportion(self.completion_tokens, weights)
        total = self.tokens or 1
        return [
            Usage(
                0 if number else self.calls,
                0,
                prompt,
                completion,
                None if self.cost is None else self.cost * (prompt + completion) / total,
            )
            for number, (prompt, completion) in enumerate(zip(prompts, completions, strict=True))
        ]

    def to_row(self) -> dict[str, int | float]:
        """The usage as results and reports hold it; an unknown cost is left out."""
        row = {field.name: getattr(self, field.name) for field in fields(self)}
        if self.cost is None:
            del row["cost"]
        else:
            row["cost"] = round(self.cost, _DECIMALS)
        return row

    @classmethod
    def from_row(cls, row: Any) -> Self:
        """Read the usage of a results file; a value that is not a count becomes 0."""
        if not isinstance(row, Mapping):
            return cls()
        counts = {field.name: row.get(field.name) for field in fields(cls) if field.name != "cost"}
        cost = row.get("cost")
        known = isinstance(cost, int | float) and 0 <= cost <= sys.float_info.max
        return cls(
            **{name: count if is_count(count) else 0 for name, count in counts.items()},
            cost=float(cost) if known and cost is not None else None,
        )


def is_count(value: Any) -> TypeGuard[int]:
    return type(value) is int and 0 <= value <= _MAX_COUNT


def compute_cost(prompt_tokens: int, completion_tokens: int, prompt_price: float, completion_price: float) -> float:
    """Prices are per million tokens."""
    return (prompt_tokens * prompt_price + completion_tokens * completion_price) / _TOKENS_PER_PRICE


def _apportion(whole: int, weights: Sequence[int]) -> list[int]:
    """Split a whole number in proportion to the weights: the shares with the largest remainders are rounded up."""
    total = sum(weights) or 1
    shares = [whole * weight // total for weight in weights]
    order = sorted(range(len(weights)), key=lambda index: (-(whole * weights[index] % total), index))
    for index in order[: whole - sum(shares)]:
        shares[index] += 1
    return shares
