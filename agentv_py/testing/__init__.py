"""Two values in a test → nothing if they match, else an AssertionError with evalctl's own list of misses.

pytest loads this package with its plugin in every project, so it imports nothing before it is used.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os

    from agentv_py.api.comparators import Comparators, DefaultMatch

__all__ = ["assert_match"]


def assert_match(
    expected: Any,
    actual: Any,
    comparators: "Comparators | None" = None,
    *,
    threshold: float | None = None,
    default: "DefaultMatch | None" = None,
    schema: "str | os.PathLike[str] | None" = None,
) -> None:
    """Raise AssertionError with every miss, unless each field matches; with a threshold, unless the score reaches it.

    The options are those of `agentv_py.compare`: without comparators, the rules choose them.
    """
    __tracebackhide__ = True
    from agentv_py.api.explain import explain
    from agentv_py.score import SLACK

    told = explain(expected, actual, comparators, default=default, schema=schema)
    passes = not told.findings if threshold is None else told.score >= threshold - SLACK
    if not passes:
        limit = "" if threshold is None else f", below {threshold:.10g}"
        raise AssertionError("\n".join([f"score {told.score:.3f}{limit}", *told.list_misses()]))
