"""The command server of a test session: runs of the command, and the command for shells."""

import os
import selectors
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import command_client
from command_client import start_run, wait_for_end

_SERVER = Path(__file__).parent / "command_server.py"


@dataclass(frozen=True)
class Commands:
    address: str
    program: Path
    """An executable called `evalctl` for shells and for several runs at once. Signals reach it, and not the run."""

    def run(self, arguments: Sequence[str], folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
        """Runs the command, without colours and 80 columns wide unless the environment says otherwise."""
        readers, writers = zip(os.pipe(), os.pipe(), strict=True)
        stdin = os.open(os.devnull, os.O_RDONLY)
        run = start_run(self.address, arguments, str(folder), build_environment(environment), [stdin, *writers])
        for stream in (stdin, *writers):
            os.close(stream)
        stdout, stderr = _read_all([os.fdopen(reader, "rb") for reader in readers])
        return subprocess.CompletedProcess(["evalctl", *arguments], wait_for_end(run), stdout, stderr)


def build_environment(changes: Mapping[str, str]) -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"COLUMNS": "80"} | dict(changes)


def _read_all(files: list[IO[bytes]]) -> list[str]:
    """Reads several pipes at once, as none may fill up while another is read."""
    texts = dict.fromkeys(files, b"")
    with selectors.DefaultSelector() as waiting:
        for file in files:
            waiting.register(file, selectors.EVENT_READ)
        while waiting.get_map():
            for key, _ in waiting.select():
                if piece := os.read(key.fd, 1 << 16):
                    texts[key.fileobj] += piece  # type: ignore[index]  # the files registered above
                else:
                    waiting.unregister(key.fileobj)
    for file in files:
        file.close()
    return [text.decode().replace("\r\n", "\n") for text in texts.values()]


@contextmanager
def command_server() -> Iterator[Commands]:
    """The server lives as long as its stdin is open."""
    with tempfile.TemporaryDirectory(prefix="evalctl-") as folder:
        address = f"{folder}/socket"  # the address of a socket is short, and the folders of tests may be long
        program = _write_program(Path(folder) / "evalctl", address)
        command = [sys.executable, "-P", str(_SERVER), address]  # -P: the tests' own modules are not the command's
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdout
            process.stdout.readline()  # it listens
            yield Commands(address, program)
            process.communicate()


def _write_program(file: Path, address: str) -> Path:
    argv = [sys.executable, "-I", "-S", command_client.__file__, address]
    file.write_text(f'#!/bin/sh\nexec {shlex.join(argv)} "$@"\n', encoding="utf-8")
    file.chmod(0o755)
    return file
