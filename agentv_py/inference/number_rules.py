"""Numbers, as JSON or as text → their comparator: equal, or within half a unit of the last place."""

from typing import Any

from agentv_py.comparison.readers.number import DecimalMark
from agentv_py.inference.number_pattern import count_pattern_decimals
from agentv_py.inference.profile import Profile, count_decimals
from agentv_py.inference.suggestion import Suggestion, build_suggestion, count_values
from agentv_py.inference.values import (
    are_digits,
    count_text_decimals,
    find_decimal_mark,
    have_currencies,
    have_two_readings,
)
from agentv_py.inference.words import AMOUNTS, IDENTIFIERS, MONEY, describe_code_name, is_called, last_word

_MOST_DECIMALS = 6
_CENTS = 2
_HALF_A_CENT = 0.005


def number_code(place: Profile) -> Suggestion | None:
    """Whole numbers whose name ends like that of a code: a customer's number is no amount."""
    if place.is_of("integer") and last_word(place.name) in IDENTIFIERS and not is_called(place.name, AMOUNTS):
        return build_suggestion("number_code", describe_code_name(place.name), match="exact")
    return None


def whole_number(place: Profile) -> Suggestion | None:
    """Whole numbers."""
    if not place.is_of("integer") or last_word(place.name) in MONEY:
        return None
    return build_suggestion("whole_number", count_values(place, "whole number"), match="numeric")


def number(place: Profile) -> Suggestion | None:
    """Numbers with decimals: half a unit of the last place that was seen, or of cents."""
    if not place.is_of("integer", "number"):
        return None
    reason, step = count_values(place, "number"), place.declared.step
    if place.count:
        return _suggest_number("number", reason, place.decimals, place)
    if step is not None:
        return _suggest_number("number", reason, count_decimals(step), place)
    return _assume_cents("number", reason, place)


def number_format(place: Profile) -> Suggestion | None:
    """`format: decimal`, a `pattern` of numbers, number or text, or text under the name of money."""
    declared = place.declared
    if place.count or not place.is_of("text", "integer", "number") or last_word(place.name) in IDENTIFIERS:
        return None
    decimals = count_pattern_decimals(declared.pattern) if declared.pattern else None
    if declared.format == "decimal":
        reason = "declared as decimal"
        decimals = decimals if declared.step is None else count_decimals(declared.step)
    elif decimals or (decimals == 0 and is_called(place.name, AMOUNTS)):
        reason = "declared as text, with a pattern of numbers"
    elif "number" in declared.kinds:
        reason = "declared as number or text"
    elif last_word(place.name) in MONEY:
        reason = f"declared as text, but {place.name!r} is money"
    else:
        return None
    if decimals is None:
        return _assume_cents("number_format", reason, place)
    return _suggest_number("number_format", reason, decimals, place)


def number_text(place: Profile) -> Suggestion | None:
    """Numbers that are written as text: with a currency, a decimal mark or groups, or under the name of an amount."""
    if not place.texts or not place.is_of("text", "integer", "number"):
        return None
    if are_digits(place.texts) and not is_called(place.name, AMOUNTS):
        return None
    decimal = find_decimal_mark(place.texts)
    if decimal is None:
        return None
    decimals = max(count_text_decimals(place.texts, decimal), place.decimals)
    suggestion = _suggest_number("number_text", count_values(place, "number") + " as text", decimals, place)
    if decimal != ".":
        suggestion.options["decimal"] = decimal
    suggestion.reason += _describe_mark(place, decimal)
    if have_currencies(place.texts):
        suggestion.reason += "; the currency does not count"
    return suggestion


def _describe_mark(place: Profile, decimal: DecimalMark) -> str:
    if decimal == ",":
        return ", decimal comma"
    if decimal == "auto":
        return ", decimal point or comma"
    if have_two_readings(place.texts):
        return '; 1,234 is read as 1234: add decimal: "," if it is 1.234'
    return ""


def _assume_cents(rule: str, reason: str, place: Profile) -> Suggestion:
    """Take cents, or the decimal places of the schema's examples if they have more."""
    decimals = max(map(_count_example_decimals, place.declared.examples), default=0)
    if decimals > _CENTS:
        suggestion = _suggest_number(rule, reason, decimals, place)
        suggestion.reason += " in its examples"
        return suggestion
    suggestion = _suggest_number(rule, reason, _CENTS, place)
    suggestion.reason += " assumed"
    return suggestion


def _count_example_decimals(example: Any) -> int:
    if type(example) is str:
        return count_text_decimals([example], ".")
    return count_decimals(example) if type(example) is float else 0


def _suggest_number(rule: str, reason: str, decimals: int, place: Profile) -> Suggestion:
    """Half a unit of the last place is what rounding can change."""
    if decimals < _CENTS and last_word(place.name) in MONEY:
        return build_suggestion(rule, f"{reason}, money", match="numeric_tolerance", tolerance=_HALF_A_CENT)
    if not decimals:
        return build_suggestion(rule, f"{reason}, no decimals", match="numeric")
    places = "1 decimal" if decimals == 1 else f"{decimals} decimals"
    if decimals > _MOST_DECIMALS:
        return build_suggestion(rule, f"{reason}, {places}", match="numeric_tolerance", tolerance=1e-6, relative=True)
    tolerance = float(f"{5 * 10.0 ** -(decimals + 1):.1g}")
    return build_suggestion(rule, f"{reason}, {places}", match="numeric_tolerance", tolerance=tolerance)
