"""agentv-py: score structured answers of AI systems against ground truth.

A suite file becomes cases; an evaluator turns a case into a score; scores become results (JSONL); results become a
report; a report becomes text. agentv_py/README.md maps the modules. From Python:

    from agentv_py import compare, evaluate, exact, name, numeric, unordered, within
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agentv_py.api.comparators import contains as contains
    from agentv_py.api.comparators import custom as custom
    from agentv_py.api.comparators import date as date
    from agentv_py.api.comparators import distance as distance
    from agentv_py.api.comparators import exact as exact
    from agentv_py.api.comparators import fuzzy as fuzzy
    from agentv_py.api.comparators import ignore as ignore
    from agentv_py.api.comparators import iou as iou
    from agentv_py.api.comparators import name as name
    from agentv_py.api.comparators import numeric as numeric
    from agentv_py.api.comparators import numeric_tolerance as numeric_tolerance
    from agentv_py.api.comparators import one_of as one_of
    from agentv_py.api.comparators import ordered as ordered
    from agentv_py.api.comparators import presence as presence
    from agentv_py.api.comparators import regex as regex
    from agentv_py.api.comparators import semantic as semantic
    from agentv_py.api.comparators import unordered as unordered
    from agentv_py.api.comparators import within as within
    from agentv_py.api.evaluate import Evaluation as Evaluation
    from agentv_py.api.evaluate import compare as compare
    from agentv_py.api.evaluate import evaluate as evaluate
    from agentv_py.api.run_suite import run_suite as run_suite

__version__ = "0.1.0"

__all__ = [
    "Evaluation", "compare", "contains", "custom", "date", "distance", "evaluate", "exact", "fuzzy", "ignore", "iou",
    "name", "numeric", "numeric_tolerance", "one_of", "ordered", "presence", "regex", "run_suite", "semantic",
    "unordered", "within",
]  # fmt: skip

_MODULES = {"Evaluation": "evaluate", "compare": "evaluate", "evaluate": "evaluate", "run_suite": "run_suite"}


def __getattr__(attribute: str) -> Any:
    # The command line never needs these names, and they load most of the package.
    if attribute in __all__:
        module = _MODULES.get(attribute, "comparators")
        return getattr(import_module(f"agentv_py.api.{module}"), attribute)
    raise AttributeError(f"module 'agentv_py' has no attribute {attribute!r}")
