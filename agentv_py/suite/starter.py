"""A folder → a small suite in it that runs."""

from pathlib import Path

from agentv_py.suite.new_files import SCHEMA_LINE, write_new_files

_SUITE = f"""\
{SCHEMA_LINE}
# Three answers of an invoice extractor, scored against what the invoices say. One of them is wrong on purpose.
name: invoices
dataset: cases.jsonl
evaluators:
  - type: object_match
    comparators:                        # mirrors the data
      number: exact
      date: date                        # 15-JAN-2025 is 2025-01-15
      total: {{match: numeric_tolerance, tolerance: 0.005, weight: 2}}
      vendor: name                      # ACME CORPORATION is Acme Corp
      items:
        key: sku                        # rows pair where sku is equal, in any order
        unordered: {{sku: exact, description: fuzzy, quantity: numeric}}
"""
_CASES = """\
{"id": "acme", "input": "acme.pdf", "expected": {"number": "INV-001", "date": "2025-01-15", "total": 1234.5, "vendor": "Acme Corp", "items": [{"sku": "A-1", "description": "Hex bolt", "quantity": 200}, {"sku": "A-2", "description": "Hex nut", "quantity": 200}]}, "candidate": {"number": "INV-001", "date": "15-JAN-2025", "total": "1,234.50", "vendor": "ACME CORPORATION", "items": [{"sku": "A-2", "description": "Hex nut", "quantity": 200}, {"sku": "A-1", "description": "Hex bolts", "quantity": 200}]}}
{"id": "globex", "input": "globex.pdf", "expected": {"number": "G-77", "date": "2025-02-03", "total": 99.0, "vendor": "Globex Inc", "items": [{"sku": "G-9", "description": "Pump, refurbished", "quantity": 1}]}, "candidate": {"number": "G-77", "date": "3 February 2025", "total": "$99.00", "vendor": "Globex", "items": [{"sku": "G-9", "description": "pump, refurbished", "quantity": 1}]}}
{"id": "initech", "input": "initech.pdf", "expected": {"number": "2025/114", "date": "2025-03-01", "total": 450.0, "vendor": "Initech GmbH", "items": [{"sku": "T-1", "description": "Toner, black", "quantity": 3}, {"sku": "T-2", "description": "Toner, cyan", "quantity": 2}]}, "candidate": "The invoice says: {\\"number\\": \\"2025/114\\", \\"date\\": \\"2025-01-03\\", \\"total\\": 540.0, \\"vendor\\": \\"Initech GmbH\\", \\"items\\": [{\\"sku\\": \\"T-1\\", \\"description\\": \\"Toner, black\\", \\"quantity\\": 8}]}"}
"""


def write_starter(folder: str) -> Path:
    """Write the suite and its cases, and return the path of the suite. Existing files are never replaced."""
    return write_new_files(folder, {"suite.yaml": _SUITE, "cases.jsonl": _CASES})
