"""Two values → similarity. The union of match types is the registry."""

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Tag

from agentv_py.matchers.contains import Contains
from agentv_py.matchers.date import Date
from agentv_py.matchers.distance import Distance
from agentv_py.matchers.exact import Exact
from agentv_py.matchers.fuzzy import Fuzzy
from agentv_py.matchers.ignore import Ignore
from agentv_py.matchers.iou import Iou
from agentv_py.matchers.name import Name
from agentv_py.matchers.numeric import Numeric
from agentv_py.matchers.numeric_tolerance import NumericTolerance
from agentv_py.matchers.one_of import OneOf
from agentv_py.matchers.presence import Presence
from agentv_py.matchers.regex import Regex
from agentv_py.matchers.semantic import Semantic
from agentv_py.matchers.within import Within

__all__ = [
    "AnyMatch", "Contains", "Date", "Distance", "Exact", "Fuzzy", "Ignore", "Iou", "MatchName", "Name", "Numeric",
    "NumericTolerance", "OneOf", "Presence", "Regex", "Semantic", "Within",
]  # fmt: skip


def match(value: Any) -> Any:
    # A tag that is not text, as in a bare `match:`, is as invalid as an unknown one.
    return str(value.get("match", "exact") if isinstance(value, dict) else getattr(value, "match", None))


AnyMatch = Annotated[
    Annotated[Exact, Tag("exact")]
    | Annotated[Fuzzy, Tag("fuzzy")]
    | Annotated[NumericTolerance, Tag("numeric_tolerance")]
    | Annotated[Within, Tag("within")]
    | Annotated[Numeric, Tag("numeric")]
    | Annotated[Date, Tag("date")]
    | Annotated[Name, Tag("name")]
    | Annotated[OneOf, Tag("one_of")]
    | Annotated[Contains, Tag("contains")]
    | Annotated[Regex, Tag("regex")]
    | Annotated[Presence, Tag("presence")]
    | Annotated[Semantic, Tag("semantic")]
    | Annotated[Iou, Tag("iou")]
    | Annotated[Distance, Tag("distance")]
    | Annotated[Ignore, Tag("ignore")],
    Discriminator(match),
]
MatchName = Literal[
    "exact", "fuzzy", "numeric_tolerance", "within", "numeric", "date", "name", "one_of", "contains", "regex",
    "presence", "semantic", "iou", "distance", "ignore",
]  # fmt: skip
"""The names alone, for what may be spelled as one word."""
