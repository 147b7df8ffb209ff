"""The examples of the documents work as they are written."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml
from commands import Commands, build_environment
from documents import FILES, ROOT, Block, read_blocks
from requirements import require_program

from agentv_py.suite.datasets import read_rows
from agentv_py.suite.datasets.row import DatasetRow, decode
from agentv_py.suite.schema import Suite

# Blocks that install packages or run the tests themselves; .ci/run executes the README's second command.
_NOT_RUN = re.compile(r"^(python3? |pip |uv |\.venv/bin/)", re.MULTILINE)
_EXIT = re.compile(r"# exit (\d+)\s*$")
_MAP = "agentv_py/"  # the text that begins so is the map, which tests/test_map.py checks


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder as a reader has it: the suites and judges that ship."""
    for name in ("evals", "judges"):
        shutil.copytree(ROOT / name, tmp_path / name)
    return tmp_path


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(folder: Path, commands: Commands) -> Run:
    """Runs a program in the folder; there, `evalctl` is the command."""
    path = os.pathsep.join([str(commands.program.parent), str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = build_environment({"PATH": path})
    environment.pop("GITHUB_STEP_SUMMARY", None)

    def start(*argv: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            argv, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
        )

    return start


def _try(block: Block, folder: Path, run: Run) -> str:
    """Write the block's file, or run its commands; return what they print."""
    if block.file:
        (folder / block.file).parent.mkdir(parents=True, exist_ok=True)
        (folder / block.file).write_text(block.text, encoding="utf-8")
        return ""
    if block.language == "python":
        done = run(sys.executable, "-c", block.text)
        assert (done.returncode, done.stdout.split("\n")[:-1]) == (0, _promises(block)), done.stderr
        return done.stdout
    if block.language != "sh" or _NOT_RUN.search(block.text):
        return ""
    done, code = run("bash", "-ec", block.text), _EXIT.search(block.text)
    wanted = int(code[1]) if code else 0
    assert (done.returncode, "warning" in done.stderr) == (wanted, False), f"{block.text}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def _promises(block: Block) -> list[str]:
    """Return what the comments behind print(...) say."""
    return re.findall(r"^print\(.*\)  # (.*)$", block.text, re.MULTILINE)


@pytest.mark.parametrize("file", FILES)
def test_the_commands_of_a_document_run_and_print_what_it_shows(file: str, folder: Path, run: Run) -> None:
    if any(block.language == "js" for block in read_blocks(file)):
        require_program("node", install="apt-get install nodejs")
    printed = "".join(_try(block, folder, run) for block in read_blocks(file))
    shown = [block.text for block in read_blocks(file) if block.language == "text"]
    assert [text for text in shown if text not in printed and not text.startswith(_MAP)] == []


def _suites() -> Iterator[object]:
    for file in FILES:
        blocks = (block for block in read_blocks(file) if block.language == "yaml" and not block.file)
        yield from (pytest.param(block.text, id=f"{file}-{number}") for number, block in enumerate(blocks, 1))


@pytest.mark.parametrize("text", list(_suites()))
def test_a_suite_in_a_document_is_valid(text: str) -> None:
    suite = Suite.model_validate(yaml.safe_load(text))
    assert suite.evaluators or suite.list_targets()


def test_the_spreadsheet_is_the_case_that_the_document_shows(tmp_path: Path) -> None:
    [sheet, case] = [block.text for block in read_blocks("evals/README.md") if block.language in ("csv", "json")]
    (tmp_path / "cases.csv").write_text(sheet, encoding="utf-8")
    [row] = read_rows(tmp_path / "cases.csv", "cases.csv")
    assert isinstance(row, DatasetRow)
    assert decode(row) == json.loads(case)
