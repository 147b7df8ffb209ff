"""Suites of other tools: every row of tests/translations, whose suite becomes ours, or is refused with its lines."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agentv_py.errors import InvalidSuite
from agentv_py.suite.read_suite import TargetChoice, read_suite
from agentv_py.suite.yaml_document import read_yaml

_FOLDER = Path(__file__).parents[1] / "translations"
_KEYS = {"title", "suite", "files", "becomes", "errors"}


def _rows(name: str) -> Iterator[Any]:
    for row in read_yaml(_FOLDER / name, name).value:
        assert row.keys() <= _KEYS
        yield pytest.param(row, id=row["title"])


@pytest.mark.parametrize("row", list(_rows("agentv.yaml")))
def test_a_suite_of_agentv_becomes_ours(
    row: dict[str, Any], write: Callable[[str, Any], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in row.get("files", {}).items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        write(name, text)
    write("s.yaml", row["suite"])
    if "errors" in row:
        with pytest.raises(InvalidSuite) as caught:
            read_suite("s.yaml", TargetChoice())
        assert list(map(str, caught.value.problems)) == row["errors"]
    else:
        document, _ = read_suite("s.yaml", TargetChoice())
        assert document.value == row["becomes"]
