"""Two values → whether they are the same text in any case: EXACT, for a field and for what is inside a field."""

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.readers.text import compose_values

if TYPE_CHECKING:
    from agentv_py.comparison.matchers.base import Matrix


class SameText(Match):
    """EXACT: the same text in any case; objects and lists are compared as JSON with sorted keys."""

    def describe_rule(self) -> str:
        return "the same text, in any case"

    def similarity(self, expected: Any, actual: Any) -> float:
        return 1.0 if self.normalize(expected) == self.normalize(actual) else 0.0

    def matrix(self, expecteds: Sequence[Any], actuals: Sequence[Any]) -> "Matrix":
        import numpy as np

        codes: dict[str, int] = {}
        left, right = (
            np.array([math.nan if (text := self._try(v)) is None else codes.setdefault(text, len(codes)) for v in s])
            for s in (expecteds, actuals)
        )
        unknown = np.isnan(left)[:, None] | np.isnan(right)[None, :]
        return np.where(unknown, np.nan, np.where(left[:, None] == right[None, :], 1.0, 0.0))

    @property
    def reads_lists(self) -> bool:
        return True

    @staticmethod
    def normalize(value: Any) -> str:
        """Return the text that is compared. Raises Incomparable."""
        return write_json(value).lower() if isinstance(value, dict | list) else _write_scalar(value).lower()

    def _try(self, value: Any) -> str | None:
        try:
            return self.normalize(value)
        except Incomparable:
            return None


class SameJson(SameText):
    """The same JSON in any case: `1` is not `"1"`, as inside an object or a list that EXACT compares."""

    @staticmethod
    def normalize(value: Any) -> str:
        return write_json(value).lower()


def write_json(value: Any) -> str:
    """Write JSON with sorted keys and composed texts. Raises Incomparable."""
    try:
        text = _dump(value)
    except ValueError:
        raise Incomparable("not a finite number") from None
    return text if text.isascii() else _dump(compose_values(value))


def _dump(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False)


def _write_scalar(value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        raise Incomparable("not a finite number")
    return str(value)
