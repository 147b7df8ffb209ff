"""The tables of the readers are what the script draws from CLDR."""

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest
from requirements import skip_or_fail


@pytest.mark.slow
def test_the_committed_tables_are_those_that_the_script_draws() -> None:
    _require_babel()
    from cldr_tables import list_outdated  # it needs Babel, which only this test does

    assert list_outdated() == [], "run: python tests/cldr_tables.py --write"


def _require_babel() -> None:
    """Another release of Babel holds another CLDR, so that its tables differ."""
    [pin] = [line for line in _PYPROJECT.splitlines() if '"Babel==' in line]
    wanted = pin.partition("==")[2].partition('"')[0]
    try:
        installed = version("Babel")
    except PackageNotFoundError:
        installed = "none"
    if installed != wanted:
        skip_or_fail(f"needs Babel {wanted}, not {installed}: pip install -e '.[dev]'")


_PYPROJECT = (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
