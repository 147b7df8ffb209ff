"""Strategies that a user chose, and the expected values of all cases → the rule of each top-level key."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from agentv_py.case import Case
from agentv_py.comparison.comparison import is_empty
from agentv_py.comparison.field_rule import FieldRule, list_options
from agentv_py.comparison.paths import join_path
from agentv_py.evaluators.json_quality.keys import KeyComparer
from agentv_py.evaluators.json_quality.strategies import Strategy, detect_strategy
from agentv_py.inference.suggestion import Suggestion

_MOST_KEYS = 1000
_KINDS: dict[Strategy, str] = {"SEMANTIC": "prose", "EXACT": "no prose"}


def list_strategy_rules(
    comparer: KeyComparer,
    written: Collection[str],
    in_file: Collection[str],
    file: str | None,
    ignored: Collection[str],
    learned: Mapping[str, Suggestion],
    values: Iterable[Any],
) -> Iterator[FieldRule]:
    """Yield the rules of keys that the user names, then of the keys that only the cases have."""
    for key in ignored:
        yield FieldRule(join_path("", key), "ignore", "leaves every phase", place=("ignore",))
    for key, strategy in comparer.strategies.items():
        if key in ignored:
            continue
        facts: dict[str, Any] = {"place": ("strategies", key)}
        if key not in written and key in in_file:
            facts = {"place": ("strategies_file",), "reason": f"in {file}"}
        elif key not in written:
            place = learned[key]
            facts = {"place": ("default",), "origin": "auto", "rule": place.rule, "reason": place.reason}
        yield _build_rule(comparer, key, strategy, **facts)
    for key, detected in _detect(values, {*ignored, *comparer.strategies}).items():
        for strategy, count in detected.most_common():
            yield _build_rule(comparer, key, strategy, origin="detected", reason=_explain(strategy, count, detected))


def _detect(values: Iterable[Any], known: Collection[str]) -> dict[str, Counter[Strategy]]:
    """Count the strategies of each other key, because each case chooses by its own value."""
    detected: dict[str, Counter[Strategy]] = {}
    for value in values:
        parsed = Case("", value).parsed_values()[0]
        for key, item in parsed.items() if isinstance(parsed, dict) else ():
            if key in known or is_empty(item) or (key not in detected and len(detected) >= _MOST_KEYS):
                continue
            detected.setdefault(key, Counter())[detect_strategy(item)] += 1
    return detected


def _explain(strategy: Strategy, count: int, detected: Counter[Strategy]) -> str:
    noun = _KINDS.get(strategy, strategy)
    if len(detected) > 1:
        return f"{count:,} of {detected.total():,} values are {noun}; each case decides by its own value"
    return f"{'the value is' if count == 1 else f'all {count:,} values are'} {noun}"


def _build_rule(comparer: KeyComparer, key: str, strategy: Strategy, **facts: Any) -> FieldRule:
    match = comparer.own.get(key, comparer.matches[strategy])
    passes = "does not count for accuracy" if match.is_ignored else match.describe_rule()
    return FieldRule(join_path("", key), strategy, passes, list_options(match), match=match, **facts)
