"""agentv-py: score structured answers of AI systems against ground truth.

A suite file becomes cases; an evaluator turns a case into a score; scores become results (JSONL); results become a
report; a report becomes text. agentv_py/README.md maps the modules. From Python:

    from agentv_py import compare, evaluate, exact, name, numeric, unordered, within
"""

from importlib import import_module
from sys import modules
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agentv_py.api.comparators import custom as custom
    from agentv_py.api.comparators import ordered as ordered
    from agentv_py.api.comparators import unordered as unordered
    from agentv_py.api.evaluate import compare as compare
    from agentv_py.api.evaluate import evaluate as evaluate
    from agentv_py.api.evaluation import Evaluation as Evaluation
    from agentv_py.api.explain import Explanation as Explanation
    from agentv_py.api.explain import explain as explain
    from agentv_py.api.match_types import contains as contains
    from agentv_py.api.match_types import date as date
    from agentv_py.api.match_types import distance as distance
    from agentv_py.api.match_types import exact as exact
    from agentv_py.api.match_types import fuzzy as fuzzy
    from agentv_py.api.match_types import ignore as ignore
    from agentv_py.api.match_types import iou as iou
    from agentv_py.api.match_types import name as name
    from agentv_py.api.match_types import numeric as numeric
    from agentv_py.api.match_types import numeric_tolerance as numeric_tolerance
    from agentv_py.api.match_types import one_of as one_of
    from agentv_py.api.match_types import presence as presence
    from agentv_py.api.match_types import regex as regex
    from agentv_py.api.match_types import semantic as semantic
    from agentv_py.api.match_types import within as within
    from agentv_py.api.run_suite import run_suite as run_suite

__version__ = "0.1.0"

__all__ = [
    "Evaluation", "Explanation", "compare", "contains", "custom", "date", "distance", "evaluate", "exact", "explain",
    "fuzzy", "ignore", "iou", "name", "numeric", "numeric_tolerance", "one_of", "ordered", "presence", "regex",
    "run_suite", "semantic", "unordered", "within",
]  # fmt: skip

_MODULES = {
    "Evaluation": "evaluation",
    "Explanation": "explain",
    "compare": "evaluate",
    "custom": "comparators",
    "evaluate": "evaluate",
    "explain": "explain",
    "ordered": "comparators",
    "run_suite": "run_suite",
    "unordered": "comparators",
}
"""Where a name is, unless it is a match type."""


def __getattr__(attribute: str) -> Any:
    # The command line never needs these names, and they load most of the package.
    if attribute in __all__:
        module = _MODULES.get(attribute, "match_types")
        return getattr(import_module(f"agentv_py.api.{module}"), attribute)
    # With the name and the module, Python itself suggests the nearest name.
    raise AttributeError(f"module 'agentv_py' has no attribute {attribute!r}", name=attribute, obj=modules[__name__])


def __dir__() -> list[str]:
    return sorted({name for name in globals() if name.startswith("__")} | set(__all__))
