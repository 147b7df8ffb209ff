"""`--where metadata.vendor=acme` → whether a case fits."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from agentv_py import jsontext
from agentv_py.case import ABSENT
from agentv_py.comparison.matchers.exact import is_same
from agentv_py.errors import UserError, did_you_mean
from agentv_py.suite.case_key import CaseKey

_MOST_VALUES = 200
# A quoted step of a path may hold a sign of its own: metadata["a=b"]=c.
_CONDITION = re.compile(r"""((?:\[(?:"[^"]*"|'[^']*')\]|[^=])*?)(!?)=(.*)""", re.DOTALL)


class Condition(NamedTuple):
    """KEY=VALUE or KEY!=VALUE, as a user writes it."""

    key: str
    value: str
    is_negated: bool = False

    def __str__(self) -> str:
        return f"{self.key}{'!' if self.is_negated else ''}={self.value}"


def parse_condition(text: str) -> Condition:
    """Read a condition. Raises UserError."""
    match = _CONDITION.fullmatch(text)
    if match is None or not match[1]:
        raise UserError(f"--where {text!r}: must be KEY=VALUE or KEY!=VALUE, such as metadata.vendor=acme")
    try:
        CaseKey(match[1])
    except ValueError as error:
        raise UserError(f"--where {text!r}: {error}") from None
    return Condition(match[1], match[3], bool(match[2]))


class KeyFilter:
    """All conditions about one key: a case has any of the values, and none of those that are refused."""

    def __init__(self, key: str, conditions: Sequence[Condition]) -> None:
        self.key = CaseKey(key)
        self._wanted = [_Value(condition.value) for condition in conditions if not condition.is_negated]
        self._refused = [_Value(condition.value) for condition in conditions if condition.is_negated]
        self._values: dict[str, None] = {}
        """Texts that cases have here, until a case fits."""
        self._has_fit = False

    def fits(self, id_: str, row: Mapping[str, Any]) -> bool:
        value = self.key.read(id_, row)
        is_wanted = not self._wanted or any(wanted.fits(value) for wanted in self._wanted)
        if is_wanted:
            self._has_fit = True
        elif not self._has_fit and len(self._values) < _MOST_VALUES:
            self._values |= dict.fromkeys(v for v in (value if type(value) is list else [value]) if type(v) is str)
        return is_wanted and not any(refused.fits(value) for refused in self._refused)

    def suggest_value(self) -> str:
        """Return a value that cases have and that is spelled like the wanted one, if no case has the wanted one."""
        hints = (did_you_mean(wanted.text, list(self._values)) for wanted in self._wanted if not self._has_fit)
        return next(filter(None, hints), "")


def build_filters(conditions: Sequence[Condition]) -> list[KeyFilter]:
    """Return a filter for each key that the conditions name; a case must pass all of them."""
    keys = dict.fromkeys(condition.key for condition in conditions)
    return [KeyFilter(key, [condition for condition in conditions if condition.key == key]) for key in keys]


class _Value:
    """What stands behind the sign: a text for texts, JSON for all other values; "" for a value that is empty."""

    def __init__(self, text: str) -> None:
        self.text = text
        try:
            self._json = jsontext.loads(text.encode("utf-8", "surrogatepass"))
        except jsontext.NotJson:
            self._json = ABSENT

    def fits(self, value: Any) -> bool:
        if type(value) is str:
            return value == self.text or (not self.text and not value.strip())
        if not self.text:
            return value is ABSENT or value is None or value == []
        if type(value) is list and any(map(self.fits, value)):
            return True
        return value is not ABSENT and self._json is not ABSENT and is_same(self._json, value)
