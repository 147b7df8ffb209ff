"""A JSON Schema → a profile of what it declares, at every place. References inside the document are followed."""

from collections.abc import Iterator, Mapping
from typing import Any

from agentv_py.inference.profile import Declaration, Kind, Profile

_KINDS: dict[str, Kind] = {
    "boolean": "boolean", "integer": "integer", "number": "number", "string": "text", "object": "object", "array": "list",
}  # fmt: skip
_BRANCHES = ("allOf", "anyOf", "oneOf")
_DEEPEST = 24


class UnusableSchema(ValueError):
    """The schema cannot be used; the message says where and why."""


def profile_schema(schema: Any) -> Profile:
    """Return the profile of the values that a schema describes. Raises UnusableSchema."""
    return _SchemaReader(schema).read(schema, Profile(), ())


class _SchemaReader:
    def __init__(self, document: Any) -> None:
        self._document = document

    def read(self, schema: Any, place: Profile, references: tuple[str, ...]) -> Profile:
        """Fill a place from a schema. `references` are those that lead to it; a repeated one is a recursion."""
        from agentv_py.inference.schema_settings import read_settings

        for part, passed in self._list_parts(schema, references):
            _declare(place.declared, part)
            read_settings(place.declared, part)
            self._read_object(part, place, passed)
            self._read_list(part, place, passed)
        if place.declared.is_map and place.fields:
            place.declared.is_map = False
        return place

    def _list_parts(
        self, schema: Any, references: tuple[str, ...]
    ) -> Iterator[tuple[Mapping[str, Any], tuple[str, ...]]]:
        """Yield the schema and the schemas that it refers to or combines, each with the references that lead to it."""
        if not isinstance(schema, Mapping):
            if isinstance(schema, bool):
                return
            raise UnusableSchema(f"{_show(schema)} is not a schema")
        if len(references) > _DEEPEST:
            return
        reference = schema.get("$ref")
        if isinstance(reference, str):
            if reference in references:
                return
            yield from self._list_parts(self._resolve(reference), (*references, reference))
        yield schema, references
        for word in _BRANCHES:
            for branch in schema.get(word, ()) if isinstance(schema.get(word, ()), list) else ():
                if not _is_null(branch):
                    yield from self._list_parts(branch, references)

    def _resolve(self, reference: str) -> Any:
        """Return the schema that a reference inside the document names. Nothing is fetched."""
        if not reference.startswith("#"):
            raise UnusableSchema(f"$ref {reference!r} leads out of the file; copy that schema into $defs")
        target = self._document
        for step in reference[1:].split("/")[1:] if reference != "#" else ():
            key = step.replace("~1", "/").replace("~0", "~").replace("%25", "%")
            try:
                target = target[int(key)] if isinstance(target, list) else target[key]
            except (KeyError, IndexError, TypeError, ValueError):
                raise UnusableSchema(f"$ref {reference!r} names nothing in the file") from None
        return target

    def _read_object(self, schema: Mapping[str, Any], place: Profile, references: tuple[str, ...]) -> None:
        properties = schema.get("properties")
        for key, below in properties.items() if isinstance(properties, Mapping) else ():
            field = place.fields.setdefault(key, Profile(key, place.name, place.in_list))
            self.read(below, field, references)
        others = schema.get("additionalProperties")
        if isinstance(others, Mapping) and not properties:
            place.declared.is_map = True

    def _read_list(self, schema: Mapping[str, Any], place: Profile, references: tuple[str, ...]) -> None:
        items = schema.get("items")
        shapes = [*_as_list(schema.get("prefixItems")), *_as_list(items)]
        if not shapes:
            return
        place.items = place.items or Profile(place.name, place.parent, in_list=True)
        for shape in shapes:
            self.read(shape, place.items, references)
        if schema.get("minItems") is not None and schema.get("minItems") == schema.get("maxItems"):
            place.lengths[schema["minItems"]] += 1


def _declare(declared: Declaration, schema: Mapping[str, Any]) -> None:
    kinds = [_KINDS[word] for word in _as_list(schema.get("type")) if word in _KINDS]
    if not kinds and not declared.kinds:
        kinds = _guess_kinds(schema)
    declared.kinds = tuple(dict.fromkeys((*declared.kinds, *kinds)))
    declared.format = declared.format or schema.get("format")
    declared.step = declared.step or schema.get("multipleOf")
    if "const" in schema:
        declared.values = (*(declared.values or ()), schema["const"])
    elif isinstance(schema.get("enum"), list):
        declared.values = (*(declared.values or ()), *(value for value in schema["enum"] if value is not None))


def _guess_kinds(schema: Mapping[str, Any]) -> list[Kind]:
    """Return the kind that the keywords of a schema without `type` speak of."""
    if "properties" in schema:
        return ["object"]
    if "items" in schema or "prefixItems" in schema:
        return ["list"]
    return []


def _is_null(schema: Any) -> bool:
    return isinstance(schema, Mapping) and (schema.get("type") == "null" or schema.get("const", ...) is None)


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _show(value: Any) -> str:
    return repr(value)[:60]
