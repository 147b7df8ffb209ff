"""Suggestions, whether a user listed them, a schema gave them or the rules chose them → the rule of each field."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from agentv_py.comparison.comparators import DefaultByType, Fields, Ordered, Unordered, list_by_type
from agentv_py.comparison.field_rule import FieldRule, Origin, build_rule
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.paths import ROOT, join_path
from agentv_py.inference.layers import LISTED, build_models
from agentv_py.inference.suggestion import Suggestion
from agentv_py.options import OptionPath

_OPTION: dict[Origin, str] = {"suite": "comparators", "schema": "schema", "auto": "default"}
_LEFT_OVER = "what the default does not compare is compared exactly"
_UNKNOWN = "the rules list no key there"


class _Spot(NamedTuple):
    """A place of the data: its path, its part of the score, and what the user wrote there."""

    path: str
    share: float | None
    own: Any
    place: OptionPath

    def enter_key(self, key: str, share: float | None) -> "_Spot":
        """Go to a key of an object. A plain mapping over a list means its rows."""
        part = None if self.share is None or share is None else self.share * share
        own, place = self.own, self.place
        if isinstance(own, Fields):
            own, place = own.fields, (*place, "fields")
        below = own.get(key) if isinstance(own, dict) else None
        return _Spot(join_path(self.path, key), part, below, (*place, key))

    def enter_rows(self, word: str) -> "_Spot":
        is_list = isinstance(self.own, Unordered | Ordered)
        own = getattr(self.own, word, None) if is_list else self.own
        return _Spot(f"{self.path}[]", self.share, own, (*self.place, word) if is_list else self.place)


class RuleLister:
    def __init__(self, schema: Suggestion | None, comparators: Any, *, has_fixed_shares: bool) -> None:
        self._of_schema = {id(place) for place in _list_all(schema)}
        self._start = _Spot("", 1.0 if has_fixed_shares else None, comparators, ("comparators",))

    def list_rules(self, suggestion: Suggestion, spot: _Spot | None = None) -> Iterator[FieldRule]:
        """Yield the rule of each list and of each value."""
        spot = spot or self._start
        if suggestion.fields:
            weights = {key: _weigh(below) for key, below in suggestion.fields.items()}
            total = 0.0 if "default" in suggestion.options else sum(weights.values())
            for key, below in suggestion.fields.items():
                yield from self.list_rules(below, spot.enter_key(key, weights[key] / total if total else None))
            if "default" in suggestion.options:
                yield self._build_other_rule(suggestion, spot)
            return
        origin = self._find_origin(suggestion)
        place = spot.place if origin == "suite" else (_OPTION[origin],)
        facts: dict[str, Any] = {"origin": origin, "place": place}
        if origin != "suite":
            facts |= {"rule": suggestion.rule, "reason": suggestion.reason}
        if "fields" in suggestion.options:
            yield self._build_other_rule(suggestion, spot)._replace(**facts, share=spot.share)
        elif suggestion.rows is None:
            match = suggestion.given or build_models(suggestion)
            yield build_rule(match, spot.path, share=None if match.is_ignored else spot.share, **facts)
        else:
            yield _build_list_rule(suggestion, spot)._replace(**facts)
            yield from self.list_rules(suggestion.rows, spot.enter_rows(suggestion.order))

    def _build_other_rule(self, suggestion: Suggestion, spot: _Spot) -> FieldRule:
        """Return the rule of the keys of an object that are not listed: all of them, if they are data."""
        match = build_models(suggestion).default
        path = f"{spot.path}.*" if spot.path else "*"
        return build_rule(match, path, place=(*spot.place, "default"))

    def _find_origin(self, suggestion: Suggestion) -> Origin:
        if suggestion.rule == LISTED:
            return "suite"
        return "schema" if id(suggestion) in self._of_schema else "auto"


def list_default_rules(default: Match | DefaultByType, *, is_chosen: bool) -> Iterator[FieldRule]:
    """Yield the rules of what is not listed, one for each match type. `is_chosen`: the user wrote the default."""
    if not is_chosen:
        assert isinstance(default, Match)  # noqa: S101  it is one for all types
        facts: dict[str, Any] = {"origin": "auto", "place": ("default",), "reason": _UNKNOWN}
        yield build_rule(default, "(any other field)", kinds=tuple(list_by_type(default)), **facts)
        return
    groups: dict[int, tuple[Match, list[str]]] = {}
    for kind, match in list_by_type(default).items():
        groups.setdefault(id(match), (match, []))[1].append(kind)
    for match, kinds in groups.values():
        path = f"(any other {'field' if len(groups) == 1 else ' or '.join(kinds)})"
        rule = build_rule(match, path, place=("default",), kinds=tuple(kinds))
        if match is default:
            yield rule
        elif any(match is getattr(default, kind, None) for kind in kinds):
            yield rule._replace(place=("default", kinds[0]))
        else:
            yield rule._replace(origin="default", reason=_LEFT_OVER)


def _list_all(suggestion: Suggestion | None) -> Iterator[Suggestion]:
    if suggestion is not None:
        yield suggestion
        for below in (*suggestion.fields.values(), suggestion.rows):
            yield from _list_all(below)


def _build_list_rule(suggestion: Suggestion, spot: _Spot) -> FieldRule:
    comparators = build_models(suggestion)
    facts: dict[str, Any] = {"weight": comparators.weight, "share": spot.share}
    path = spot.path or ROOT
    if isinstance(comparators, Ordered):
        return FieldRule(path, "ordered", "rows compared by index", **facts)
    by = f"where {' and '.join(comparators.key)} match" if comparators.key else "by similarity"
    how = f", from {comparators.threshold:.10g}" if comparators.threshold else ""
    how += ", best pair first" if comparators.matching == "greedy" else ""
    names = ("matching", "threshold", "key")
    options = {name: value for name in names if (value := getattr(comparators, name)) is not None}
    return FieldRule(path, "unordered", f"rows paired {by}{how}", options, **facts)


def _weigh(suggestion: Suggestion) -> float:
    """Return the weight of a field beside its siblings; 0 for one that never counts."""
    if suggestion.given is not None:
        return 0.0 if suggestion.given.is_ignored else suggestion.given.weight
    return 0.0 if suggestion.options.get("match") == "ignore" else float(suggestion.options.get("weight", 1.0))
