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
  esac
done
for group in $groups; do kill -s KILL -- "-$group"; done
"""

_shells: dict[int, "subprocess.Popen[bytes]"] = {}
"""The shell of each process, by pid: a fork inherits its parent's entry and needs a shell of its own."""


def watch(group: int) -> None:
    """Kill the group when this process dies."""
    if os.getpid() not in _shells:
        with suppress(OSError):  # without a shell the groups are not watched; everything else works
            _shells[os.getpid()] = _start_shell()
    _write(f"+ {group}\n")


def forget(group: int) -> None:
    """Stop watching a group that has ended."""
    _write(f"- {group}\n")


def get_pids() -> set[int]:
    shell = _shells.get(os.getpid())
    return set() if shell is None else {shell.pid}


def stop() -> None:
    """End the shell, which kills the groups that it still watches; the next `watch` starts another shell."""
    shell = _shells.pop(os.getpid(), None)
    if shell is not None and shell.stdin is not None:
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
