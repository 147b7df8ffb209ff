"""A field's value, or what the user says of the field → the strategy that compares it."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator

from agentv_py import jsontext
from agentv_py.comparison.comparison import is_empty
from agentv_py.comparison.matchers.base import Incomparable
from agentv_py.comparison.readers.date import read_date
from agentv_py.comparison.readers.number import read_number
from agentv_py.errors import did_you_mean
from agentv_py.evaluators.json_quality.text_file import Unusable, read_text

Strategy = Literal["EXACT", "FUZZY", "SEMANTIC", "IGNORE"]
Strategies = dict[str, Strategy]

_NAMES: dict[str, Strategy] = {name.lower(): name for name in get_args(Strategy)}
_EMAIL = r"[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+"
_LONGEST_EMAIL = 320


def strategy_named(name: Any) -> Strategy:
    """The strategy of this name, in whatever case. Raises ValueError."""
    found = _NAMES.get(name.lower()) if isinstance(name, str) else None
    if found is None:
        near = did_you_mean(name, list(_NAMES)) if isinstance(name, str) else ""
        raise ValueError(f"Invalid strategy: {name!r}{near or ';'} valid: {', '.join(_NAMES.values())}")
    return found


NamedStrategy = Annotated[
    Strategy,
    BeforeValidator(
        strategy_named,
        json_schema_input_type=Literal["EXACT", "FUZZY", "SEMANTIC", "IGNORE", "exact", "fuzzy", "semantic", "ignore"],
    ),
]


def detect(value: Any) -> Strategy:
    """Only prose can say the same in other words; what has one spelling is EXACT."""
    if type(value) is not str or read_date(value) is not None or _is_number(value) or _is_email(value):
        return "EXACT"
    return "SEMANTIC"


def infer(values: Iterable[Any]) -> tuple[Strategies, list[str]]:
    """The strategy of each key over many expected values, and what none could be inferred from."""
    found: dict[str, Strategy | None] = {}
    others = 0
    for value in values:
        if isinstance(value, dict):
            _learn(found, value)
        else:
            others += 1
    doubts = [f"{key!r} is empty in every case, so it is left out" for key, one in found.items() if one is None]
    if others:
        doubts.append(f"cases whose expected value is not an object, and so left out: {others:,}")
    return {key: one for key, one in found.items() if one is not None}, doubts


def _learn(found: dict[str, Strategy | None], value: dict[str, Any]) -> None:
    """Prose in one case decides for all of them.

    EXACT would fail every rewording of it, while a number or a date that is right is as right under SEMANTIC.
    """
    for key, item in value.items():
        seen = found.setdefault(key, None)
        if seen != "SEMANTIC" and not is_empty(item):
            found[key] = detect(item)


def spelled(strategies: Strategies) -> str:
    """What a strategies_file holds."""
    plain = all(key.isprintable() for key in strategies)  # half a character cannot be written as it stands
    return json.dumps(strategies, indent=2, ensure_ascii=not plain) + "\n"


def read_strategies(folder: Path, name: str) -> Strategies:
    """A JSON object from field names to strategies. Raises Unusable."""
    text = read_text(folder, name)
    try:
        given = jsontext.loads_text(text)
    except jsontext.NotJson as error:
        raise Unusable(name, f"is not valid JSON: {error}") from None
    if not isinstance(given, dict):
        raise Unusable(name, "must hold an object from field names to strategies")
    strategies, problems = Strategies(), list[str]()
    for field, strategy in given.items():
        try:
            strategies[field] = strategy_named(strategy)
        except ValueError as error:
            problems.append(f"line {_line(text, field)}: {field}: {error}")
    if problems:
        raise Unusable(name, *problems)
    return strategies


def _line(text: str, field: str) -> int:
    spelled = re.search(re.escape(jsontext.dumps(field).decode()) + r"\s*:", text)
    return text.count("\n", 0, spelled.start()) + 1 if spelled else 1


def _is_number(text: str) -> bool:
    try:
        read_number(text)
    except Incomparable:
        return False
    return True


def _is_email(text: str) -> bool:
    return len(text) <= _LONGEST_EMAIL and re.fullmatch(_EMAIL, text.strip()) is not None
