"""Names of months and weekdays in the languages of the table: what CLDR writes is read back."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentv_py.comparison.readers.date import is_ambiguous_date, read_date
from agentv_py.comparison.readers.date_names import AUTO, list_languages, load_date_names

_LANGUAGES = [code for code in list_languages() if code != AUTO]
_WIDTHS = ("full", "long", "medium")
_DAYS = [date(2025, month, 15 + month) for month in range(1, 13)]


@pytest.mark.parametrize("language", _LANGUAGES)
def test_a_day_is_read_back_as_cldr_writes_it(language: str) -> None:
    dates = pytest.importorskip("babel.dates")
    from cldr_dates import list_locales

    locale = next(list_locales(language))
    written = {dates.format_date(day, width, locale): day for day in _DAYS for width in _WIDTHS}
    # A numeric spelling such as 16/01/2025 is not about names; its day is always above 12.
    assert {text: read_date(text, languages=(language,)) for text in written} == written


@pytest.mark.parametrize("language", _LANGUAGES)
def test_every_language_names_twelve_months(language: str) -> None:
    names = load_date_names((language,))
    assert set(names.months.values()) == set(range(1, 13))


@given(st.dates(min_value=date(1000, 1, 1)), st.sampled_from(_LANGUAGES), st.data())
def test_a_name_is_read_alike_alone_and_among_all_languages_or_is_ambiguous(
    day: date, language: str, data: st.DataObject
) -> None:
    months = load_date_names((language,)).months
    name = data.draw(st.sampled_from([name for name, month in months.items() if month == day.month]))
    text = f"{day.day} {name} {day.year}"
    assert read_date(text, languages=(language,)) == day
    if is_ambiguous_date(text, (AUTO,)):
        assert read_date(text, languages=(AUTO,)) is None
    else:
        assert read_date(text, languages=(AUTO,)) == day


@given(st.text(max_size=120), st.sampled_from([(AUTO,), ("de", "fr"), ("vi",)]))
def test_no_text_breaks_the_reader(text: str, languages: tuple[str, ...]) -> None:
    day = read_date(text, languages=languages)
    assert day is None or isinstance(day, date)
    assert not (day and is_ambiguous_date(text, languages))
