"""Keys, names and values of 200 characters: on the page and in the terminal, the figures beside them stay in sight."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from browser import Browser
from commands import Commands
from rich.cells import cell_len

_NAMES = {
    word: f"{word}_{word[0] * (199 - len(word))}" for word in ("key", "value", "target", "suite", "evaluator", "tag")
}
_SLICES = ("--slice", f"metadata.{_NAMES['key']}", "--slice", "tags")


def _write_cases(folder: Path, name: str, wrong: int) -> None:
    key, value = _NAMES["key"], _NAMES["value"]
    expected = {key: value, "total": 12, "lines": [{key: value}]}
    other = {key: f"{value}!", "total": 1200, "lines": [{}], f"x{key}": value}
    cases = [
        {"id": f"{number}{key}", "tags": [_NAMES["tag"]], "metadata": {key: value}, "expected": expected}
        | {"candidate": other if number < wrong else expected}
        for number in range(12)
    ]
    evaluators = [
        {"name": _NAMES["evaluator"], "type": "field_accuracy", "fields": [{"path": key}, {"path": "total"}]},
        {"name": "quality", "type": "json_quality"},
    ]
    suite = {"name": _NAMES["suite"], "evaluators": evaluators, "cases": cases}
    (folder / f"{name}.yaml").write_text(json.dumps(suite), encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, commands: Commands) -> Path:
    """Two runs of one suite, and both as two targets of one file."""
    folder = tmp_path_factory.mktemp("long")
    for name, wrong in (("before", 2), ("after", 9)):
        _write_cases(folder, name, wrong)
        commands.run(["run", f"{name}.yaml", "-o", f"{name}.jsonl", "-q"], folder)
    rows = [_read_rows(folder / f"{name}.jsonl", f"{_NAMES['target'][1:]}{name}") for name in ("before", "after")]
    (folder / "both.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows[0] + rows[1]), encoding="utf-8")
    commands.run(["report", "both.jsonl", *_SLICES, "-o", "report.html"], folder)
    commands.run(["diff", "before.jsonl", "after.jsonl", *_SLICES, "-o", "diff.html"], folder)
    return folder


def _read_rows(file: Path, target: str) -> list[Mapping[str, Any]]:
    return [json.loads(line) | {"target": target} for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("page", ["report.html", "diff.html"])
@pytest.mark.parametrize("width", [1400, 375])
def test_no_table_of_the_page_scrolls_sideways(running: Browser, folder: Path, page: str, width: int) -> None:
    running.width(width)
    running.open(folder / page)
    running.until("document.querySelectorAll('.row').length > 0")
    wide = "return [...document.querySelectorAll('.scroll')].filter(one => one.scrollWidth > one.clientWidth).length"
    assert running.run("return document.documentElement.scrollWidth") == width
    assert running.run("return document.querySelectorAll('.scroll').length") > 3
    assert running.run(wide) == 0


@pytest.mark.parametrize("width", [80, 140])
@pytest.mark.parametrize("command", [["report", "both.jsonl"], ["diff", "before.jsonl", "after.jsonl"]])
def test_only_the_title_fills_lines_of_a_terminal(
    commands: Commands, folder: Path, command: list[str], width: int
) -> None:
    done = commands.run([*command, *_SLICES], folder, COLUMNS=str(width))
    title, _, rest = done.stdout.partition("cases")
    assert _NAMES["suite"] in title.replace("\n ", "")
    assert max(map(cell_len, done.stdout.splitlines())) <= width
    assert not [line for line in rest.splitlines() if len(set(line.strip())) == 1 and len(line.strip()) > 2]
