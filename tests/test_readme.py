"""The front page shows what the program prints, and its workflow runs."""

import os
import re
import shlex
from pathlib import Path

import pytest
from conftest import Evalctl
from documents import FILES, ROOT, read, read_anchors, read_blocks, read_links, read_prose
from pictures import COMMAND, IMAGES, TERMINAL, read_text

from agentv_py.suite.draft import draft_suite

_MOST_LINES = 250
_MOST_BYTES = 125_000


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
    written = draft_suite(cases, [answers], str(tmp_path)).files["suite.yaml"]
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
