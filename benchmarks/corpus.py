"""A number of cases → invoices with known mistakes, the same in every run."""

import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

_VENDORS = ("Acme Corporation", "Globex Inc", "Initech GmbH", "Umbrella S.A.", "Stark Industries")


def invoices(count: int) -> list[dict[str, Any]]:
    return list(generate_invoices(count))


def generate_invoices(count: int) -> Iterator[dict[str, Any]]:
    """Cases of eight header fields: one in ten has a wrong total, one in five other capitals, one in twenty no VAT."""
    chance = random.Random(0)
    for number in range(count):
        expected = {
            "invoice": {
                "number": f"INV-{number:06d}",
                "date": f"2025-{chance.randint(1, 12):02d}-{chance.randint(1, 28):02d}",
                "total": round(chance.uniform(10, 9999), 2),
                "currency": chance.choice(("USD", "EUR")),
            },
            "vendor": {"name": f"{chance.choice(_VENDORS)} {number % 97}", "country": "US"},
            "buyer": {"name": f"Umbrella Ltd {number % 31}", "vat": f"DE{number:09d}"},
        }
        yield {"id": f"case-{number}", "expected": expected, "candidate": _answer(expected, chance)}


def _answer(expected: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    answer = deepcopy(expected)
    if chance.random() < 0.1:
        answer["invoice"]["total"] += 1
    if chance.random() < 0.2:
        answer["vendor"]["name"] = answer["vendor"]["name"].upper()
    if chance.random() < 0.05:
        answer["buyer"]["vat"] = ""
    return answer


SUITE = """\
name: bench
dataset: {dataset}
evaluators:
  - type: field_accuracy
    fields:
      - {{path: invoice.number}}
      - {{path: invoice.date, match: date}}
      - {{path: invoice.total, match: numeric_tolerance, tolerance: 0.01}}
      - {{path: invoice.currency}}
      - {{path: vendor.name, match: fuzzy}}
      - {{path: vendor.country}}
      - {{path: buyer.name, match: fuzzy, algorithm: jaro_winkler}}
      - {{path: buyer.vat}}
"""
