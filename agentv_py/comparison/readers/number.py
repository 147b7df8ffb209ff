"""A JSON number, or a text that is a number in any spelling → the number."""

import math
import re
from decimal import Decimal
from functools import lru_cache
from typing import Any, Literal

from agentv_py.comparison.matchers.base import Incomparable

Number = int | float | Decimal
DecimalMark = Literal[".", ","]

_ISO_4217 = (
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF "
    "CLF CLP CNH CNY COP CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD "
    "HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL "
    "LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN "
    "PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY "
    "TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XAG XAU XCD XOF XPF YER ZAR ZMW ZWL"
)
_SIGN = r"[-+−]"
_SYMBOLS = "".join(chr(code) for code in (*range(0xA2, 0xA6), 0x58F, 0x60B, 0xE3F, *range(0x20A0, 0x20C1)))
_CURRENCY = rf"(?:(?:US|AU|CA|HK|NZ|SG|MX|[ACR])?\$|[{_SYMBOLS}]|{'|'.join(_ISO_4217.split())})"
_GROUP_BREAKS = "'’ "  # no-break and thin spaces are replaced by plain ones before

# No person and no float writes a longer number. Neither the patterns nor the cache get a longer text.
_LONGEST = 400
_INFINITE = "not a finite number"
_UNREADABLE = "not a number"


def read_number(value: Any, decimal: DecimalMark = ".") -> Number:
    """Return the number that a value is or spells. Raises Incomparable."""
    kind = type(value)
    if kind is int:
        return value  # type: ignore[no-any-return]
    if kind is float:
        if math.isfinite(value):
            return value  # type: ignore[no-any-return]
        raise Incomparable(_INFINITE)
    if kind is str:
        text = " ".join(value.split()) if len(value) <= _LONGEST else ""
        number = _read_text(text, decimal)
        if number is None:
            raise Incomparable(_UNREADABLE)
        if number in (math.inf, -math.inf):
            raise Incomparable(_INFINITE)
        return number
    # A bool is an int in Python but not in JSON; a NonFinite is a float whose number is too large.
    raise Incomparable(_INFINITE if isinstance(value, float) else _UNREADABLE)


@lru_cache(maxsize=4096)
def _read_text(text: str, decimal: DecimalMark) -> Number | None:
    match = _compile_pattern(decimal).fullmatch(text)
    if match is None:
        return None
    signs = [sign for sign in match.group("before", "inside", "after", "opening") if sign]
    currencies = [sign for sign in match.group("currency", "code", "unit", "outside") if sign]
    if len(signs) > 1 or len(currencies) > 1 or bool(match["opening"]) != bool(match["closing"]):
        return None
    whole = re.sub(rf"[{_list_group_marks(decimal)}]", "", match["whole"] or "0")
    number = _convert(whole, match["part"], match["exponent"])
    return -number if signs and signs != ["+"] else number


def _convert(whole: str, part: str | None, exponent: str | None) -> Number:
    if not part and not exponent:
        return int(whole) if len(whole) < 4000 else math.inf
    digits = f"{whole}.{part or 0}{exponent or ''}"
    # A float tells any two decimal numbers of up to 15 digits apart.
    return float(digits) if len(whole) + len(part or "") <= 15 or exponent else Decimal(digits)


@lru_cache(maxsize=2)
def _compile_pattern(decimal: DecimalMark) -> re.Pattern[str]:
    groups = "|".join(rf"[1-9][0-9]{{0,2}}(?:{re.escape(mark)}[0-9]{{3}})+" for mark in _list_group_marks(decimal))
    return re.compile(
        rf"""(?:(?P<outside>{_CURRENCY})\ ?)? (?P<opening>\()? (?P<before>{_SIGN})?\ ? (?:(?P<currency>{_CURRENCY})\ ?)?
             (?P<inside>{_SIGN})?\ ?
             (?=[0-9]|[{decimal}][0-9]) (?P<whole>{groups}|[0-9]+)? (?:[{decimal}](?P<part>[0-9]*))?
             (?P<exponent>[eE][-+]?[0-9]+)?
             \ ?%? (?P<after>-)? (?:\ ?(?P<unit>{_CURRENCY}))? (?P<closing>\))? (?:\ ?(?P<code>{_CURRENCY}))?""",
        re.VERBOSE,
    )


def _list_group_marks(decimal: DecimalMark) -> str:
    return ("," if decimal == "." else ".") + _GROUP_BREAKS
