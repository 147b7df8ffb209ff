"""Globs: the files they name, and folders that lead round in circles."""

import glob as python_glob
import os
from pathlib import Path

import pytest

from agentv_py.suite.datasets.files import expand_glob, find_files


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.jsonl", "b[1].jsonl", "x/a.jsonl", "x/y/b.json", "x/.h.jsonl", ".hidden/a.jsonl", "z/c.txt"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("", encoding="utf-8")


@pytest.mark.parametrize(
    "pattern",
    [
        "*.jsonl", "**/*.jsonl", "x/**/*.json", "*/*", "**/a.jsonl", "./x/*.jsonl", "x//*.jsonl", "x/../*.jsonl", ".*/*",
        "x/.*", "[ab]*", "?.jsonl", "none/*", "a.jsonl/*", "**/y/*", "**/**/*.jsonl", "x/*/", "b[[]1].jsonl",
    ],
)  # fmt: skip
def test_a_glob_names_the_files_that_pythons_own_names(pattern: str) -> None:
    def spelled(names: list[str]) -> list[str]:
        return sorted(map(os.path.normpath, names))

    def by_python(name: str) -> list[str]:
        return sorted(set(spelled(python_glob.glob(name, recursive=True))))  # noqa: PTH207  it is what is compared with

    assert spelled(expand_glob("", pattern)) == by_python(pattern)
    absolute = str(Path.cwd() / pattern)
    assert spelled(expand_glob("elsewhere", absolute)) == by_python(absolute)


@pytest.mark.parametrize("pattern", ["**/*.jsonl", "*/" * 60 + "*.jsonl", "**/" * 60 + "a.jsonl"])
def test_a_glob_over_links_that_lead_back_ends(pattern: str) -> None:
    for name in ("here", "x/up", "x/y/top"):
        Path(name).symlink_to(Path.cwd(), target_is_directory=True)
    Path("x/self").symlink_to("self")
    files = expand_glob("", pattern)
    assert len(files) == len(set(map(os.path.realpath, files)))


def test_a_folder_goes_by_its_own_name_rather_than_a_link() -> None:
    Path("again").symlink_to("x", target_is_directory=True)
    assert find_files("", "**/*.json") == (["x/y/b.json"], "")


def test_a_glob_of_a_thousand_steps_is_followed() -> None:
    assert find_files("", "x/../" * 1_000 + "*.json")[1] == "matches no file"


@pytest.mark.parametrize("name", ["\0/*.jsonl", "*\0.jsonl", "\ud800*.jsonl", "\ud800/*.jsonl"])
def test_what_no_file_can_be_called_is_a_problem(name: str) -> None:
    files, problem = find_files("", name)
    assert (files, bool(problem)) == ([], True)
