"""An expression over a case, such as `close(sum(candidate.items, 'amount'), candidate.total)` → whether it holds."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import lru_cache
from math import fsum
from typing import Any

from agentv_py.case import ABSENT, CandidateNotJson, Case
from agentv_py.comparison.comparison import Incomparable, is_empty
from agentv_py.comparison.paths import parse_path
from agentv_py.comparison.readers.date import read_date
from agentv_py.comparison.readers.number import read_number
from agentv_py.errors import EvaluationError
from agentv_py.models.expression import Expression, MissingOperand, TooLarge, get_missing_name, is_missing
from agentv_py.score import SLACK

Number = int | float
NAMES = ("candidate", "expected", "input", "metadata", "tags")
_LONGEST_NOTE = 120
_PLAIN = frozenset({int, float, list, dict})
"""Types whose values are never empty."""


class DoesNotApply(Exception):  # noqa: N818  a finding about a case
    """A value that the rule needs is missing; the message is its name."""


class DoesNotHold(Exception):  # noqa: N818  a finding about a case
    """The rule cannot be computed for these values; the message says why."""


def check_rule(text: str) -> str:
    """Return the text of a rule. Raises ValueError if it is invalid."""
    _compile(text)
    return text


def get_values(case: Case) -> dict[str, Any]:
    """Return the values that rules see. Raises CandidateNotJson."""
    expected, candidate = case.parsed_values()
    return {
        "candidate": candidate,
        "expected": None if expected is ABSENT else expected,
        "input": case.input,
        "metadata": case.metadata,
        "tags": case.tags,
    }


def holds(text: str, values: Mapping[str, Any]) -> bool:
    """Tell whether a rule holds. Raises DoesNotApply, DoesNotHold, and EvaluationError if it is too much work."""
    try:
        return bool(_compile(text).evaluate(values))
    except MissingOperand as missing:
        raise DoesNotApply(str(missing)) from None
    except TooLarge as error:
        raise EvaluationError("rule", f"{text!r} cannot be computed: {error}") from None
    except Incomparable as why:
        raise DoesNotHold(why.note) from None
    except Exception as error:  # noqa: BLE001  operators of Python on values of any type
        raise DoesNotHold(f"cannot be computed: {_shorten(error)}") from None


def is_met(text: str, case: Case) -> bool:
    """Tell whether the condition of an evaluator is met. It is not if a value that it needs is missing."""
    try:
        values = get_values(case)
    except CandidateNotJson:
        values = get_values(Case(case.id, None, case.candidate, case.input, case.metadata, case.tags))
    try:
        return holds(text, values)
    except DoesNotApply:
        return False
    except DoesNotHold as why:
        raise EvaluationError("when", f"{text!r}: {why}") from None


def _shorten(error: Exception) -> str:
    text = str(error) or type(error).__name__
    return text if len(text) <= _LONGEST_NOTE else text[:_LONGEST_NOTE] + "…"


@lru_cache(maxsize=256)
def _compile(text: str) -> Expression:
    return Expression(text, NAMES, FUNCTIONS)


def _number(value: Any) -> Number:
    number = read_number(value if type(value) in _PLAIN else _require(value, "number"))
    return float(number) if isinstance(number, Decimal) else number


def _date(value: Any) -> int:
    """Return the day as a number, so that a difference is a number of days."""
    day = read_date(_require(value, "date"))
    if day is None:
        raise Incomparable("not a date")
    return day.toordinal()


def _close(left: Any, right: Any, tolerance: float = 0.0) -> bool:
    expected = _number(right)
    return abs(_number(left) - expected) <= _number(tolerance) + SLACK * abs(expected)


def _sum(values: Any, path: str | None = None) -> Number:
    """Add up numbers, or the numbers at a path of objects, to 15 digits: 0.1 and 0.2 are 0.3."""
    items = _require_list(values, "sum")
    if path is not None:
        get = parse_path(path).build_getter()
        items = [get(item) for item in items]
    numbers = []
    for item in items:
        if type(item) is not int and type(item) is not float and is_empty(item):
            raise MissingOperand(path or "an element")
        numbers.append(_number(item))
    total = sum(numbers)
    return total if isinstance(total, int) else float(f"{fsum(numbers):.15g}")


def _len(value: Any) -> int:
    if not isinstance(_require(value, "len"), str | list | dict):
        raise Incomparable("has no length")
    return len(value)


def _round(value: Any, digits: int = 0) -> Number:
    if not (type(digits) is int and 0 <= digits <= 20):
        raise Incomparable("digits are not a number from 0 to 20")
    return round(_number(value), digits)


def _least(*values: Any) -> Number:
    return min(_list_numbers(values, "min"))


def _greatest(*values: Any) -> Number:
    return max(_list_numbers(values, "max"))


def _list_numbers(values: tuple[Any, ...], function: str) -> list[Number]:
    items = _require_list(values[0], function) if len(values) == 1 else list(values)
    if not items:
        raise MissingOperand(f"an element for {function}")
    return [_number(item) for item in items]


def _change_text(change: Callable[[str], str]) -> Callable[[Any], str]:
    def change_value(value: Any) -> str:
        if not isinstance(_require(value, "text"), str):
            raise Incomparable("not text")
        return change(value)

    return change_value


def _present(value: Any) -> bool:
    return not (is_missing(value) or is_empty(value))


def _require(value: Any, function: str) -> Any:
    if type(value) not in _PLAIN and not _present(value):
        raise MissingOperand(get_missing_name(value) if is_missing(value) else f"a value for {function}")
    return value


def _require_list(value: Any, function: str) -> list[Any]:
    if not isinstance(_require(value, function), list):
        raise Incomparable("not a list")
    return value  # type: ignore[no-any-return]  # checked


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "number": _number,
    "date": _date,
    "close": _close,
    "sum": _sum,
    "len": _len,
    "abs": lambda value: abs(_number(value)),
    "round": _round,
    "min": _least,
    "max": _greatest,
    "lower": _change_text(str.lower),
    "upper": _change_text(str.upper),
    "trim": _change_text(str.strip),
    "present": _present,
}
