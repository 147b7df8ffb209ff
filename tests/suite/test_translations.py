"""Suites of other tools: every row of tests/translations, whose suite becomes ours, or is refused with its lines."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agentv_py.errors import InvalidSuite
from agentv_py.suite.promptfoo import translate
from agentv_py.suite.read_suite import TargetChoice, read_suite
from agentv_py.suite.yaml_document import read_yaml

_FOLDER = Path(__file__).parents[1] / "translations"
_KEYS = {"title", "suite", "files", "becomes", "errors"}


def _write_files(row: dict[str, Any], write: Callable[[str, Any], Path]) -> None:
    for name, text in row.get("files", {}).items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        write(name, text)
    write("s.yaml", row["suite"])


def _check(row: dict[str, Any], build: Callable[[], Any]) -> None:
    if "errors" in row:
        with pytest.raises(InvalidSuite) as caught:
            build()
        assert list(map(str, caught.value.problems)) == row["errors"]
    else:
        assert build().value == row["becomes"]


def _rows(name: str) -> Iterator[Any]:
    for row in read_yaml(_FOLDER / name, name).value:
        assert row.keys() <= _KEYS
        yield pytest.param(row, id=row["title"])


@pytest.mark.parametrize("row", list(_rows("agentv.yaml")))
def test_a_suite_of_agentv_becomes_ours(
    row: dict[str, Any], write: Callable[[str, Any], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _write_files(row, write)
    _check(row, lambda: read_suite("s.yaml", TargetChoice())[0])


@pytest.mark.parametrize("row", list(_rows("promptfoo.yaml")))
def test_a_configuration_of_promptfoo_becomes_ours(
    row: dict[str, Any], write: Callable[[str, Any], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _write_files(row, write)
    document = read_yaml(Path("s.yaml"), "s.yaml")
    _check(row, lambda: translate(document, "s.yaml", Path(), "suite_scripts")[0])
