"""What is known about a place → the comparator that fits it: one list of rules for data, schemas and models.

A rule looks at what is declared first (type, format, enum, const), then at the values, then at the name. The first rule
that fits decides; the name of its function is its id.
"""

from collections.abc import Callable, Sequence
from typing import Any

from agentv_py.inference.profile import Profile
from agentv_py.inference.suggestion import Suggestion
from agentv_py.inference.values import (
    are_codes,
    are_contacts,
    are_dates,
    are_digits,
    are_numbers,
    count_text_decimals,
    count_words,
    find_date_order,
)
from agentv_py.inference.words import (
    AMOUNTS,
    CATEGORIES,
    DATES,
    IDENTIFIERS,
    MONEY,
    PARTIES,
    PROSE,
    last_word,
    split_name,
)

Rule = Callable[[Profile], "Suggestion | None"]

_FEW_VALUES = 12
_TIMES_EACH = 5
_LONG_TEXT_WORDS = 4
_MOST_DECIMALS = 6
_CENTS = 2
_EXACT_FORMATS = frozenset(
    {
        "email",
        "idn-email",
        "hostname",
        "idn-hostname",
        "ipv4",
        "ipv6",
        "uri",
        "uri-reference",
        "iri",
        "iri-reference",
        "uuid",
        "uri-template",
        "json-pointer",
        "relative-json-pointer",
        "regex",
        "time",
        "duration",
    }
)


def suggest_value(place: Profile) -> Suggestion:
    """Return the suggestion of the first rule that fits."""
    for rule in RULES:
        suggestion = rule(place)
        if suggestion is not None:
            return suggestion
    return _suggest("other", "values of several kinds", match="exact")


def setting(place: Profile) -> Suggestion | None:
    declared = place.declared
    if "match" not in declared.settings:
        return None
    return Suggestion("setting", f"{declared.origin} of the schema", dict(declared.settings))


def enum(place: Profile) -> Suggestion | None:
    values = place.declared.values
    if values is None:
        return None
    reason = f"always {_show(values[0])}" if len(values) == 1 else f"one of {len(values)} declared values"
    return _suggest("enum", reason, match="exact")


def boolean(place: Profile) -> Suggestion | None:
    return _suggest("boolean", "true or false", match="exact") if place.is_of("boolean") else None


def date_format(place: Profile) -> Suggestion | None:
    if place.declared.format in ("date", "date-time"):
        return _suggest("date_format", f"format {place.declared.format}", match="date")
    return None


def code_format(place: Profile) -> Suggestion | None:
    if place.declared.format in _EXACT_FORMATS:
        return _suggest("code_format", f"format {place.declared.format}", match="exact")
    return None


def number_code(place: Profile) -> Suggestion | None:
    """Whole numbers under the name of a code: a customer's number is not an amount."""
    if place.is_of("integer") and last_word(place.name) in IDENTIFIERS and not _is_called(place, AMOUNTS):
        return _suggest("number_code", _describe_code_name(place), match="exact")
    return None


def whole_number(place: Profile) -> Suggestion | None:
    if not place.is_of("integer"):
        return None
    return _suggest("whole_number", _count(place, "whole number"), match="numeric")


def number(place: Profile) -> Suggestion | None:
    if not place.is_of("integer", "number"):
        return None
    decimals = place.decimals if place.count else _decimals_of_step(place.declared.step)
    return _suggest_number("number", _count(place, "number"), decimals, place)


def empty(place: Profile) -> Suggestion | None:
    if place.count or place.declared.kinds:
        return None
    return _suggest("empty", "always empty, so any answer is invented", match="exact")


def contact(place: Profile) -> Suggestion | None:
    if place.texts and are_contacts(place.texts):
        return _suggest("contact", _count(place, "address", "addresses") + " of e-mail or web", match="exact")
    return None


def date(place: Profile) -> Suggestion | None:
    if place.is_of("text", "integer") and place.texts and not are_digits(place.texts) and are_dates(place.texts):
        return _suggest_date(place)
    if place.texts and are_digits(place.texts) and _is_called(place, DATES) and are_dates(place.texts):
        return _suggest_date(place)
    return None


def number_text(place: Profile) -> Suggestion | None:
    """Numbers that are written as text: with a currency, a decimal mark or groups, or under the name of an amount."""
    if not place.texts or not place.is_of("text", "integer", "number"):
        return None
    if are_digits(place.texts) and not _is_called(place, AMOUNTS):
        return None
    for decimal in (".", ","):
        if are_numbers(place.texts, decimal):
            decimals = max(count_text_decimals(place.texts, decimal), place.decimals)
            reason = f"{_count(place, 'number')} as text" + (", decimal comma" if decimal == "," else "")
            suggestion = _suggest_number("number_text", reason, decimals, place)
            return _add_options(suggestion, decimal=",") if decimal == "," else suggestion
    return None


