"""The command, loaded once: every run is a fork of this process, with streams, folder and environment of its own.

A fork is a whole process: its exit code, signals, collector and caches are its own, and nothing is left to restore.
What the interpreter itself reads when it starts (see `READ_AT_START`) needs a new interpreter.
"""

import atexit
import gc
import json
import os
import re
import selectors
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NoReturn

READ_AT_START = re.compile("PYTHON.*|LC_.*|LANG|LANGUAGE|TZ|MALLOC_.*")
_READY = b"."


class CommandServer:
    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._replies = control.makefile("rb")

    def run(
        self, arguments: Sequence[str], folder: Path, environment: dict[str, str]
    ) -> subprocess.CompletedProcess[str]:
        request = {"arguments": arguments, "folder": str(folder), "environment": environment}
        readers, writers = zip(os.pipe(), os.pipe(), strict=True)
        socket.send_fds(self._control, [_READY], writers)
        for writer in writers:
            os.close(writer)
        self._control.sendall(json.dumps(request).encode() + b"\n")
        stdout, stderr = _read_all([os.fdopen(reader, "rb") for reader in readers])
        code = int(self._replies.readline())
        return subprocess.CompletedProcess(["evalctl", *arguments], code, stdout, stderr)


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
def command_server() -> Iterator[CommandServer]:
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-P", __file__, str(theirs.fileno())]  # -P: the tests' own modules are not the command's
    with subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL):
        theirs.close()
        try:
            yield CommandServer(ours)
        finally:
            ours.shutdown(socket.SHUT_RDWR)
            ours.close()


def _serve(control: socket.socket) -> dict[str, Any]:
    """Forks for every request. Returns in the fork alone, where the request is what is left to do."""
    requests = control.makefile("rb")
    while True:
        ready, streams, _, _ = socket.recv_fds(control, len(_READY), 2)
        if not ready:
            sys.exit(0)
        request: dict[str, Any] = json.loads(requests.readline())
        child = os.fork()
        if child == 0:
            os.dup2(streams[0], 1)
            os.dup2(streams[1], 2)
        for stream in streams:
            os.close(stream)
        if child == 0:
            requests.close()
            control.close()
            return request
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        control.sendall(f"{code}\n".encode())


def _load_everything() -> None:
    import importlib
    import pkgutil

    import agentv_py

    for module in pkgutil.walk_packages(agentv_py.__path__, "agentv_py."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for name in ("httpx", "jinja2.sandbox", "lap", "numpy", "rapidfuzz.process", "regex", "rich.console", "rich.table"):
        importlib.import_module(name)


def _end(code: int) -> NoReturn:
    """Do what the interpreter does at its end, but free no object: that would copy all pages shared with the server."""
    threading._shutdown()  # type: ignore[attr-defined]  # noqa: SLF001  multiprocessing ends its forks so, too
    atexit._run_exitfuncs()  # noqa: SLF001  as above
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # a process with threads had better not fork
    _load_everything()
    gc.freeze()  # a collector that looks at the objects of the server copies their pages
    asked = _serve(socket.socket(fileno=int(sys.argv[1])))
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    sys.argv = ["evalctl", *asked["arguments"]]
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115  as an interpreter opens them
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False, buffering=1)  # noqa: SIM115  as above

    from agentv_py.cli import program

    try:
        program()
    except SystemExit as ending:
        if isinstance(ending.code, int):
            _end(ending.code)
        raise
