"""Asks the command server for runs. `python command_client.py ADDRESS ARGUMENT...` is to a shell what `evalctl` is.

There the run has the streams, the folder and the environment of the client, which ends as the run ends.
"""

import json
import os
import socket
import sys
from collections.abc import Mapping, Sequence


def start_run(
    address: str, arguments: Sequence[str], folder: str, environment: Mapping[str, str], streams: Sequence[int]
) -> socket.socket:
    """Starts a run with these streams: stdin, stdout and stderr."""
    request = {"arguments": arguments, "folder": folder, "environment": dict(environment)}
    server = socket.socket(socket.AF_UNIX)
    server.connect(address)
    socket.send_fds(server, [b"."], streams)
    server.sendall(json.dumps(request).encode())
    server.shutdown(socket.SHUT_WR)
    return server


def wait_for_end(run: socket.socket) -> int:
    """Returns the exit code; it is negative if a signal ended the run."""
    with run, run.makefile() as reply:
        return int(reply.readline())


if __name__ == "__main__":
    folder = os.getcwd()  # noqa: PTH109  pathlib takes longer to load than all the rest
    code = wait_for_end(start_run(sys.argv[1], sys.argv[2:], folder, os.environ, [0, 1, 2]))
    if code < 0:
        os.kill(os.getpid(), -code)
    sys.exit(code)
