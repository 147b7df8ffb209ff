"""A folder → a small suite in it that runs."""

from pathlib import Path

from agentv_py.errors import UserError

_SUITE = """\
# Three answers of an invoice extractor, scored against what the invoices say. One of them is wrong on purpose.
# yaml-language-server users: `evalctl schema > evalctl.schema.json` gives your editor completion for this file.
name: invoices
dataset: cases.jsonl
evaluators:
  - name: header
    type: field_accuracy
    fields:
      - {path: invoice.number}                       # exact is the default
      - {path: invoice.date, match: date}            # 2025-01-15 is 15-JAN-2025
      - {path: invoice.total, match: numeric_tolerance, tolerance: 0.01, weight: 2}
      - {path: vendor.name, match: fuzzy, threshold: 0.85}
      - {path: invoice.notes, required: false}
"""
_CASES = """\
{"id": "acme", "input": "acme.pdf", "expected": {"invoice": {"number": "INV-001", "date": "2025-01-15", "total": 1234.5}, "vendor": {"name": "Acme Corp"}}, "candidate": {"invoice": {"number": "INV-001", "date": "15-JAN-2025", "total": 1234.5}, "vendor": {"name": "ACME CORP"}}}
{"id": "globex", "input": "globex.pdf", "expected": {"invoice": {"number": "G-77", "date": "2025-02-03", "total": 99.0, "notes": "Rush"}, "vendor": {"name": "Globex Inc"}}, "candidate": {"invoice": {"number": "G-77", "date": "2025-02-03", "total": "$99.00"}, "vendor": {"name": "Globex Inc"}}}
{"id": "initech", "input": "initech.pdf", "expected": {"invoice": {"number": "2025/114", "date": "2025-03-01", "total": 450.0}, "vendor": {"name": "Initech GmbH"}}, "candidate": "The invoice says: {\\"invoice\\": {\\"number\\": \\"2025/114\\", \\"date\\": \\"2025-03-01\\", \\"total\\": 540.0}, \\"vendor\\": {\\"name\\": \\"Initech GmbH\\"}}"}
"""


def write_starter(folder: str) -> Path:
    """Write the suite and its cases, and return the path of the suite. Existing files are never replaced."""
    files = {Path(folder, "suite.yaml"): _SUITE, Path(folder, "cases.jsonl"): _CASES}
    existing = [str(path) for path in files if path.exists()]
    if existing:
        raise UserError(f"{existing[0]}: exists already; name another folder")
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for path, text in files.items():
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{folder}: cannot be written: {error.strerror}") from None
    return Path(folder, "suite.yaml")