def code(place: Profile) -> Suggestion | None:
    if not place.is_of("text", "integer"):
        return None
    is_named = last_word(place.name) in IDENTIFIERS
    if place.texts and not are_codes(place.texts):
        is_named = is_named and count_words(place.texts) <= 2  # "Invoice number: see attachment" is prose
        if not is_named:
            return None
    elif not place.texts and not is_named:
        return None
    distinct = ", all different" if place.has_all_values and 1 < place.count == len(place.texts) else ""
    return _suggest("code", (_describe_code_name(place) if is_named else "looks like a code") + distinct, match="exact")


def few_values(place: Profile) -> Suggestion | None:
    values = place.texts
    if not place.is_of("text") or not place.has_all_values or len(values) > _FEW_VALUES:
        return None
    if place.count < _TIMES_EACH * len(values) or count_words(values) > 2 or len(values) < 2:
        return None
    return _suggest("few_values", f"{len(values)} different values in {place.count:,}", match="exact")


def category(place: Profile) -> Suggestion | None:
    if not place.is_of("text") or last_word(place.name) not in CATEGORIES or count_words(place.texts) > 2:
        return None
    return _suggest("category", f"{place.name!r} is a choice", match="exact")


def party(place: Profile) -> Suggestion | None:
    if place.is_of("text") and last_word(place.name) in PARTIES:
        return _suggest("party", f"{place.name!r} is a person or a company", match="name")
    return None


def name(place: Profile) -> Suggestion | None:
    if not place.is_of("text"):
        return None
    if last_word(place.name) in ("name", "fullname", "firstname", "lastname", "surname") and not _is_name_of_thing(
        place
    ):
        return _suggest("name", "the name of a person or a company", match="name")
    return None


def prose(place: Profile) -> Suggestion | None:
    if not place.is_of("text"):
        return None
    is_long = count_words(place.texts) >= _LONG_TEXT_WORDS
    if not is_long and last_word(place.name) not in PROSE:
        return None
    reason = f"texts of {count_words(place.texts):.0f} words" if is_long else f"{place.name!r} is prose"
    return _suggest("prose", reason, match="fuzzy", algorithm="token_set")


def short_text(place: Profile) -> Suggestion | None:
    return _suggest("short_text", _count(place, "short text"), match="fuzzy") if place.is_of("text") else None


RULES: Sequence[Rule] = (
    setting, enum, boolean, date_format, code_format, number_code, whole_number, number, empty,
    contact, date, number_text, party, category, few_values, code, name, prose, short_text,
)  # fmt: skip


def _suggest(rule: str, reason: str, **options: Any) -> Suggestion:
    return Suggestion(rule, reason, options)


def _add_options(suggestion: Suggestion, **options: Any) -> Suggestion:
    suggestion.options.update(options)
    return suggestion


def _suggest_number(rule: str, reason: str, decimals: int, place: Profile) -> Suggestion:
    """Half a unit of the last place is what rounding can change."""
    if decimals < _CENTS and last_word(place.name) in MONEY:
        return _suggest(rule, f"{reason}, money", match="numeric_tolerance", tolerance=0.005)
    if not decimals:
        return _suggest(rule, f"{reason}, no decimals", match="numeric")
    if decimals > _MOST_DECIMALS:
        return _suggest(
            rule, f"{reason}, {decimals} decimals", match="numeric_tolerance", tolerance=1e-6, relative=True
        )
    places = "1 decimal" if decimals == 1 else f"{decimals} decimals"
    tolerance = float(f"{5 * 10.0 ** -(decimals + 1):.1g}")
    return _suggest(rule, f"{reason}, {places}", match="numeric_tolerance", tolerance=tolerance)


def _suggest_date(place: Profile) -> Suggestion:
    order = find_date_order(place.texts)
    dates = _count(place, "date")
    if order == "day_first":
        return _suggest("date", f"{dates}, the day first", match="date", day_first=True)
    if order == "either":
        return _suggest(
            "date", f"{dates}; day or month may come first: add day_first: true if it is the day", match="date"
        )
    if order == "both":
        return _suggest("date", f"{dates}; some have the day first and some the month", match="date")
    return _suggest("date", dates, match="date")


def _decimals_of_step(step: float | None) -> int:
    from agentv_py.inference.profile import count_decimals

    return 2 if step is None else count_decimals(step)


def _is_called(place: Profile, words: frozenset[str]) -> bool:
    return not words.isdisjoint(split_name(place.name))


def _is_name_of_thing(place: Profile) -> bool:
    """Tell whether the name belongs to a product, a file or a test, and not to a person or a company."""
    before = [word for word in split_name(place.name)[:-1] if word not in ("full", "first", "last", "legal")]
    owner = before or split_name(place.parent)
    if not owner:
        return place.in_list
    return (
        PARTIES.isdisjoint(owner)
        and PARTIES.isdisjoint(word.removesuffix("s") for word in owner)
        and (bool(before) or place.in_list)
    )


def _describe_code_name(place: Profile) -> str:
    return f"ends in {last_word(place.name)!r}" if len(split_name(place.name)) > 1 else f"{place.name!r} is a code"


def _count(place: Profile, noun: str, plural: str | None = None) -> str:
    if not place.count:
        return f"declared as {noun}"
    return f"{place.count:,} {noun if place.count == 1 else plural or noun + 's'}"


def _show(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:39] + "…"
