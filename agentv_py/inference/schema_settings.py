"""Extensions of a JSON Schema → options of a comparator: `x-evalctl`, and the words of other tools."""

from collections.abc import Mapping
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
    "BBoxIoUComparator": {"match": "iou", "format": "xyxy"},
    "SemanticComparator": {"match": "semantic"},
    "BERTComparator": {"match": "semantic"},
    "LLMComparator": {"match": "semantic"},
}
_LISTED = ("match", "weight", "threshold", "tolerance")


def read_settings(declared: Declaration, schema: Mapping[str, Any]) -> None:
    """Take the options that a schema gives to the comparator of its place; `x-evalctl` wins over other words."""
    own = schema.get(_OWN)
    if isinstance(own, str):
        own = {"match": own}
    if isinstance(own, Mapping):
        declared.settings, declared.origin = {**declared.settings, **own}, _OWN
        return
    for prefix, read in ((_STICKLER, _read_stickler), (_EVAL, _read_eval)):
        words = {key.removeprefix(prefix): value for key, value in schema.items() if key.startswith(prefix)}
        if words and not declared.settings:
            declared.settings, declared.origin = read(words), f"{prefix}*"


def _read_stickler(words: Mapping[str, Any]) -> dict[str, Any]:
    options = dict(_STICKLER_COMPARATORS.get(str(words.get("comparator")), {}))
    if "weight" in words:
        options["weight"] = words["weight"]
    if "threshold" in words and options.get("match") in ("fuzzy", "semantic", "iou"):
        options["threshold"] = words["threshold"]
    return options


def _read_eval(words: Mapping[str, Any]) -> dict[str, Any]:
    return {key: words[key] for key in _LISTED if key in words}
