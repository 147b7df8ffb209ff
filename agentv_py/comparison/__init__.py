"""A field tree and two values → comparisons, one per leaf. Judge scripts import what `__all__` lists."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agentv_py.comparison.judge_functions import Comparison as Comparison
    from agentv_py.comparison.judge_functions import compare_path as compare_path
    from agentv_py.comparison.judge_functions import compare_rows as compare_rows
    from agentv_py.comparison.judge_functions import compare_value as compare_value
    from agentv_py.comparison.judge_functions import count_outcomes as count_outcomes
    from agentv_py.comparison.judge_functions import describe_mismatches as describe_mismatches
    from agentv_py.comparison.judge_functions import is_empty as is_empty
    from agentv_py.comparison.judge_functions import join_path as join_path
    from agentv_py.comparison.judge_functions import macro_average as macro_average
    from agentv_py.comparison.judge_functions import pair_by_similarity as pair_by_similarity
    from agentv_py.comparison.judge_functions import read_date as read_date
    from agentv_py.comparison.judge_functions import split_hits_and_misses as split_hits_and_misses
    from agentv_py.comparison.judge_functions import summarize_counts as summarize_counts
    from agentv_py.comparison.judge_functions import value_at as value_at
    from agentv_py.comparison.matchers.contains import Contains as Contains
    from agentv_py.comparison.matchers.date import Date as Date
    from agentv_py.comparison.matchers.distance import Distance as Distance
    from agentv_py.comparison.matchers.exact import Exact as Exact
    from agentv_py.comparison.matchers.fuzzy import Fuzzy as Fuzzy
    from agentv_py.comparison.matchers.ignore import Ignore as Ignore
    from agentv_py.comparison.matchers.iou import Iou as Iou
    from agentv_py.comparison.matchers.name import Name as Name
    from agentv_py.comparison.matchers.numeric import Numeric as Numeric
    from agentv_py.comparison.matchers.numeric_tolerance import NumericTolerance as NumericTolerance
    from agentv_py.comparison.matchers.one_of import OneOf as OneOf
    from agentv_py.comparison.matchers.presence import Presence as Presence
    from agentv_py.comparison.matchers.regex import Regex as Regex
    from agentv_py.comparison.matchers.semantic import Semantic as Semantic
    from agentv_py.comparison.matchers.within import Within as Within

_MATCH_TYPES = {
    "Contains": "contains", "Date": "date", "Distance": "distance", "Exact": "exact", "Fuzzy": "fuzzy",
    "Ignore": "ignore", "Iou": "iou", "Name": "name", "Numeric": "numeric", "NumericTolerance": "numeric_tolerance",
    "OneOf": "one_of", "Presence": "presence", "Regex": "regex", "Semantic": "semantic", "Within": "within",
}  # fmt: skip

__all__ = [
    "Comparison", "Contains", "Date", "Distance", "Exact", "Fuzzy", "Ignore", "Iou", "Name", "Numeric",
    "NumericTolerance", "OneOf", "Presence", "Regex", "Semantic", "Within", "compare_path", "compare_rows",
    "compare_value", "count_outcomes", "describe_mismatches", "is_empty", "join_path", "macro_average",
    "pair_by_similarity", "read_date", "split_hits_and_misses", "summarize_counts", "value_at",
]  # fmt: skip


def __getattr__(attribute: str) -> Any:
    # Importing any module of the package runs this file, and most modules need few of the others.
    if attribute in __all__:
        name = _MATCH_TYPES.get(attribute)
        module = "judge_functions" if name is None else f"matchers.{name}"
        return getattr(import_module(f"agentv_py.comparison.{module}"), attribute)
    raise AttributeError(f"module 'agentv_py.comparison' has no attribute {attribute!r}")
