"""Help that helps: examples, exit codes and whole sentences, in 80 columns; and completion for shells."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agentv_py.cli import build_app, build_overview, main
from agentv_py.cli.pydantic_plugins import VARIABLE

Help = Callable[..., str]

_COMMANDS = (
    (), ("run",), ("validate",), ("report",), ("diff",), ("trend",), ("score",), ("explain",), ("schema",), ("init",), ("strategies",),
    ("strategies", "infer"),
)  # fmt: skip


@pytest.fixture
def help_of(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Help:
    """What `--help` shows in a terminal of 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv(VARIABLE, "__all__")

    def show(*arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", ["evalctl", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
        shown = capsys.readouterr()
        assert (end.value.code, shown.err) == (0, "")
        return shown.out

    return show


@pytest.mark.parametrize("command", _COMMANDS, ids=" ".join)
def test_every_command_shows_examples_and_exit_codes_in_80_columns(help_of: Help, command: tuple[str, ...]) -> None:
    shown = help_of(*command, "--help")
    assert help_of(*command, "-h") == shown
    assert max(map(len, shown.splitlines())) <= 80
    codes = re.findall(r"^    (\d+) +\S", shown.partition("  Exit codes:\n")[2], re.MULTILINE)
    assert codes[0] == "0"
    assert "2" in codes
    assert codes[-2:] == ["130", "141"]


def test_the_overview_says_of_each_command_what_its_own_help_says() -> None:
    overview, whole = (CliRunner().invoke(app, ["--help"]).output for app in (build_overview(), build_app()))
    assert overview == whole


@pytest.mark.parametrize("command", _COMMANDS, ids=" ".join)
def test_every_text_is_a_whole_sentence(help_of: Help, command: tuple[str, ...]) -> None:
    shown = help_of(*command, "--help")
    listed = re.split(r"\n  (?=\S)", shown.partition("Options:\n")[2].partition("  Examples:")[0])
    texts = [" ".join(re.split(r"  +|\n", one.strip())[1:]) for one in listed]
    texts = [re.sub(r"\[(default|required|x>|0<)[^]]*\]|Commands:", "", text).strip() for text in texts]
    assert [text for text in texts if not re.fullmatch(r"[A-Z].*\.", text, re.DOTALL)] == []
    examples = re.findall(r"^    # (.*)$", shown, re.MULTILINE)
    meanings = re.findall(r"^    \d+ +(.*(?:\n {9}.*)*)$", shown, re.MULTILINE)
    assert [text for text in (*examples, *meanings) if not re.fullmatch(r"[A-Z].*\.", text, re.DOTALL)] == []


@pytest.mark.parametrize("command", _COMMANDS, ids=" ".join)
def test_every_example_uses_options_that_there_are(help_of: Help, command: tuple[str, ...]) -> None:
    shown = help_of(*command, "--help")
    examples = re.findall(r"^    evalctl (.*)$", shown.partition("Exit codes:")[0], re.MULTILINE)
    assert examples
    for example in examples:
        words = shlex.split(example)
        name = words[:2] if words[0] == "strategies" else words[:1]
        there = help_of(*name, "--help")
        assert [word for word in words if word.startswith("-") and f"{word} " not in there.replace(",", " ")] == []


def test_options_that_may_be_repeated_say_so_and_how_they_combine(help_of: Help) -> None:
    run, diff = (" ".join(help_of(command, "--help").split()) for command in ("run", "diff"))
    assert "You may repeat it: a case that fits any GLOB is taken." in run
    assert "You may repeat it: a case that has any TAG is taken. With --case, both must hold." in run
    assert "You may repeat it: every FILE is written." in run
    assert "You may repeat it: one violated GATE is enough." in diff


def _complete(folder: Path, words: str) -> list[str]:
    """What bash is offered for the last of these words."""
    environment = {"_EVALCTL_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    command = [sys.executable, "-m", "agentv_py"]
    done = subprocess.run(
        command, cwd=folder, env=os.environ | environment, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stderr == ""
    return done.stdout.split()


def test_a_shell_completes_commands_options_and_choices(tmp_path: Path) -> None:
    assert _complete(tmp_path, "evalctl re") == ["report"]
    assert _complete(tmp_path, "evalctl run --fo") == ["--format", "--force"]
    assert _complete(tmp_path, "evalctl diff --format j") == ["json", "junit"]


def test_completion_is_installed_where_bash_finds_it(tmp_path: Path) -> None:
    script = f"{shlex.quote(sys.executable)} -m agentv_py --install-completion; exit $?"
    environment = os.environ | {"HOME": str(tmp_path)}
    subprocess.run(["bash", "-c", script], env=environment, cwd=tmp_path, capture_output=True, check=True, timeout=60)
    file = tmp_path / ".bash_completions/evalctl.sh"
    assert "complete -o default -F _evalctl_completion evalctl" in file.read_text(encoding="utf-8")
    assert str(file) in (tmp_path / ".bashrc").read_text(encoding="utf-8")
