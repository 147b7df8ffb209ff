"""Extensions of a JSON Schema → options of a comparator: `x-evalctl`, and the words of other tools."""

from collections.abc import Callable, Mapping
from typing import Any

from agentv_py.inference.profile import Declaration

_OWN = "x-evalctl"
_STICKLER = "x-aws-stickler-"
_EVAL = "x-eval-"
_STICKLER_COMPARATORS: dict[str, dict[str, Any]] = {
    "ExactComparator": {"match": "exact"},
    "NormalizedComparator": {"match": "fuzzy"},
    "LevenshteinComparator": {"match": "fuzzy"},
    "ANLSStarComparator": {"match": "fuzzy"},
    "FuzzyComparator": {"match": "fuzzy", "algorithm": "token_set"},
    "PhoneComparator": {"match": "fuzzy"},
    "NumericComparator": {"match": "numeric"},
    "DateComparator": {"match": "date"},
    "BBoxIoUComparator": {"match": "iou"},
    "SemanticComparator": {"match": "semantic"},
    "BERTComparator": {"match": "semantic"},
    "LLMComparator": {"match": "semantic"},
}
_WITH_THRESHOLD = ("fuzzy", "semantic", "iou")
_Words = Mapping[str, Any]


def read_settings(declared: Declaration, schema: _Words) -> None:
    """Take the options that a schema gives to the comparator of its place; `x-evalctl` wins over other words."""
    for origin, options in _list_settings(schema):
        if options:
            # What leads to a place says more about it than the schema that several places share.
            declared.settings = {**declared.settings, **options}
            declared.origin = origin


def _list_settings(schema: _Words) -> list[tuple[str, dict[str, Any]]]:
    own = schema.get(_OWN)
    prefixes: tuple[tuple[str, Callable[[_Words], dict[str, Any]]], ...] = ((_EVAL, dict), (_STICKLER, _read_stickler))
    words = [
        (f"{prefix}*", read({key.removeprefix(prefix): schema[key] for key in schema if key.startswith(prefix)}))
        for prefix, read in prefixes
    ]
    return [*words, (_OWN, {"match": own} if isinstance(own, str) else dict(own) if isinstance(own, Mapping) else {})]


def _read_stickler(words: _Words) -> dict[str, Any]:
    options = dict(_STICKLER_COMPARATORS.get(str(words.get("comparator")), {}))
    if "weight" in words:
        options["weight"] = words["weight"]
    if "threshold" in words and options.get("match") in _WITH_THRESHOLD:
        options["threshold"] = words["threshold"]
    return options
