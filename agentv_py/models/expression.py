"""An expression of a user, and values → its value: no loops, no methods, no large numbers, so that it always ends soon.

The language is that of Jinja's expressions without filters. Only the functions that the caller gives can be called.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from inspect import signature
from typing import TYPE_CHECKING, Any

from agentv_py.errors import did_you_mean

if TYPE_CHECKING:
    from jinja2 import Environment

Functions = Mapping[str, Callable[..., Any]]

_LONGEST = 2000
_LONGEST_NAME = 60
_MOST_BITS = 4096
_MOST_ITEMS = 1_000_000
_ARITHMETIC = frozenset({"+", "-", "*", "/", "//", "%", "**"})
_TESTS = ("defined", "undefined", "none", "string", "number", "boolean", "mapping", "list", "true", "false")


class MissingOperand(Exception):  # noqa: N818  a finding about a case
    """The expression needs a value that is absent or null; the message is its name."""


class TooLarge(Exception):  # noqa: N818  a finding about an expression
    """The expression would compute a number or a text that is too large."""


class Expression:
    """An expression that is compiled once."""

    def __init__(self, text: str, names: Sequence[str], functions: Functions) -> None:
        """Compile the expression over these names. Raises ValueError if it is invalid."""
        _check_syntax(text, names, functions)
        self._template = _build_environment().compile_expression(text, undefined_to_none=False)._template  # noqa: SLF001  jinja has no other way to call it without rewriting tracebacks
        self._functions = functions

    def evaluate(self, values: Mapping[str, Any]) -> Any:
        """Return the value. Raises MissingOperand, TooLarge, and what the functions and operators of Python raise."""
        present = {name: value for name, value in values.items() if value is not None}
        context = self._template.new_context({**self._functions, **present})
        for _ in self._template.root_render_func(context):
            pass
        value = context.vars["result"]
        if is_missing(value):
            raise MissingOperand(get_missing_name(value))
        return value


def is_missing(value: Any) -> bool:
    """Whether a value that a function of an expression gets is absent or null."""
    return not isinstance(value, dict | list | str | int | float) and hasattr(type(value), "_undefined_name")


def get_missing_name(value: Any) -> str:
    """Return the name of a value that is missing."""
    name = value._undefined_name  # noqa: SLF001  jinja has no other way to read it
    return name[:_LONGEST_NAME] if isinstance(name, str) else str(name) if isinstance(name, int) else "a key"


def _check_syntax(text: str, names: Sequence[str], functions: Functions) -> None:
    """Raise ValueError unless the expression is made of the known parts only."""
    from jinja2 import TemplateSyntaxError

    if len(text) > _LONGEST:
        raise ValueError(f"is longer than {_LONGEST:,} characters")
    try:
        tree = _build_environment().parse(f"{{{{ {text} }}}}")
        problem = next(_find_problems(tree, names, functions), None)
        _build_environment().compile_expression(text)
    except TemplateSyntaxError as error:
        raise ValueError(f"is not an expression: {error.message}") from None
    except (RecursionError, MemoryError, SyntaxError):
        raise ValueError("is nested too deeply") from None
    if problem is not None:
        raise ValueError(problem)


def _find_problems(tree: Any, names: Sequence[str], functions: Functions) -> Iterator[str]:
    from jinja2 import nodes

    allowed = (nodes.Output, nodes.Name, nodes.Const, nodes.List, nodes.Tuple, nodes.Dict, nodes.Pair, nodes.Getattr,
               nodes.Getitem, nodes.Slice, nodes.Keyword, nodes.Compare, nodes.Operand, nodes.And, nodes.Or, nodes.Not,
               nodes.Test, nodes.CondExpr, nodes.Call, nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv,
               nodes.Mod, nodes.Pow, nodes.Neg, nodes.Pos)  # fmt: skip
    known = [*names, *functions]
    for node in tree.find_all(nodes.Node):
        if isinstance(node, nodes.Filter):
            yield f"filters such as {node.name!r} are not known here; functions: {', '.join(functions)}"
        elif isinstance(node, nodes.Concat):
            yield "texts are joined with + here"
        elif not isinstance(node, allowed):
            yield f"{type(node).__name__} is not known here"
        elif isinstance(node, nodes.Call):
            yield from _find_problems_of_call(node, functions)
        elif isinstance(node, nodes.Test) and node.name not in _TESTS:
            yield f"unknown test {node.name!r}{did_you_mean(node.name, _TESTS) or ';'} known: {', '.join(_TESTS)}"
        elif isinstance(node, nodes.Name) and node.name not in known:
            yield f"unknown name {node.name!r}{did_you_mean(node.name, known) or ';'} known: {', '.join(known)}"


def _find_problems_of_call(call: Any, functions: Functions) -> Iterator[str]:
    function = functions.get(getattr(call.node, "name", ""))
    if function is None or call.dyn_args is not None or call.dyn_kwargs is not None:
        yield f"only these functions can be called: {', '.join(functions)}"
        return
    try:
        signature(function).bind(*call.args, **{option.key: option.value for option in call.kwargs})
    except TypeError as error:
        yield f"{call.node.name}: {error}"


@lru_cache(maxsize=1)
def _build_environment() -> "Environment":
    from jinja2 import StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    class Missing(StrictUndefined):
        """Raises MissingOperand with its name, wherever it is used."""

        def __init__(self, hint: str | None = None, obj: Any = None, name: Any = None, **_options: Any) -> None:
            super().__init__(hint, obj, name, MissingOperand)  # type: ignore[arg-type]  # jinja raises any exception

        @property
        def _undefined_message(self) -> str:
            return get_missing_name(self)

    class Sandbox(SandboxedEnvironment):
        intercepted_binops = _ARITHMETIC

        def getattr(self, obj: Any, attribute: str) -> Any:
            return self.getitem(obj, attribute)

        def getitem(self, obj: Any, argument: Any) -> Any:
            """Return the value of a key or an index: values have no attributes of Python here, and null is missing."""
            if is_missing(obj):
                raise MissingOperand(get_missing_name(obj))
            try:
                value = obj[argument] if isinstance(obj, dict | list | str) else None
            except (KeyError, IndexError, TypeError):
                value = None
            return self.undefined(name=argument) if value is None else value

        def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
            _check_size(operator, left, right)
            return super().call_binop(context, operator, left, right)

    environment = Sandbox(undefined=Missing, autoescape=False)
    environment.optimized = False  # jinja would compute constants without these bounds
    environment.tests |= {
        "none": lambda value: value is None or is_missing(value),
        "list": lambda value: isinstance(value, list),
    }
    return environment


def _check_size(operator: str, left: Any, right: Any) -> None:
    """Raise TooLarge if the result of an operator, or the work for it, would be too large."""
    if operator == "%" and isinstance(left, str):
        raise TypeError("texts have no operator %")
    if isinstance(left, int) and isinstance(right, int):
        bits = left.bit_length()
        size = bits * abs(right) if operator == "**" else bits + right.bit_length()
        if size > _MOST_BITS:
            raise TooLarge(f"the result of {operator} is too large")
    elif _measure_items(operator, left, right) > _MOST_ITEMS:
        raise TooLarge(f"the result of {operator} is too large")


def _measure_items(operator: str, left: Any, right: Any) -> int:
    sequences = [value for value in (left, right) if isinstance(value, str | list | tuple)]
    if operator == "+":
        return sum(map(len, sequences))
    times = [value for value in (left, right) if isinstance(value, int)]
    return len(sequences[0]) * times[0] if operator == "*" and sequences and times else 0
