"""`module:Name` → the JSON Schema of a pydantic model or a dataclass."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from agentv_py.errors import UserError, did_you_mean


def read_model_schema(reference: str) -> dict[str, Any]:
    """Import the model and return its schema. The working folder is searched first. Raises UserError."""
    module_name, _, name = reference.partition(":")
    sys.path.insert(0, str(Path.cwd()))
    try:
        module = import_module(module_name)
    except Exception as error:  # noqa: BLE001  the user's module may raise anything
        raise UserError(f"{reference}: {module_name!r} cannot be imported: {type(error).__name__}: {error}") from None
    finally:
        sys.path.pop(0)
    try:
        model = module
        for part in name.split("."):
            model = getattr(model, part)
    except AttributeError:
        near = did_you_mean(name, [key for key, value in vars(module).items() if isinstance(value, type)])
        raise UserError(f"{reference}: {module_name} has no {name!r}{near}") from None
    return _build_schema(model, reference)


def _build_schema(model: Any, reference: str) -> dict[str, Any]:
    from pydantic import PydanticUserError, TypeAdapter
    from pydantic.errors import PydanticInvalidForJsonSchema
    from pydantic.json_schema import GenerateJsonSchema

    class WithDecimals(GenerateJsonSchema):
        """Keeps what pydantic leaves out: that a text is a decimal number, and its decimal places."""

        def decimal_schema(self, schema: Any) -> dict[str, Any]:
            places = schema.get("decimal_places")
            step = {} if places is None else {"multipleOf": 10.0**-places if places else 1}
            return {"type": "string", "format": "decimal", **step}

    try:
        return TypeAdapter(model).json_schema(by_alias=True, mode="serialization", schema_generator=WithDecimals)
    except (PydanticUserError, PydanticInvalidForJsonSchema) as error:
        raise UserError(f"{reference}: is no pydantic model or dataclass: {error.message}") from None
