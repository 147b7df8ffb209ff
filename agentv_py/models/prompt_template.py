"""A Jinja template of a prompt, and values → the text of the prompt."""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache, wraps
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

from agentv_py import jsontext
from agentv_py.errors import EvaluationError, did_you_mean

if TYPE_CHECKING:
    from jinja2 import Environment

_MOST_STEPS = 1_000_000  # half a second or so
_LARGEST = 2**24
"""The largest size of a product or power, in characters, items or bits."""


_WHOLE = re.compile(r"\s*\{\{((?:(?!\}\}|\{\{).)*)\}\}\s*", re.DOTALL)
_MARKS = ("{{", "{%", "{#")
_WIDTH = re.compile(r"%[^%a-zA-Z]{0,9}(?:[0-9]{6}|\*)|:[^{}]{0,9}[0-9]{6}[^{}]*\}|:[^{}]*\{")


class TooMuch(Exception):  # noqa: N818  a finding about a template
    """Filling in the template would take too long."""


def find_names(template: str, known: Sequence[str]) -> set[str]:
    """Return the names that a template reads. Raises ValueError for an invalid template or an unknown name."""
    names = list_names(template)
    for name in sorted(names - set(known)):
        raise ValueError(f"unknown name {name!r}{did_you_mean(name, known) or ';'} known: {', '.join(known)}")
    return names


def list_names(template: str) -> set[str]:
    """Return the names that a template reads, whatever they are. Raises ValueError for an invalid template."""
    from jinja2 import TemplateSyntaxError
    from jinja2.meta import TrackingCodeGenerator

    generator = TrackingCodeGenerator(_environment())
    generator.optimizer = None  # it would compute constants without the bounds of a template
    try:
        generator.visit(_environment().parse(template))
        _compile(template)
    except TemplateSyntaxError as error:
        raise ValueError(f"line {error.lineno} of the template: {error.message}") from None
    except (RecursionError, MemoryError, SyntaxError):
        raise ValueError("the template is nested too deeply") from None
    return generator.undeclared_identifiers


def fill_template(template: str, values: Mapping[str, Any]) -> str:
    """Return the text of the prompt; a value that is not text is written as JSON. Raises EvaluationError."""
    if not any(mark in template for mark in _MARKS):
        return template
    try:
        compiled = _compile(template)
        with _count_steps(compiled.root_render_func.__code__):
            return compiled.render(values)  # type: ignore[no-any-return]
    except Exception as error:  # noqa: BLE001  a template may call whatever the values can do
        what = str(error) or type(error).__name__
        raise EvaluationError("prompt", f"the template cannot be filled in: {what}") from None


def fill_values(template: Any, values: Mapping[str, Any]) -> Any:
    """Fill in every text of a JSON value; a text that is one `{{ expression }}` becomes the value of the expression.

    Raises EvaluationError.
    """
    if isinstance(template, str):
        whole = _WHOLE.fullmatch(template)
        return evaluate(whole[1], values) if whole else fill_template(template, values)
    if isinstance(template, dict):
        return {key: fill_values(item, values) for key, item in template.items()}
    return [fill_values(item, values) for item in template] if isinstance(template, list) else template


def evaluate(expression: str, values: Mapping[str, Any]) -> Any:
    """Return the value of an expression. Raises EvaluationError."""
    try:
        compiled = _compile_expression(expression)
        with _count_steps(compiled._template.root_render_func.__code__):  # noqa: SLF001  jinja has no other way
            value = compiled(**values)
        return jsontext.loads(jsontext.dumps(value))  # an undefined value, or one that is not JSON, is refused here
    except Exception as error:  # noqa: BLE001  as above
        raise EvaluationError("template", f"{expression.strip()!r} cannot be filled in: {error}") from None


def check_expression(expression: str) -> None:
    """Raises ValueError if the expression is invalid."""
    from jinja2 import TemplateSyntaxError

    try:
        _compile_expression(expression)
    except (TemplateSyntaxError, RecursionError, SyntaxError) as error:
        raise ValueError(f"is not an expression: {error}") from None


@contextmanager
def _count_steps(template: CodeType) -> Iterator[None]:
    """Bound the steps rather than the seconds, so that the same template and values always end the same way."""
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
def _compile(template: str) -> Any:
    return _environment().from_string(template)


@lru_cache(maxsize=64)
def _compile_expression(expression: str) -> Any:
    return _environment().compile_expression(expression, undefined_to_none=False)


@lru_cache(maxsize=1)
def _environment() -> "Environment":
    from jinja2 import StrictUndefined, Undefined, pass_context
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Sandbox(ImmutableSandboxedEnvironment):
        intercepted_binops = frozenset({"*", "**", "%"})

        def getattr(self, obj: Any, attribute: str) -> Any:
            # A key of the data comes before a method of Python's dict.
            return obj[attribute] if isinstance(obj, dict) and attribute in obj else super().getattr(obj, attribute)

        def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
            if operator == "%" and isinstance(left, str):
                _check_width(left)
            elif _measure_product(operator, left, right) > _LARGEST:
                raise TooMuch(f"the result of {operator} is too large")
            return super().call_binop(context, operator, left, right)

        def call(self, context: Any, function: Any, *arguments: Any, **options: Any) -> Any:
            text = getattr(getattr(function, "__wrapped__", function), "__self__", None)
            if isinstance(text, str) and function.__name__.startswith("format"):
                _check_width(text)
            elif isinstance(text, str):  # another method of a text
                _check_counts((*arguments, *options.values()))
            return super().call(context, function, *arguments, **options)

    @pass_context  # without it jinja computes constants of the output when it compiles a template
    def to_text(_context: Any, value: Any) -> Any:
        return value if isinstance(value, str | Undefined) else jsontext.dumps(value).decode()

    environment = Sandbox(undefined=StrictUndefined, finalize=to_text, autoescape=False, keep_trailing_newline=True)
    environment.optimized = False  # jinja would compute constants without these bounds
    del environment.globals["lipsum"]  # it makes random text of any length
    environment.filters |= {name: _bound_filter(name, function) for name, function in environment.filters.items()}
    return environment


def _bound_filter(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    first = 2 if hasattr(function, "jinja_pass_arg") else 1  # behind the value, and perhaps the context

    @wraps(function)
    def filter_value(*arguments: Any, **options: Any) -> Any:
        _check_counts((*arguments[first:], *options.values()))
        if name == "format":
            _check_width(str(arguments[0]))
        result = function(*arguments, **options)
        if isinstance(result, str) and len(result) > _LARGEST:
            raise TooMuch(f"the text of {name} is too large")
        return result

    return filter_value


def _check_counts(values: Iterable[Any]) -> None:
    """Raise TooMuch for a number that can make a text or a list too large, such as a width."""
    for value in values:
        if isinstance(value, int) and abs(value) > _LARGEST:
            raise TooMuch(f"{value:,} is too large for an argument")


def _check_width(text: str) -> None:
    """Raise TooMuch if a text is a format that makes a text too large, such as `%999999999d`."""
    if ("%" in text or "{" in text) and _WIDTH.search(text):
        raise TooMuch("the width in a format is too large")


def _measure_product(operator: str, left: Any, right: Any) -> int:
    """Return the size that a product or power would have; 0 for values without a size."""
    if isinstance(left, int) and isinstance(right, int):
        bits = left.bit_length()
        return bits * max(right, 0) if operator == "**" else bits + right.bit_length()
    sequence, times = (right, left) if isinstance(left, int) else (left, right)
    return len(sequence) * max(times, 0) if isinstance(times, int) and isinstance(sequence, str | list | tuple) else 0
