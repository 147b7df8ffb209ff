"""The end of this process, also by SIGKILL → the end of the process groups that it started."""

import os
import subprocess
from contextlib import suppress

# A parent-death signal must be requested between fork and exec, which makes every start slower, and it would
# reach the leader of the group alone. A shell that reads a pipe sees its end when this process dies, however it dies.
_SCRIPT = """
groups=" "
while read -r sign group; do
  case $sign in
    +) groups="$groups$group " ;;
    -) groups="${groups%% $group *} ${groups#* $group }" ;;
    .) break ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group"; done
"""

_shells: dict[int, "subprocess.Popen[bytes]"] = {}
"""The shell of each process, by pid: a fork inherits its parent's entry and needs a shell of its own."""
_groups: set[tuple[int, int]] = set()
"""The groups that have not ended, each with the process that started it."""


def watch(group: int) -> None:
    """Kill the group when this process dies."""
    if os.getpid() not in _shells:
        with suppress(OSError):  # without a shell the groups are not watched; everything else works
            _shells[os.getpid()] = _start_shell()
    _groups.add((os.getpid(), group))
    _write(f"+ {group}\n")


def forget(group: int) -> None:
    """Stop watching a group that has ended."""
    _groups.discard((os.getpid(), group))
    _write(f"- {group}\n")


def get_sessions() -> set[int]:
    """Return the sessions that must not be cleared up: those of the groups, and the shell's."""
    shell = _shells.get(os.getpid())
    groups = {group for process, group in tuple(_groups) if process == os.getpid()}
    return groups if shell is None else {*groups, shell.pid}


def stop_when_idle() -> None:
    """End the shell if every group has ended; the next `watch` starts another shell."""
    if not any(process == os.getpid() for process, _ in tuple(_groups)):
        stop()


def stop() -> None:
    """End the shell, which kills the groups that it still watches."""
    shell = _shells.pop(os.getpid(), None)
    if shell is not None and shell.stdin is not None:
        with suppress(OSError):  # something else has ended the shell
            os.write(shell.stdin.fileno(), b".\n")  # a fork of this process may hold the pipe open
        shell.stdin.close()
        shell.wait()


def _start_shell() -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        ["/bin/sh", "-c", _SCRIPT],
        cwd="/",
        env={},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        bufsize=0,
        start_new_session=True,  # a signal to the group of this process must not reach it
    )


def _write(line: str) -> None:
    shell = _shells.get(os.getpid())
    if shell is not None and shell.stdin is not None:
        with suppress(OSError):  # something else has ended the shell
            os.write(shell.stdin.fileno(), line.encode())
