"""Two values → similarity. The names of match types are the registry."""

from typing import Annotated, Any, Literal, get_args

from agentv_py.comparison.matchers.base import Match
from agentv_py.options import LazyUnion

MatchName = Literal[
    "exact", "fuzzy", "numeric_tolerance", "within", "numeric", "date", "name", "one_of", "contains", "regex",
    "presence", "semantic", "iou", "distance", "ignore",
]  # fmt: skip


def match(value: Any) -> str:
    """Return the tag of a match type. Messages about a wrong tag show the name of this function."""
    # A tag that is not text, as in a bare `match:`, is as invalid as an unknown one.
    return str(value.get("match", "exact") if isinstance(value, dict) else getattr(value, "match", None))


FAMILY = LazyUnion(__name__, get_args(MatchName), match)
AnyMatch = Annotated[Match, FAMILY]
