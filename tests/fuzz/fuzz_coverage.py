"""A call → whether it reached lines of the package that no call reached before."""

import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

Trace = Callable[[FrameType, str, Any], Any]


class Coverage:
    """Lines that were never reached, by code; code whose lines are all known is traced no more."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.reached = 0
        self._left: dict[CodeType, set[int]] = {}

    def trace(self, call: Callable[[], object]) -> None:
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            call()
        finally:
            sys.settrace(before)  # what measures the tests' own coverage goes on

    def _enter(self, frame: FrameType, _event: str, _argument: Any) -> Trace | None:
        code = frame.f_code
        left = self._left.get(code)
        if left is None:
            ours = code.co_filename.startswith(self.folder)
            left = self._left[code] = {line for *_, line in code.co_lines() if line} if ours else set()
        return self._follow if left else None

    def _follow(self, frame: FrameType, event: str, _argument: Any) -> Trace:
        left = self._left[frame.f_code]
        if event == "line" and frame.f_lineno in left:
            left.discard(frame.f_lineno)
            self.reached += 1
        return self._follow
