"""Commands → processes that all end together, also those that another thread is just starting."""

from agentv_py.process import child, orphans, watchdog
from agentv_py.process.child import Command
from agentv_py.process.pipes import Process


class Programs:
    """The processes that a target has started. After `end`, none of them runs, and none is started."""

    def __init__(self) -> None:
        self._running: set[Process] = set()
        self._has_ended = False

    def start(self, command: Command) -> Process:
        for process in tuple(self._running):
            if process.returncode is not None:
                self._running.discard(process)
        process = child.start_process(command)
        # Without a lock: either this thread sees that the end has come, or `end` sees the process.
        self._running.add(process)
        if self._has_ended:
            child.send_kill(process)
        return process

    def end(self) -> None:
        """Kill every process. The thread that waits for one sees its end, and closes its pipes."""
        self._has_ended = True
        for process in tuple(self._running):
            child.send_kill(process)


def stop_watching() -> None:
    """End the watchdog if nothing runs any more."""
    with orphans.STARTING:  # no thread is between the start of a process and its watch
        watchdog.stop_when_idle()
