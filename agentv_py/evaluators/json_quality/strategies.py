"""A field's expected value, or the user's choice → the strategy that compares the field."""

import json
import re
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator

from agentv_py import jsontext
from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.readers.date import read_date
from agentv_py.comparison.readers.number import read_number
from agentv_py.errors import did_you_mean
from agentv_py.evaluators.json_quality.text_file import UnusableFile, read_text_file

Strategy = Literal["EXACT", "FUZZY", "SEMANTIC", "NUMERIC", "DATE", "NAME", "UNORDERED", "IGNORE"]
Strategies = dict[str, Strategy]

STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
_NAMES: dict[str, Strategy] = {name.lower(): name for name in STRATEGIES}
_EMAIL = r"[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+"
_LONGEST_EMAIL = 320


def read_strategy(name: Any) -> Strategy:
    """Return the strategy of this name, in any case. Raises ValueError."""
    strategy = _NAMES.get(name.lower()) if isinstance(name, str) else None
    if strategy is None:
        near = did_you_mean(name, list(_NAMES)) if isinstance(name, str) else ""
        raise ValueError(f"Invalid strategy: {name!r}{near or ';'} valid: {', '.join(_NAMES.values())}")
    return strategy


NamedStrategy = Annotated[
    Strategy,
    BeforeValidator(
        read_strategy,
        json_schema_input_type=Literal[*_NAMES, *_NAMES.values()],
    ),
]


def detect_strategy(value: Any) -> Strategy:
    """Choose SEMANTIC for prose, which can say the same in other words, and EXACT for anything else."""
    if type(value) is not str or read_date(value) is not None or _is_number(value) or _is_email(value):
        return "EXACT"
    return "SEMANTIC"


def format_strategies(strategies: Strategies) -> str:
    """Write the text of a strategies_file."""
    printable = all(key.isprintable() for key in strategies)  # half a character cannot be written unescaped
    return json.dumps(strategies, indent=2, ensure_ascii=not printable) + "\n"


def read_strategies(folder: Path, name: str) -> Strategies:
    """Read a JSON object from field names to strategies. Raises UnusableFile."""
    text = read_text_file(folder, name)
    try:
        content = jsontext.loads_text(text)
    except jsontext.NotJson as error:
        raise UnusableFile(name, f"is not valid JSON: {error}") from None
    if not isinstance(content, dict):
        raise UnusableFile(name, "must hold an object from field names to strategies")
    strategies, problems = Strategies(), list[str]()
    for field, strategy in content.items():
        try:
            strategies[field] = read_strategy(strategy)
        except ValueError as error:
            problems.append(f"line {_find_line(text, field)}: {field}: {error}")
    if problems:
        raise UnusableFile(name, *problems)
    return strategies


def _find_line(text: str, field: str) -> int:
    key = re.search(re.escape(jsontext.dumps(field).decode()) + r"\s*:", text)
    return text.count("\n", 0, key.start()) + 1 if key else 1


def _is_number(text: str) -> bool:
    try:
        read_number(text)
    except Incomparable:
        return False
    return True


def _is_email(text: str) -> bool:
    return len(text) <= _LONGEST_EMAIL and re.fullmatch(_EMAIL, text.strip()) is not None
