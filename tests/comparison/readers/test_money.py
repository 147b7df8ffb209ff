"""Amounts of money, as CLDR formats them for every country, are read back."""

import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.readers.currency import find_codes
from agentv_py.comparison.readers.currency_table import TABLE
from agentv_py.comparison.readers.number import DecimalMark, read_number

_AMOUNTS = [Decimal("-1234567.50"), Decimal("0.05")]
# Letters and units that are read as no currency: `K 50`, `5 L`, `5 KM`, `Le 5`.
_REFUSED = {"CF", "D", "E", "G", "K", "KM", "L", "Le", "M", "P", "Q", "S", "den"}
_SPELLINGS = sorted({
    spelling for line in TABLE.splitlines() for column in line.split("\t")[1:] for spelling in column.split("|")
})  # fmt: skip


def _list_amounts() -> Iterator[tuple[str, DecimalMark, Decimal]]:
    from babel import Locale, localedata
    from babel.numbers import format_currency, get_currency_symbol, get_decimal_symbol, get_territory_currencies

    for locale in (Locale.parse(identifier) for identifier in sorted(localedata.locale_identifiers())):
        for code in get_territory_currencies(locale.territory) if locale.territory else ():
            if get_currency_symbol(code, locale) in _REFUSED:
                continue
            for system in ("latn", "default"):
                mark: DecimalMark = "," if get_decimal_symbol(locale, numbering_system=system) == "," else "."
                for amount in _AMOUNTS:
                    text = format_currency(amount, code, locale=locale, numbering_system=system, currency_digits=False)
                    yield text, mark, amount


def test_every_country_s_amounts_are_read() -> None:
    pytest.importorskip("babel", reason="Babel formats the amounts: pip install -e '.[dev]'")
    amounts = list(_list_amounts())
    assert len(amounts) > 2500
    assert [(text, _read(text, mark)) for text, mark, _ in amounts] == [(text, amount) for text, _, amount in amounts]


def _read(text: str, mark: DecimalMark) -> Decimal | str:
    try:
        return Decimal(str(read_number(text, mark)))
    except Incomparable as why:
        return why.note


@pytest.mark.parametrize(
    "template", ["{} 1,234.50", "{}1,234.50", "1,234.50 {}", "1,234.50{}", "-{} 1,234.50", "({} 1,234.50)"]
)
def test_every_spelling_of_the_table_is_read_before_and_after(template: str) -> None:
    amount = -1234.5 if template[0] in "-(" else 1234.5
    texts = [template.format(spelling) for spelling in _SPELLINGS]
    assert [(text, read_number(text)) for text in texts] == [(text, amount) for text in texts]


def test_every_spelling_alone_is_not_a_number() -> None:
    for spelling in _SPELLINGS:
        with pytest.raises(Incomparable, match=r"^not a number$"):
            read_number(spelling)


def test_two_marks_mean_the_currency_that_both_may_mean() -> None:
    assert find_codes(["$", "CAD"]) == {"CAD"}
    assert find_codes(["kr", "EUR"]) == frozenset()
    assert {"SEK", "NOK", "DKK"} <= find_codes(["kr."])


def test_the_table_is_loaded_only_for_letters_beside_a_number() -> None:
    code = (
        "import sys; from agentv_py.comparison.readers.number import read_number;"
        "[read_number(text) for text in ('5', '$5', '(1,234.50)', '12%', '٣')];"
        "print('agentv_py.comparison.readers.currency_table' in sys.modules); read_number('USD 5');"
        "print('agentv_py.comparison.readers.currency_table' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


@given(st.sampled_from("0123456789٠١٢٣٤٥६७८९").map(str) | st.sampled_from(" .,-'()$%+eKxRM\u00a0"), st.data())
def test_auto_never_guesses(first: str, data: st.DataObject) -> None:
    """It is what one mark reads, where the other reads the same or nothing."""
    text = first + data.draw(st.text("0123456789.,-' ()$%e", max_size=12))
    readings = {_read(text, "."), _read(text, ",")} - {"not a number"}
    expected = "ambiguous number" if len(readings) > 1 else next(iter(readings), "not a number")
    assert _read(text, "auto") == expected
