"""Expected values of many cases → the strategy of each key, by the rules that write comparators."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from agentv_py.evaluators.json_quality.strategies import Strategies, Strategy
from agentv_py.inference.layers import EMPTY
from agentv_py.inference.profile import Profile
from agentv_py.inference.suggest import suggest
from agentv_py.inference.suggestion import Suggestion
from agentv_py.inference.yaml_text import write_scalar

_BY_MATCH: dict[str, Strategy] = {
    "numeric": "NUMERIC",
    "numeric_tolerance": "NUMERIC",
    "date": "DATE",
    "name": "NAME",
    "fuzzy": "FUZZY",
}
"""Any other match type is EXACT."""
_BY_RULE: dict[str, Strategy] = {"prose": "SEMANTIC", "phone": "EXACT"}
"""Prose can say the same in other words. NUMERIC has no `strip`, so the marks of a telephone number count."""
_OPTIONS = ("decimal", "day_first", "language")
"""Options of a match type that json_quality has for all fields."""


def infer_strategies(values: Iterable[Any]) -> tuple[Strategies, list[str]]:
    """Return the strategy of each key over many expected values, and warnings about options, keys and cases."""
    root, others = Profile(), 0
    for value in values:
        if isinstance(value, dict):
            for key, item in value.items():
                root.get_field(key).add(item)
        else:
            others += 1
    suggestions = {key: suggest(place) for key, place in root.fields.items() if place.count}
    warnings = [f"{key!r} is empty in every case, so it is left out" for key in root.fields if key not in suggestions]
    if others:
        warnings.append(f"cases whose expected value is not an object, and so left out: {others:,}")
    return choose_strategies(suggestions), [*warnings, *_list_option_warnings(suggestions)]


def choose_strategies(suggestions: Mapping[str, Suggestion]) -> Strategies:
    """Return the strategy of each key that the rules suggest a comparator for."""
    return {key: _choose_strategy(place) for key, place in suggestions.items() if place.rule != EMPTY}


def list_read_options(suggestion: Suggestion, given: Collection[str]) -> dict[str, Any]:
    """Return the options without which the values of a key cannot be read as they are meant; `given` ones win."""
    return {key: suggestion.options[key] for key in _OPTIONS if key in suggestion.options and key not in given}


def _choose_strategy(suggestion: Suggestion) -> Strategy:
    if suggestion.order == "unordered":
        return "UNORDERED"
    by_rule = _BY_RULE.get(suggestion.rule)
    return by_rule or _BY_MATCH.get(str(suggestion.options.get("match")), "EXACT")


def _list_option_warnings(suggestions: Mapping[str, Suggestion]) -> Iterator[str]:
    """Yield the options without which the values of some keys cannot be read as they are meant."""
    for option in _OPTIONS:
        needs: dict[str, list[str]] = {}
        for key, suggestion in suggestions.items():
            if option in suggestion.options:
                needs.setdefault(write_scalar(suggestion.options[option]), []).append(repr(key))
        for value, keys in needs.items():
            yield f"json_quality needs {option}: {value} for {', '.join(keys)}"
