"""A Python function → the answer to each case."""

import asyncio
import inspect
import sys
import time
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, Field, PrivateAttr

from agentv_py.models.exchange import RequestError
from agentv_py.models.redaction import redact_keys
from agentv_py.targets.answer import Answer, InvalidAnswer, complete, read_answer
from agentv_py.targets.calls import Function, call_function
from agentv_py.targets.live import LocalTarget, Place, TargetCase, hash_file
from agentv_py.targets.module_source import explain_missing_function
from agentv_py.targets.printing import print_to_stderr
from agentv_py.targets.python_value import to_json

if TYPE_CHECKING:
    from agentv_py.models.sender import Sender


def _check_name(name: str) -> str:
    module, _, function = name.partition(":")
    if not (function.isidentifier() and all(part.isidentifier() for part in module.split("."))):
        raise ValueError(f"must be a module and a function such as 'app.extract:run', not {name!r}")
    return name


class Python(LocalTarget):
    type: Literal["python"]
    function: Annotated[str, AfterValidator(_check_name)] = Field(
        description="module:function; it gets the input and returns the answer."
    )

    _overdue: int = PrivateAttr(0)
    """Calls of a sync function that were not over at their timeout."""

    def problems(self) -> Iterator[tuple[str | Place, str]]:
        """Look at the files of the module. It is not imported, because that runs the user's code."""
        self._add_folders()
        module, _, name = self.function.partition(":")
        if reason := explain_missing_function(module, name):
            yield "function", f"{self.function!r} cannot be imported: {reason}"

    def problems_of_code(self) -> Iterator[tuple[str, str]]:
        try:
            _ = self._function
        except Exception as error:  # noqa: BLE001  a module may raise anything while it is imported
            reason = redact_keys(f"{type(error).__name__}: {error}", self.secrets())
            yield "function", f"{self.function!r} cannot be imported: {reason}"

    def build_request(self, question: TargetCase) -> Any:
        return question.case.input

    def describe_request(self, request: Any) -> Any:
        return [self.function, self._code, request]

    async def ask(self, request: Any, sender: "Sender") -> Answer:
        return await sender.retry(self, lambda: self._try(request, sender))

    async def _try(self, request: Any, sender: "Sender") -> Answer:
        await sender.admit(self)
        started = time.perf_counter()
        try:
            async with asyncio.timeout(self.timeout):
                value = await call_function(_send_prints_to_stderr(self._function), request)
        except TimeoutError as error:
            if isinstance(error.__cause__, asyncio.CancelledError):
                self._overdue += not inspect.iscoroutinefunction(self._function)
                raise RequestError("timeout", f"{self.host}: no answer within {self.timeout:g} seconds") from None
            raise self._build_error(error) from None
        except Exception as error:  # noqa: BLE001  a function may raise anything; its case is errored
            raise self._build_error(error) from None
        seconds = time.perf_counter() - started
        try:
            return complete(read_answer(to_json(value)), seconds, self.prices)
        except TypeError as error:
            raise InvalidAnswer(str(error)) from None

    def describe_leftovers(self) -> Iterator[str]:
        if self._overdue:
            calls = f"{self._overdue:,} call{' was' if self._overdue == 1 else 's were'}"
            yield f"{calls} not over at the timeout and may still run; a thread cannot be stopped, a type: command can"

    def _build_error(self, error: Exception) -> RequestError:
        return RequestError(type(error).__name__, redact_keys(str(error), self.secrets()))

    def _add_folders(self) -> None:
        """Let modules beside the suite and in the working folder be found."""
        for folder in (str(self._folder.absolute()), str(Path.cwd())):
            if folder not in sys.path:
                sys.path.insert(0, folder)

    @cached_property
    def _function(self) -> Function:
        module, _, name = self.function.partition(":")
        self._add_folders()
        with print_to_stderr():
            function: Function = getattr(import_module(module), name)
        if not callable(function):
            raise TypeError(f"{name} is not a function")
        return function

    @cached_property
    def _code(self) -> list[tuple[str, str]]:
        """The content of the user's own modules: a change of any of them asks again."""
        roots = {self._folder.absolute(), Path.cwd()}
        own = {
            Path(file)
            for module in list(sys.modules.values())
            if (file := getattr(module, "__file__", None)) and "site-packages" not in file
        }
        inside = sorted(path for path in own if any(path.is_relative_to(root) for root in roots) and path.is_file())
        source = inspect.getsourcefile(inspect.unwrap(self._function))
        return [(path.name, hash_file(path)) for path in (*inside, *([Path(source)] if source else []))]


def _send_prints_to_stderr(function: Function) -> Function:
    """Return the same function, whose prints go to stderr until it returns, however late that is."""
    if inspect.iscoroutinefunction(function):

        async def await_it(value: Any) -> Any:
            with print_to_stderr():
                return await function(value)

        return await_it

    def call(value: Any) -> Any:
        with print_to_stderr():
            return function(value)

    return call
