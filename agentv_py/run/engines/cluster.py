"""The address of a Ray cluster, or none → this process, connected to that cluster or to one on this machine."""

import logging
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from agentv_py.errors import UserError
from agentv_py.process import orphans

# Seconds within which the address of a cluster must accept a connection.
_KNOCK = 5.0


def connect(address: str | None) -> None:
    """Connect this process to the cluster, unless it is connected. Ray disconnects when the process ends."""
    if find_spec("ray") is None:
        raise UserError("--engine ray needs Ray: pip install 'agentv-py[ray]'")
    if address is None:
        _protect_cluster()
    else:
        _check_address(address)
    import ray

    if ray.is_initialized():
        return
    logging.getLogger("ray").setLevel(logging.CRITICAL)
    quiet: dict[str, Any] = {"log_to_driver": False, "configure_logging": False, "logging_level": logging.CRITICAL}
    with _keep_signal_handlers():
        try:
            if address is None:
                ray.init(address="local", include_dashboard=False, **quiet)
            else:
                ray.init(address=address, **quiet)
        except Exception as error:  # noqa: BLE001  Ray raises errors of many libraries here
            where = (
                "Ray cannot be started on this machine" if address is None else f"--address {address}: no Ray cluster"
            )
            raise UserError(f"{where}: {_read_first_line(error)}") from None
    orphans.claim_children()  # the processes of Ray are no orphans of a judge


def _check_address(address: str) -> None:
    """Raise a UserError if nobody listens there. Ray itself tries for more than a minute, deaf to signals."""
    parts = urlsplit(address if "://" in address else f"//{address}")
    try:
        if parts.hostname is None or parts.port is None:
            raise UserError(f"--address {address!r}: write HOST:PORT, as `ray start` prints it")
        socket.create_connection((parts.hostname, parts.port), timeout=_KNOCK).close()
    except (OSError, ValueError) as error:
        raise UserError(f"--address {address}: no Ray cluster: {error}") from None


def _protect_cluster() -> None:
    """Let a new cluster accept this run only, write no token into the user's home, and report nothing to its makers.

    Ray reads the environment when it is imported.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if "RAY_AUTH_MODE" not in os.environ:
        os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": os.urandom(32).hex()}


@contextmanager
def _keep_signal_handlers() -> Iterator[None]:
    """Ray replaces the handler of SIGTERM, and the exit code of the process with it."""
    numbers = (signal.SIGINT, signal.SIGTERM) if threading.current_thread() is threading.main_thread() else ()
    handlers = {number: signal.getsignal(number) for number in numbers}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _read_first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
