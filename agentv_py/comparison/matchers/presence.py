"""Two values → whether both are present."""

from typing import Any, Literal

from agentv_py.comparison.matchers.base import Match


class Presence(Match):
    """Both present or both empty."""

    match: Literal["presence"] = "presence"

    @property
    def reads_lists(self) -> bool:
        return True

    def similarity(self, expected: Any, actual: Any) -> float:  # noqa: ARG002  it is called for values that are not empty
        return 1.0
