"""CLDR, as Babel holds it → the tables of the readers: modules that are generated and committed.

python tests/cldr_tables.py            names the tables that differ from what is committed
python tests/cldr_tables.py --write    writes them

Babel is pinned in pyproject.toml, because another release holds another CLDR.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from cldr_currencies import draw_currencies
from cldr_dates import draw_date_names
from legal_forms import draw_legal_forms

READERS = Path(__file__).parents[1] / "agentv_py" / "comparison" / "readers"

TABLES: dict[str, Callable[[], str]] = {
    "currency_table.py": draw_currencies,
    "date_table.py": draw_date_names,
    "legal_form_table.py": draw_legal_forms,
}
"""Each module that is generated, in the folder of the readers and named `*_table.py`, and the function that returns its text."""


def list_outdated() -> list[str]:
    """Return the names of the modules whose committed text is not what the script draws."""
    return [name for name, draw in TABLES.items() if _read(READERS / name) != draw()]


def write_tables() -> None:
    for name, draw in TABLES.items():
        (READERS / name).write_text(draw(), encoding="utf-8")


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        write_tables()
    else:
        sys.stdout.write("".join(f"{name}\n" for name in list_outdated()))
