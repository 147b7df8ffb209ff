"""Two values → similarity. The union of match types is the registry."""

from typing import Annotated, Any

from pydantic import Discriminator, Tag

from agentv_py.matchers.date import Date
from agentv_py.matchers.exact import Exact
from agentv_py.matchers.fuzzy import Fuzzy
from agentv_py.matchers.ignore import Ignore
from agentv_py.matchers.numeric_tolerance import NumericTolerance


def match(value: Any) -> Any:
    return value.get("match", "exact") if isinstance(value, dict) else getattr(value, "match", None)


AnyMatch = Annotated[
    Annotated[Exact, Tag("exact")]
    | Annotated[Fuzzy, Tag("fuzzy")]
    | Annotated[NumericTolerance, Tag("numeric_tolerance")]
    | Annotated[Date, Tag("date")]
    | Annotated[Ignore, Tag("ignore")],
    Discriminator(match),
]
