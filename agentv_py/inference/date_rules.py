"""Texts that spell dates → their comparator, with the order of day and month that all of them allow."""

from typing import Literal

from agentv_py.inference.profile import Profile
from agentv_py.inference.suggestion import Suggestion, build_suggestion, count_values
from agentv_py.inference.values import (
    DateOrder,
    are_digits,
    are_partial_dates,
    are_times,
    find_date_order,
    find_language,
    have_times,
    keep_dates,
)
from agentv_py.inference.words import DATES, is_called, last_word


def time(place: Profile) -> Suggestion | None:
    """Times of day; without values, texts whose name ends in time."""
    if not place.is_of("text") or not (are_times(place.texts) if place.texts else last_word(place.name) == "time"):
        return None
    reason = f"{count_values(place, 'time')} of day" if place.count else f"{place.name!r} is a time"
    return build_suggestion("time", reason, match="exact")


def date(place: Profile) -> Suggestion | None:
    """Dates in any spelling. Digits alone are dates only under the name of a date."""
    if not place.texts or not place.is_of("text"):
        return None
    if are_digits(place.texts) and not is_called(place.name, DATES):
        return None
    language = find_language(place.texts)
    if language is None:
        return None
    reason, order = count_values(place, "date"), _find_order(place, language)
    suggestion = build_suggestion("date", reason, match="date")
    if order in ("day_first", "answers_day_first"):
        suggestion.options["day_first"] = True
    if language != "en":
        suggestion.options["language"] = language
    suggestion.reason += (
        _ORDERS[order]
        + _describe_answers(place, order, language)
        + ("; the time of day does not count" if have_times(place.texts) else "")
    )
    return suggestion


def _find_order(place: Profile, language: str) -> DateOrder | Literal["answers_day_first"]:
    """Return the order that the dates show; where they leave it open, the answers may show that the day is first."""
    order = find_date_order(place.texts)
    if order not in ("clear", "either"):
        return order
    answers = keep_dates(place.answers, language)
    return "answers_day_first" if find_date_order([*place.texts, *answers]) == "day_first" else order


def _describe_answers(place: Profile, order: DateOrder | Literal["answers_day_first"], language: str) -> str:
    """Say that answers have another order of day and month than the comparator reads, or both orders."""
    answers = find_date_order(keep_dates(place.answers, language))
    if answers == "both":
        return "; answers have the day first and the month first, so a swap may go unseen"
    other = {"day_first": "month_first", "month_first": "day_first"}.get(order)
    if answers == other:
        return f"; answers have the {'month' if other == 'month_first' else 'day'} first, so a swap may go unseen"
    return ""


_ORDERS = {
    "clear": "",
    "day_first": ", the day first",
    "answers_day_first": "; answers have the day first",
    "month_first": ", the month first",
    "either": "; day or month may come first: add day_first: true if it is the day",
    "both": "; some have the day first and some the month, so a swap may go unseen",
}


def partial_date(place: Profile) -> Suggestion | None:
    """Months or years, such as 2019-03, perhaps among full dates."""
    if not place.texts or not place.is_of("text") or not are_partial_dates(place.texts):
        return None
    if are_digits(place.texts) and not is_called(place.name, DATES):
        return None
    return build_suggestion("partial_date", "months or years, which are no full dates", match="exact")
