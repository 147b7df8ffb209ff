"""Two values → nothing: the field never counts."""

from typing import Any, Literal

from agentv_py.comparison.matchers.base import Match


class Ignore(Match):
    """Never counts."""

    match: Literal["ignore"] = "ignore"

    is_ignored = True

    def similarity(self, expected: Any, actual: Any) -> float:  # noqa: ARG002  the values do not matter
        return 1.0
