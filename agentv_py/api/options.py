"""Options that a Python caller gives → a model that is known to be valid, or every problem at once."""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar

from pydantic import ValidationError

from agentv_py.errors import did_you_mean
from agentv_py.options import Options
from agentv_py.suite.locate import list_problems

_AnyOptions = TypeVar("_AnyOptions", bound=Options)
_Parameters = ParamSpec("_Parameters")
_Returned = TypeVar("_Returned")


def build(kind: type[_AnyOptions], options: dict[str, Any]) -> _AnyOptions:
    """Validate options. Raises ValueError with every problem, in the words of the messages about a suite file."""
    plain = {name: list(value) if isinstance(value, tuple) else value for name, value in options.items()}
    try:
        return kind.model_validate(plain)
    except ValidationError as error:
        raise ValueError("\n".join(map(str, list_problems(error, kind, plain, "", None)))) from None


def suggest_names(function: Callable[_Parameters, _Returned]) -> Callable[_Parameters, _Returned]:
    """Return the same function, whose error about a misspelt option names the option that is meant."""
    known = list(signature(function).parameters)

    @wraps(function)
    def call(*arguments: _Parameters.args, **options: _Parameters.kwargs) -> _Returned:
        for name in options:
            if name not in known:
                hint = did_you_mean(name, known) or f"; valid: {', '.join(known)}"
                raise TypeError(f"{function.__name__} has no option {name!r}{hint}")
        return function(*arguments, **options)

    return call
