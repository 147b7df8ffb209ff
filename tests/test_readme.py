"""The front page shows what the program prints, and its workflow runs."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from conftest import Evalctl
from documents import FILES, ROOT, read, read_anchors, read_blocks, read_links, read_prose
from pictures import COMMAND, IMAGES, TERMINAL, read_text

from agentv_py.suite.draft import draft_suite

_MOST_LINES = 250
_MOST_BYTES = 120_000


def test_the_front_page_stays_short() -> None:
    assert len(read("README.md").splitlines()) <= _MOST_LINES


def test_the_picture_is_what_the_first_command_prints(evalctl: Evalctl) -> None:
    command = re.search(r"<!-- install and run -->\n```sh\n.*(evalctl .+)\n```", read("README.md"))
    assert command
    assert command[1] == COMMAND
    _, verb, suite = shlex.split(COMMAND)
    done = evalctl(verb, str(ROOT / suite))
    assert done.returncode == 0, done.stderr
    printed = [line.rstrip() for line in done.stdout.strip("\n").split("\n")]
    shown = [line.rstrip() for line in read_text(TERMINAL).strip("\n").split("\n")]
    assert printed == shown, "run: python tests/pictures.py"


@pytest.mark.parametrize("picture", sorted(IMAGES.glob("*.png")), ids=lambda path: path.name)
def test_a_picture_is_small_and_shown(picture: Path) -> None:
    assert picture.stat().st_size < _MOST_BYTES
    assert str(picture.relative_to(ROOT)) in read("README.md")


def test_the_first_suite_is_what_init_writes(tmp_path: Path) -> None:
    cases, answers = (str(ROOT / f"evals/invoices{part}.jsonl") for part in ("", ".predictions"))
    written = draft_suite(cases, answers, str(tmp_path)).files["suite.yaml"]
    [shown] = [
        block.text
        for block in read_blocks("README.md")
        if block.text.startswith("evaluators:\n  - type: object_match\n    comparators:\n      invoice:")
    ]
    assert shown in written


@pytest.mark.parametrize("file", FILES)
def test_every_link_of_a_document_leads_somewhere(file: str) -> None:
    for link in read_links(file):
        if link.startswith("https://"):
            continue
        target, _, anchor = link.partition("#")
        path = os.path.normpath(Path(file).parent / target) if target else file
        assert (ROOT / path).exists(), f"{file}: {link}"
        if anchor:
            assert anchor in read_anchors(path), f"{file}: {link}"


@pytest.mark.parametrize("file", FILES)
def test_every_path_that_a_document_names_exists(file: str) -> None:
    folders = (ROOT, ROOT / Path(file).parent, ROOT / "agentv_py")
    for path in re.findall(r"`([\w./]+/[\w.]+\.(?:py|yaml|json|md))`", read_prose(file)):
        assert any((folder / path).exists() for folder in folders), f"{file}: {path}"


@pytest.mark.parametrize("file", FILES)
def test_a_document_uses_plain_words(file: str) -> None:
    idioms = r"\b(stands?|whoever|whatever|is none|all the same|to whom|became of|nobody|seed \d+)\b"
    assert re.findall(idioms, read_prose(file)) == []


def test_the_workflow_runs_from_a_shell(tmp_path: Path) -> None:
    [workflow] = [block.text for block in read_blocks("README.md") if block.file == ".github/workflows/evals.yaml"]
    steps = {step["name"]: step for step in yaml.safe_load(workflow)["jobs"]["evals"]["steps"] if "name" in step}
    repository, summary = tmp_path / "repository", tmp_path / "summary.md"
    shutil.copytree(ROOT / "evals", repository / "evals")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "GITHUB_BASE_REF": "main", "GITHUB_STEP_SUMMARY": str(summary)}
    identity = "-c user.name=a -c user.email=a@b.c"

    def shell(script: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-ec", script], cwd=repository, env=environment, capture_output=True, text=True, check=False
        )

    shell(
        f"git init -qb main . && git add . && git {identity} commit -qm base && git remote add origin . && git fetch -q"
    )
    ran = shell(steps["run"]["run"])
    assert (ran.returncode, ran.stdout.count("::warning file=evals/invoices.jsonl,line=")) == (0, 2), ran
    compared = shell(steps["diff"]["run"])
    assert (compared.returncode, "tied: no score changed in 12 cases" in compared.stdout) == (0, True), compared
    assert summary.read_text(encoding="utf-8").count("### invoices: ") == 2
    assert all((repository / file).is_file() for file in steps["upload"]["with"]["path"].split())
