"""The same results in every time zone and locale."""

import locale
from collections.abc import Callable
from pathlib import Path
from typing import Any

from conftest import Evalctl
from requirements import skip_or_fail

_SUITE = """
cases:
  - id: one
    expected: {when: "2025-01-15T23:30:00-08:00", total: 1234.5, name: "Straße İstanbul"}
    candidate: {when: "15-JAN-2025", total: "1,234.50", name: "STRASSE istanbul"}
  - id: two
    expected: {when: "January 15, 2025", total: "1.234", name: Acme}
    candidate: {when: "2025-01-16T00:30:00+09:00", total: 1.234, name: Acne}
evaluators:
  - type: field_accuracy
    fields: [{path: when, match: date}, {path: total, match: numeric_tolerance}, {path: name, match: fuzzy, threshold: 0.7}]
"""


def test_results_do_not_depend_on_the_host(evalctl: Evalctl, write: Callable[[str, Any], Path], tmp_path: Path) -> None:
    write("suite.yaml", _SUITE)
    seen = set()
    for number, environment in enumerate((
        {"TZ": "America/New_York"}, {"TZ": "Asia/Tokyo"}, {"TZ": "UTC"}, {"LC_ALL": "de_DE.UTF-8"}, {"LC_ALL": "C"},
        {"PYTHONHASHSEED": "1"}, {"PYTHONIOENCODING": "ascii"},
    )):  # fmt: skip
        done = evalctl("run", "suite.yaml", "-o", f"{number}.jsonl", "--format", "json", **environment)
        assert done.returncode == 1, done.stderr
        rows = (tmp_path / f"{number}.jsonl").read_text(encoding="utf-8").splitlines()
        seen.add((done.stdout, *(_timeless(row) for row in rows)))
    assert len(seen) == 1


def test_the_german_locale_is_really_there() -> None:
    before = locale.setlocale(locale.LC_ALL)
    try:
        locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
    except locale.Error:
        skip_or_fail(
            "needs the locale de_DE.UTF-8, without which the test above proves less: localedef -i de_DE -f UTF-8 de_DE.UTF-8"
        )
    finally:
        locale.setlocale(locale.LC_ALL, before)


def _timeless(row: str) -> str:
    import re

    return re.sub(r'"(timestamp|duration_ms)":("[^"]*"|[0-9.e-]+)', "", row)
