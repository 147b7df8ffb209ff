"""Devices, pipes and sizes that have no end: the command ends all the same."""

import io
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl
from rows import lines, row

from agentv_py.formats import console
from agentv_py.input_file import read_file_or_pipe, read_pieces
from agentv_py.report.summary import Summary

Write = Callable[[str, Any], Path]

_SUITE = (
    "evaluators: [{type: field_accuracy, fields: [{path: a}]}]\ncases: [{id: x, expected: {a: 1}, candidate: {a: 1}}]\n"
)
_DEVICE = "cannot be read: it is a device; name a file or a pipe"


@pytest.fixture
def pipe(tmp_path: Path) -> Callable[[str, bytes], None]:
    """Makes a pipe of a name and writes into it as soon as somebody reads."""

    def make(name: str, content: bytes) -> None:
        os.mkfifo(tmp_path / name)
        threading.Thread(target=(tmp_path / name).write_bytes, args=[content], daemon=True).start()

    return make


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null"])
def test_a_device_is_no_suite(evalctl: Evalctl, device: str) -> None:
    done = evalctl("validate", device)
    assert (done.returncode, done.stderr) == (2, f"error: {device}: {_DEVICE}\n")


def test_a_pipe_may_be_a_suite(evalctl: Evalctl, pipe: Callable[[str, bytes], None]) -> None:
    pipe("s.yaml", _SUITE.encode())
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "-q")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_pipe_is_read_up_to_a_bound(tmp_path: Path, pipe: Callable[[str, bytes], None]) -> None:
    pipe("short", b"x" * 1_000)
    assert read_file_or_pipe(tmp_path / "short", 1_000) == b"x" * 1_000
    with pytest.raises(OSError, match="it holds more than 1 MiB; name a file"):
        list(read_pieces(io.BytesIO(b"x" * (2**20 + 1)), 2**20))


@pytest.mark.parametrize("command", [["report"], ["diff", "r.jsonl"], ["trend"]])
def test_a_device_holds_no_results(evalctl: Evalctl, write: Write, command: list[str]) -> None:
    write("r.jsonl", lines(row("x", 1.0)))
    done = evalctl(*command, "/dev/zero")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"error: /dev/zero: {_DEVICE}\n")


def test_a_name_too_long_for_any_file_is_named(evalctl: Evalctl) -> None:
    done = evalctl("report", "r" * 300)
    assert (done.returncode, done.stderr) == (2, f"error: {'r' * 300}: cannot be read: File name too long\n")


def test_results_come_through_a_pipe(evalctl: Evalctl, pipe: Callable[[str, bytes], None]) -> None:
    pipe("r.jsonl", lines(row("x", 1.0)).encode())
    done = evalctl("report", "r.jsonl", "--format", "csv")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("evaluator", "place"),
    [
        ("{type: json_quality, strategies_file: f}", "2:43: evaluators[0].strategies_file"),
        ("{type: json_quality, safety: {blocklist_file: f}}", "2:51: evaluators[0].safety.blocklist_file"),
    ],
)
@pytest.mark.parametrize("kind", ["device", "pipe"])
def test_a_file_of_an_evaluator_is_a_regular_one(
    evalctl: Evalctl, write: Write, tmp_path: Path, evaluator: str, place: str, kind: str
) -> None:
    if kind == "device":
        (tmp_path / "f").symlink_to("/dev/zero")
    else:
        os.mkfifo(tmp_path / "f")
    write("s.yaml", f"evaluators:\n  - {evaluator}\ncases: [{{id: x, expected: {{}}, candidate: {{}}}}]\n")
    done = evalctl("validate", "s.yaml")
    assert (done.returncode, done.stderr) == (
        2,
        f"error: s.yaml:{place}: 'f' cannot be read: it is not a regular file\n",
    )


@pytest.mark.parametrize("name", ["f.yaml", "f.jsonl"])
def test_strategies_are_not_inferred_from_what_can_be_read_once_only(
    evalctl: Evalctl, tmp_path: Path, name: str
) -> None:
    os.mkfifo(tmp_path / name)
    done = evalctl("strategies", "infer", name)
    assert (done.returncode, done.stderr) == (2, f"error: {name}: is not a regular file\n")


@pytest.mark.parametrize("columns", ["1000000000", "9" * 5_000, "0", "1", "²", "-5", "x", ""])
def test_a_mad_size_of_the_terminal_is_ignored(monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    summary = Summary()
    summary.add(row("x", 0.0, misses=[]))
    monkeypatch.setenv("COLUMNS", "80")
    usual = list(console.render(summary))
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("LINES", columns)
    assert list(console.render(summary)) == usual
