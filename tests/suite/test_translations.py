"""Suites of other tools: every row of tests/translations, whose suite becomes ours, or is refused with its lines."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentv_py.errors import InvalidSuite
from agentv_py.suite.convert import convert_suite
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


def _list_places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield place
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from _list_places(item, (*place, key))


def _replace(value: Any, place: tuple[Any, ...], new: Any) -> Any:
    if not place:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[place[0]] = _replace(copy[place[0]], place[1:], new)
    return copy


_WRONG: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 0, -1.5, "", "x", "a:b", "{{x}}", "file://x", [], [1], [[]], {}, {"a": 1}, {"type": 1}]
)


@pytest.mark.parametrize("name", ["agentv.yaml", "promptfoo.yaml"])
@given(data=st.data())
def test_a_suite_with_a_wrong_value_anywhere_is_translated_or_refused_and_never_a_crash(
    name: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rows = [row for row in read_yaml(_FOLDER / name, name).value if "becomes" in row]
    row = data.draw(st.sampled_from(rows))
    folder = tmp_path_factory.getbasetemp() / f"wrong-{name}-{rows.index(row)}"
    for path, text in row.get("files", {}).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    folder.mkdir(exist_ok=True)
    suite, value = folder / "s.yaml", _read_text(row["suite"], folder)
    for _ in range(data.draw(st.integers(1, 2))):
        value = _replace(value, data.draw(st.sampled_from(list(_list_places(value)))), data.draw(_WRONG))
    suite.write_text(json.dumps(value), encoding="utf-8")
    with suppress(InvalidSuite):
        convert_suite(str(suite), "agentv" if name.startswith("agentv") else "promptfoo", str(folder / "new.yaml"))


def _read_text(text: str, folder: Path) -> Any:
    path = folder / "read.yaml"
    path.write_text(text, encoding="utf-8")
    return read_yaml(path, "read.yaml").value
