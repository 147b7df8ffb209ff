"""Two texts → how alike they are in meaning. The union of backends is the registry."""

from typing import Annotated, Any

from pydantic import BeforeValidator

from agentv_py.backends.lexical import Lexical

__all__ = ["AnyBackend", "Lexical"]


def _by_name(backend: Any) -> Any:
    return {"type": backend} if isinstance(backend, str) else backend


AnyBackend = Annotated[Lexical, BeforeValidator(_by_name, json_schema_input_type=Lexical | str)]
"""A backend, or its name alone."""
