"""The rules of an evaluator, and the path of a finding → the rule that decided it."""

from collections.abc import Sequence
from typing import Any

from agentv_py.case import ABSENT
from agentv_py.comparison.paths import ROOT, attribute_of
from agentv_py.report.explanation.model import PlacedRule


class RuleIndex:
    def __init__(self, rules: Sequence[PlacedRule]) -> None:
        self._by_path: dict[str, PlacedRule] = {}
        self._defaults: dict[str, PlacedRule] = {}
        for placed in rules:
            rule = placed.rule
            if rule.kinds:
                self._defaults |= dict.fromkeys(rule.kinds, placed)
                continue
            self._by_path.setdefault(rule.path, placed)
            if "[]" not in rule.path:
                self._by_path.setdefault(attribute_of(rule.path), placed)

    def find(self, path: str, expected: Any, actual: Any) -> PlacedRule | None:
        """Return the rule of a path: its own, that of a list or a value above it, or that of unlisted fields.

        A row that one side lacks is decided by the rule that pairs the rows.
        """
        attribute = attribute_of(path)
        parents = _list_parents(attribute)
        if attribute.endswith("[]") and ABSENT in (expected, actual):
            parents = [*parents[1:], attribute]
        for text in (path, *parents):
            placed = self._by_path.get(text) or self._by_path.get("*" if text == ROOT else f"{text}.*")
            if placed is not None:
                return placed
        has_rules_below = any(known.startswith((f"{attribute}.", f"{attribute}[")) for known in self._by_path)
        value = actual if expected in (ABSENT, None) else expected
        return None if has_rules_below else self._defaults.get(_find_kind(value))


def _list_parents(attribute: str) -> list[str]:
    """Return the attribute, then each place above it: `a.b[].c`, `a.b[]`, `a.b`, `a`, `$`."""
    found = []
    while attribute:
        found.append(attribute)
        if attribute.endswith("[]"):
            attribute = attribute[:-2]
        elif attribute.endswith(("']", '"]')):
            attribute = attribute[: attribute.rfind("[")]
        else:
            attribute = attribute[: max(attribute.rfind("."), attribute.rfind("]") + 1, 0)]
    return [*found, ROOT]


def _find_kind(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    return "number" if isinstance(value, int | float) else "text"
