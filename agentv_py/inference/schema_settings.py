"""Extensions of a JSON Schema → options of a comparator: `x-evalctl`, and the words of other tools."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from agentv_py.comparison.matchers import FAMILY, MatchName
from agentv_py.errors import did_you_mean
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
_STICKLER_WORDS = (
    "comparator", "threshold", "weight", "clip-under-threshold", "aggregate", "match-threshold", "model-name",
)  # fmt: skip
_WITHOUT_EFFECT = ("model-name",)
"""Words of Stickler that no comparator needs."""
_Words = Mapping[str, Any]


class WrongSetting(ValueError):  # noqa: N818  it is about a schema, and not a fault of the program
    """An extension of a schema that means nothing; `key` is the keyword that holds it."""

    def __init__(self, key: str, what: str) -> None:
        super().__init__(what)
        self.key = key


def read_settings(declared: Declaration, schema: _Words) -> None:
    """Take the options that a schema gives to the comparator of its place; `x-evalctl` wins over other words.

    Raises WrongSetting.
    """
    for origin, options in (*_list_eval_settings(schema), *_list_stickler_settings(schema), *_list_own(schema)):
        if options:
            # What leads to a place says more about it than the schema that several places share.
            declared.settings = {**declared.settings, **options}
            declared.origin = origin
    words = _list_words(schema, _STICKLER)
    used = {"comparator", *declared.settings, *_WITHOUT_EFFECT}
    declared.unused = (*declared.unused, *(f"{_STICKLER}{word}" for word in words if word not in used))


def _list_own(schema: _Words) -> Iterator[tuple[str, dict[str, Any]]]:
    own = schema.get(_OWN, {})
    if not isinstance(own, str | Mapping):
        raise WrongSetting(_OWN, f"{_OWN} must be a match type or an object of options")
    options = {"match": own} if isinstance(own, str) else dict(own)
    _check_match(_OWN, options.get("match"), get_args(MatchName))
    for name in options:
        _check_name(_OWN, name, _list_names(options))
    yield _OWN, options


def _list_eval_settings(schema: _Words) -> Iterator[tuple[str, dict[str, Any]]]:
    options = _list_words(schema, _EVAL)
    _check_match(f"{_EVAL}match", options.get("match"), get_args(MatchName))
    for name in options:
        _check_name(f"{_EVAL}{name}", f"{_EVAL}{name}", [f"{_EVAL}{known}" for known in _list_names(options)])
    yield f"{_EVAL}*", options


def _list_stickler_settings(schema: _Words) -> Iterator[tuple[str, dict[str, Any]]]:
    words = _list_words(schema, _STICKLER)
    for word in words:
        _check_name(f"{_STICKLER}{word}", f"{_STICKLER}{word}", [f"{_STICKLER}{known}" for known in _STICKLER_WORDS])
    comparator = words.get("comparator")
    _check_match(f"{_STICKLER}comparator", comparator, tuple(_STICKLER_COMPARATORS))
    options = dict(_STICKLER_COMPARATORS.get(str(comparator), {}))
    if "weight" in words:
        options["weight"] = words["weight"]
    if "threshold" in words and options.get("match") in _WITH_THRESHOLD:
        options["threshold"] = words["threshold"]
    yield f"{_STICKLER}*", options


def _list_words(schema: _Words, prefix: str) -> dict[str, Any]:
    return {key.removeprefix(prefix): value for key, value in schema.items() if key.startswith(prefix)}


def _list_names(options: _Words) -> list[str]:
    """Return the names of the options that may stand together: those of the match type, or else of any of them."""
    from agentv_py.comparison.comparators import Unordered  # schemas without extensions need none of this

    models = FAMILY.models()
    if "match" in options:
        models = [model for model in models if options["match"] in get_args(model.model_fields["match"].annotation)]
    names = [name for model in models for name in model.model_fields]
    return names if "match" in options else [*names, *Unordered.model_fields]


def _check_match(key: str, given: Any, known: Sequence[str]) -> None:
    if given is not None and given not in known:
        near = did_you_mean(str(given), known)
        kind = "comparator" if key.startswith(_STICKLER) else "match type"
        raise WrongSetting(key, f"Invalid {kind}: {given!r}{near or ';'} valid: {', '.join(known)}")


def _check_name(key: str, name: str, known: Sequence[str]) -> None:
    if name not in known:
        raise WrongSetting(key, f"unknown key {name!r}{did_you_mean(name, known)}")
