"""The name of a field → its words, and what they say about its values."""

import re
from functools import lru_cache

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_a-zA-Z]+")


def _list_words(text: str) -> frozenset[str]:
    return frozenset(text.split())


IDENTIFIERS = _list_words(
    """
    id ids uuid guid key code codes number numbers no nr num sku ean upc gtin isbn asin iban bic swift vat tin ein
    ssn npi  mrn icd cpt loinc ref reference account acct serial imei vin plate token hash checksum zip zipcode
    postcode postal plz  tracking barcode symbol ticker version hs hscode awb bol po lot batch license passport
    policy phone fax tel telephone  mobile email url uri link website domain ip currency country locale language
    lang unit uom mime extension
    """
)
"""Words whose values are codes: one wrong character makes them another value."""

AMOUNTS = _list_words(
    """
    amount amounts total totals subtotal sum price prices cost costs fee fees tax taxes vat gst discount balance
    qty quantity  net gross paid due tip charge rate percent percentage weight height width length size score
    value debit credit salary  income count age dose volume
    """
)

DATES = _list_words(
    """
    date dates day dob birthday birthdate issued due expiry expires expiration
    """
)

PARTIES = _list_words(
    """
    vendor supplier seller merchant customer client buyer payer payee company employer organization organisation
    bank  shipper consignee consignor carrier manufacturer patient doctor physician provider practitioner author
    candidate person  contact owner recipient sender holder beneficiary insurer tenant landlord applicant employee
    student teacher  store shop hotel restaurant school university institution hospital clinic laboratory lab
    importer exporter
    """
)
"""Words for people and companies: their names are spelled in many ways."""

MONEY = _list_words(
    """
    amount amounts total totals subtotal price prices cost costs fee fees tax taxes discount balance paid tip charge debit
    credit salary income net gross
    """
)
"""Words for sums of money, which have two decimals even where no value shows them."""

CATEGORIES = _list_words(
    """
    type types kind category categories status gender sex method mode level flag system use tool function role class cabin
    priority severity grade unit stage direction
    """
)
"""Words whose values are chosen from a short list: another value is another choice."""

ROW_NUMBERS = _list_words("no nr num number line row index position pos")

PROSE = _list_words(
    """
    description descriptions desc note notes comment comments summary text body message remark remarks reason
    details title  subject abstract overview objective statement terms instruction address street findings
    impression narrative
    """
)

SEQUENCES = _list_words(
    """
    steps step history messages message conversation turns turn events timeline sequence instructions procedure
    stages route  log logs path transcript dialogue dialog chapters ranking rank actions trajectory
    """
)
"""Words for lists in which the order means something."""

BOXES = _list_words(
    """
    bbox box bboxes boxes bounding rect rectangle
    """
)


@lru_cache(maxsize=4096)
def split_name(name: str) -> tuple[str, ...]:
    """Return the words of `invoiceNumber`, `invoice_number` or `Invoice-Number`, in lower case."""
    return tuple(word.lower() for word in _WORD.findall(name))


def last_word(name: str) -> str:
    """Return the last word of a name: what the value is. The words before it say which one."""
    words = [word for word in split_name(name) if not word.isdigit()]
    return words[-1] if words else ""
