"""A prompt with places in it, and the values for them → text."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

from agentv_py import jsontext
from agentv_py.errors import did_you_mean
from agentv_py.models.backends.base import BackendFailed

if TYPE_CHECKING:
    from jinja2 import Environment

_MOST_STEPS = 1_000_000  # half a second or so
_LARGEST = 2**24
"""Characters, items or bits of what a product or power may be."""


class TooMuch(Exception):  # noqa: N818  a finding about a template
    """The template would not be filled in for a long time."""


def names_in(template: str, known: Sequence[str]) -> set[str]:
    """The names that a template reads. Raises ValueError for what is no template, or reads what is not there."""
    from jinja2 import TemplateSyntaxError, meta

    try:
        names = meta.find_undeclared_variables(_environment().parse(template))
        _compiled(template)
    except TemplateSyntaxError as error:
        raise ValueError(f"line {error.lineno} of the template: {error.message}") from None
    except (RecursionError, MemoryError, SyntaxError):
        raise ValueError("the template is nested too deeply") from None
    for name in sorted(names - set(known)):
        raise ValueError(f"unknown name {name!r}{did_you_mean(name, known) or ';'} known: {', '.join(known)}")
    return names


def filled(template: str, values: Mapping[str, Any]) -> str:
    """The text; whatever is not text stands in it as JSON. Raises BackendFailed."""
    try:
        compiled = _compiled(template)
        with _steps_counted(compiled.root_render_func.__code__):
            return compiled.render(values)  # type: ignore[no-any-return]
    except Exception as error:  # noqa: BLE001  a template may call whatever the values can do
        what = str(error) or type(error).__name__
        raise BackendFailed("prompt", f"the prompt cannot be filled in: {what}") from None


@contextmanager
def _steps_counted(template: CodeType) -> Iterator[None]:
    """Steps rather than seconds: the same template and values always come to the same end."""
    steps, before = 0, sys.gettrace()

    def count(frame: FrameType, _event: str, _argument: Any) -> Callable[..., Any] | None:
        nonlocal steps
        steps += 1
        if steps > _MOST_STEPS:
            raise TooMuch(f"it takes more than {_MOST_STEPS:,} steps")
        return count if frame.f_code.co_filename == template.co_filename else None

    sys.settrace(count)
    try:
        yield
    finally:
        sys.settrace(before)


@lru_cache(maxsize=64)
def _compiled(template: str) -> Any:
    return _environment().from_string(template)


@lru_cache(maxsize=1)
def _environment() -> "Environment":
    from jinja2 import StrictUndefined, Undefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Places(ImmutableSandboxedEnvironment):
        intercepted_binops = frozenset({"*", "**"})

        def getattr(self, obj: Any, attribute: str) -> Any:
            # A key of the data comes before a method of Python's dict.
            return obj[attribute] if isinstance(obj, dict) and attribute in obj else super().getattr(obj, attribute)

        def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
            if _size_of(operator, left, right) > _LARGEST:
                raise TooMuch(f"the result of {operator} is too large")
            return super().call_binop(context, operator, left, right)

    def shown(value: Any) -> Any:
        return value if isinstance(value, str | Undefined) else jsontext.dumps(value).decode()

    environment = Places(undefined=StrictUndefined, finalize=shown, autoescape=False, keep_trailing_newline=True)
    environment.optimized = False  # what is constant would be computed unguarded
    del environment.globals["lipsum"]  # text by chance, of any length
    return environment


def _size_of(operator: str, left: Any, right: Any) -> int:
    """How large a product or power would be; 0 for what has no size."""
    if isinstance(left, int) and isinstance(right, int):
        bits = left.bit_length()
        return bits * max(right, 0) if operator == "**" else bits + right.bit_length()
    sequence, times = (right, left) if isinstance(left, int) else (left, right)
    return len(sequence) * max(times, 0) if isinstance(times, int) and isinstance(sequence, str | list | tuple) else 0
