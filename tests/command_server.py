"""The command, loaded once: every run is a fork of this process, with streams, folder and environment of its own.

A fork is a whole process: its exit code, signals, collector and caches are its own, and nothing is left to restore.
What the interpreter itself reads when it starts needs a new interpreter (`_READ_AT_START` in conftest.py).
"""

import atexit
import gc
import json
import os
import selectors
import signal
import socket
import sys
import threading
from typing import Any, NoReturn

# What the command and its libraries load only when they need it.
_LOADED_WHEN_NEEDED = (
    "encodings.utf_8_sig", "httpx", "jinja2.sandbox", "lap", "numpy.random", "pydantic._internal._dataclasses",
    "rapidfuzz.process", "regex", "rich.console", "rich.table", "typer._adapters", "typer._click.decorators",
)  # fmt: skip


class Server:
    """Forks for every request, until stdin ends."""

    def __init__(self, address: str) -> None:
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(address)
        self._listener.listen()
        self._clients: dict[int, socket.socket] = {}
        ended, self._told = socket.socketpair()
        self._told.setblocking(False)
        self._ended = ended
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._told.fileno())

    def serve(self) -> dict[str, Any]:
        """Returns in a fork alone, where the request is what is left to do."""
        with selectors.DefaultSelector() as waiting:
            for file in (0, self._listener, self._ended):
                waiting.register(file, selectors.EVENT_READ)
            while True:
                ready = {key.fileobj for key, _ in waiting.select()}
                if self._ended in ready:
                    self._ended.recv(4096)
                    self._report_ends()
                if self._listener in ready and (request := self._accept()):
                    return request
                if 0 in ready:
                    sys.exit(0)

    def _accept(self) -> dict[str, Any] | None:
        client, _ = self._listener.accept()
        _, streams, _, _ = socket.recv_fds(client, 1, 3)
        with client.makefile("rb") as file:
            request: dict[str, Any] = json.load(file)
        child = os.fork()
        if child == 0:
            self._leave(client)
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
        else:
            self._clients[child] = client
        for stream in streams:
            os.close(stream)
        return request if child == 0 else None

    def _leave(self, client: socket.socket) -> None:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for file in (self._listener, self._ended, self._told, client, *self._clients.values()):
            file.close()

    def _report_ends(self) -> None:
        while self._clients:
            child, status = os.waitpid(-1, os.WNOHANG)
            if child == 0:
                return
            with self._clients.pop(child) as client:
                client.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())


def _load_everything() -> None:
    import importlib
    import pkgutil

    import agentv_py

    for module in pkgutil.walk_packages(agentv_py.__path__, "agentv_py."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for name in _LOADED_WHEN_NEEDED:
        importlib.import_module(name)
    _build_models()


def _build_models() -> None:
    """Build the validators of all models, which a plain run builds when it needs them."""
    from pydantic import BaseModel

    todo: list[type[BaseModel]] = [BaseModel]
    while todo:
        model = todo.pop()
        todo += model.__subclasses__()
        if model.__module__.startswith("agentv_py."):
            model.model_rebuild()


def _save_coverage() -> None:
    """Write the lines that were reached so far, so that no fork writes them again."""
    if "coverage" in sys.modules and (measurement := sys.modules["coverage"].Coverage.current()):
        measurement.save()


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
    _save_coverage()
    gc.freeze()  # a collector that looks at the objects of the server copies their pages
    server = Server(sys.argv[1])
    os.write(1, b"ready\n")
    asked = server.serve()
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    sys.argv = ["evalctl", *asked["arguments"]]
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  as an interpreter opens them
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115  as above
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False, buffering=1)  # noqa: SIM115  as above

    from agentv_py.cli import program

    try:
        program()
    except SystemExit as ending:
        if isinstance(ending.code, int):
            _end(ending.code)
        raise
