"""A prompt with places in it, and the values for them → text."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from agentv_py import jsontext
from agentv_py.backend import BackendFailed
from agentv_py.errors import did_you_mean

if TYPE_CHECKING:
    from jinja2 import Environment


def names_in(template: str, known: Sequence[str]) -> set[str]:
    """The names that a template reads. Raises ValueError for what is no template, or reads what is not there."""
    from jinja2 import TemplateSyntaxError, meta

    try:
        names = meta.find_undeclared_variables(_environment().parse(template))
    except TemplateSyntaxError as error:
        raise ValueError(f"line {error.lineno} of the template: {error.message}") from None
    for name in sorted(names - set(known)):
        raise ValueError(f"unknown name {name!r}{did_you_mean(name, known) or ';'} known: {', '.join(known)}")
    return names


def filled(template: str, values: Mapping[str, Any]) -> str:
    """The text; whatever is not text stands in it as JSON. Raises BackendFailed."""
    from jinja2 import TemplateError

    try:
        return _compiled(template).render(values)  # type: ignore[no-any-return]
    except (TemplateError, TypeError, ValueError, ArithmeticError) as error:
        raise BackendFailed("prompt", f"the prompt cannot be filled in: {error}") from None


@lru_cache(maxsize=64)
def _compiled(template: str) -> Any:
    return _environment().from_string(template)


@lru_cache(maxsize=1)
def _environment() -> "Environment":
    from jinja2 import StrictUndefined, Undefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Places(ImmutableSandboxedEnvironment):
        def getattr(self, obj: Any, attribute: str) -> Any:
            # A key of the data comes before a method of Python's dict.
            return obj[attribute] if isinstance(obj, dict) and attribute in obj else super().getattr(obj, attribute)

    def shown(value: Any) -> Any:
        return value if isinstance(value, str | Undefined) else jsontext.dumps(value).decode()

    return Places(undefined=StrictUndefined, finalize=shown, autoescape=False, keep_trailing_newline=True)
