"""The name of a field → its words, and what they say about its values."""

import re
from functools import lru_cache

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_a-zA-Z]+")


def _list_words(text: str) -> frozenset[str]:
    return frozenset(text.split())


IDENTIFIERS = _list_words(
    """
    id ids uuid guid key code codes number numbers no nr num sku ean upc gtin isbn asin iban bic swift vat tin ein
    ssn npi mrn icd cpt loinc ref reference identifier account acct serial imei vin plate token hash checksum zip
    zipcode postcode postal plz tracking barcode symbol ticker version hs hscode awb bol po lot batch license
    passport policy email url uri link website domain ip currency country locale language lang unit uom mime
    extension
    """
)
"""Words whose values are codes: one wrong character makes them another value."""

PHONES = _list_words("phone fax tel telephone mobile cell phonenumber")

CONTACTS = _list_words("telecom contact contacts phone phones email emails telephone fax")
"""Words for ways to reach someone: a number or an address that is nearly right is wrong."""

FUNCTIONS = _list_words("steps tools actions functions calls commands")
"""Words for lists of names as in code."""

MONEY = _list_words(
    """
    amount amounts total totals subtotal price prices cost costs fee fees tax taxes discount balance paid tip charge
    debit credit salary income net gross
    """
)
"""Words for sums of money, which have two decimals even where no value shows them."""

AMOUNTS = MONEY | _list_words(
    "sum vat gst qty quantity due rate percent percentage weight height width length size score count age dose volume"
)
"""Words for amounts: their values are numbers, even if they are digits in a text."""

DATES = _list_words("date dates day dob birthday birthdate issued due expiry expires expiration start end since until")

PARTIES = _list_words(
    """
    vendor supplier seller merchant customer client buyer payer payee company employer organization organisation
    party bank shipper consignee consignor carrier manufacturer patient doctor physician provider practitioner
    author candidate person contact owner recipient sender holder beneficiary insurer tenant landlord applicant
    employee student teacher store shop hotel restaurant school university institution hospital clinic laboratory
    lab importer exporter guest passenger member participant
    """
)
"""Words for people and companies: their names are spelled in many ways."""

GIVEN_NAMES = _list_words("fullname firstname lastname middlename surname forename family given")

THINGS = _list_words(
    """
    product item file test service event project plan model tool function field column street city country state
    drug document article package part course dataset table component material ship vessel
    """
)
"""Words for things: their names are texts like others."""

CATEGORIES = _list_words(
    """
    type types kind category categories status gender sex method mode level flag system use tool function role class
    cabin priority severity grade unit stage direction
    """
)
"""Words whose values are chosen from a short list: another value is another choice."""

ADDRESSES = _list_words("address street")

PROSE = _list_words(
    """
    description descriptions desc note notes comment comments summary text body message remark remarks reason
    details abstract overview objective statement terms instruction findings impression narrative
    """
)

SEQUENCES = _list_words(
    """
    steps step history messages message conversation turns turn events timeline sequence instructions procedure
    stages route log logs path transcript dialogue dialog chapters ranking rank actions trajectory
    """
)
"""Words for lists in which the order means something."""

TEXT_SEQUENCES = _list_words("given line lines paragraphs sentences")
"""Words for lists of texts in which the order means something; the rows under such a word may have any order."""

BOXES = _list_words("bbox box bboxes boxes bounding rect rectangle")

ROW_NUMBERS = _list_words("line row index position pos item")
"""Words for the number of a row, which shifts if an answer leaves a row out."""


@lru_cache(maxsize=4096)
def split_name(name: str) -> tuple[str, ...]:
    """Return the words of `invoiceNumber`, `invoice_number` or `Invoice-Number`, in lower case."""
    return tuple(word.lower() for word in _WORD.findall(name))


def last_word(name: str) -> str:
    """Return the last word of a name: what the value is. The words before it say which one."""
    words = [word for word in split_name(name) if not word.isdigit()]
    return words[-1] if words else ""


def singular_words(name: str) -> tuple[str, ...]:
    """Return the words of a name, with `supplier` for `suppliers` and `party` for `parties`."""
    return tuple(
        word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s") if not word.endswith("ss") else word
        for word in split_name(name)
    )


def is_called(name: str, words: frozenset[str]) -> bool:
    """Tell whether a name has one of the words."""
    return not words.isdisjoint(split_name(name))


def describe_code_name(name: str) -> str:
    return f"ends in {last_word(name)!r}" if len(split_name(name)) > 1 else f"{name!r} is a code"
