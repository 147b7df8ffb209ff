"""A JSON Schema → a profile of what it declares, at every place. References inside the document are followed."""

from collections.abc import Iterator, Mapping
from typing import Any

from agentv_py.inference.profile import Declaration, Kind, Profile
from agentv_py.inference.schema_graph import SchemaGraph
from agentv_py.inference.schema_settings import WrongSetting, read_settings

_KINDS: dict[str, Kind] = {
    "boolean": "boolean", "integer": "integer", "number": "number", "string": "text",
    "object": "object", "array": "list",
}  # fmt: skip
_BRANCHES = ("allOf", "anyOf", "oneOf")
_DEEPEST = 32
_MOST_PARTS = 20_000


class UnusableSchema(ValueError):  # noqa: N818  a finding about a file, not a fault of the program
    """The schema cannot be used; the message says why."""

    def __init__(self, what: str, occurrence: tuple[str, int] | None = None) -> None:
        super().__init__(what)
        self.occurrence = occurrence
        """The key that is wrong, and how many such keys are before it in the file."""


def profile_schema(schema: Any) -> Profile:
    """Return the profile of the values that a schema describes. Raises UnusableSchema."""
    if not isinstance(schema, Mapping):
        raise UnusableSchema("is not a JSON Schema: it must be an object")
    profile = Profile()
    try:
        _SchemaReader(schema).read(schema, profile, ())
    except RecursionError:
        raise UnusableSchema("is nested too deeply") from None
    if not profile.declared.kinds and "match" not in profile.declared.settings:
        raise UnusableSchema("is not a JSON Schema of answers: it declares no type, no properties and no items")
    return profile


class _SchemaReader:
    def __init__(self, document: Any) -> None:
        self._document = document
        self._graph = SchemaGraph(document)
        self._parts = 0

    def read(self, schema: Any, place: Profile, references: tuple[int, ...]) -> None:
        """Fill a place from a schema. `references` are the targets that lead to it; a repeated one is a recursion."""
        if place.depth > _DEEPEST:
            place.declared.is_recursion = True
            return
        for part, passed in self._list_parts(schema, place, references):
            _declare(place.declared, part)
            self._read_settings(part, place)
            self._read_object(part, place, passed)
            self._read_list(part, place, passed)
        if place.fields:
            place.declared.is_map = False

    def _read_settings(self, part: Mapping[str, Any], place: Profile) -> None:
        try:
            read_settings(place.declared, part)
        except WrongSetting as error:
            holders = _list_holders(self._document, error.key)
            before = next(number for number, holder in enumerate(holders) if holder is part)
            what = f"gives a wrong comparator to {place.name or '$'!r}: {error}"
            raise UnusableSchema(what, (error.key, before)) from None

    def _list_parts(
        self, schema: Any, place: Profile, references: tuple[int, ...]
    ) -> Iterator[tuple[Mapping[str, Any], tuple[int, ...]]]:
        """Yield the schema and the schemas that it refers to or combines, each with the references that lead to it."""
        self._parts += 1
        if self._parts > _MOST_PARTS:  # references that multiply would never end
            raise UnusableSchema(
                f"declares more than {_MOST_PARTS:,} places; write the comparators of the places you need"
            )
        if isinstance(schema, bool):
            return
        if not isinstance(schema, Mapping):
            raise UnusableSchema(f"holds {repr(schema)[:60]} at {place.name!r}, where a schema must be")
        reference = schema.get("$ref")
        if isinstance(reference, str):
            target = self._resolve(schema, reference, place)
            if target is self._document or id(target) in references:
                place.declared.is_recursion = True
                return
            yield from self._list_parts(target, place, (*references, id(target)))
        for branch in (branch for word in _BRANCHES for branch in _as_list(schema.get(word))):
            if not _is_null(branch):
                yield from self._list_parts(branch, place, references)
        yield schema, references

    def _resolve(self, schema: Mapping[str, Any], reference: str, place: Profile) -> Any:
        """Return the schema that a reference inside the document names. Nothing is fetched."""
        target = self._graph.find(schema, reference)
        if target is not None:
            return target
        where = f", at {place.name!r}" if place.name else ""
        if self._graph.leads_out(schema, reference):
            raise UnusableSchema(
                f"has a $ref {reference!r} that leads out of the file; copy that schema into $defs{where}"
            )
        raise UnusableSchema(f"has a $ref {reference!r} that names nothing in the file{where}")

    def _read_object(self, schema: Mapping[str, Any], place: Profile, references: tuple[int, ...]) -> None:
        properties = schema.get("properties")
        if properties is not None and not isinstance(properties, Mapping):
            raise UnusableSchema(f"holds {repr(properties)[:60]} as properties, which must be an object")
        for key, below in (properties or {}).items():
            self.read(below, place.get_field(key), references)
        if not properties and isinstance(schema.get("additionalProperties"), Mapping):
            place.declared.is_map = True
            self.read(schema["additionalProperties"], place.get_values(), references)

    def _read_list(self, schema: Mapping[str, Any], place: Profile, references: tuple[int, ...]) -> None:
        shapes = [*_as_list(schema.get("prefixItems")), *_as_list(schema.get("items"))]
        if "prefixItems" in schema or isinstance(schema.get("items"), list):
            place.declared.is_tuple = True
        for shape in shapes:
            self.read(shape, place.get_items(), references)
        if shapes and isinstance(schema.get("minItems"), int) and schema["minItems"] == schema.get("maxItems"):
            place.lengths[schema["minItems"]] += 1


def _declare(declared: Declaration, schema: Mapping[str, Any]) -> None:
    kinds = [_KINDS[word] for word in _as_list(schema.get("type")) if isinstance(word, str) and word in _KINDS]
    declared.kinds = tuple(dict.fromkeys((*declared.kinds, *(kinds or _guess_kinds(schema)))))
    if isinstance(schema.get("format"), str):
        declared.format = declared.format or schema["format"]
    if isinstance(schema.get("pattern"), str):
        declared.pattern = declared.pattern or schema["pattern"]
    step = schema.get("multipleOf")
    if type(step) in (int, float):
        declared.step = step
    if "const" in schema:
        declared.values = (*(declared.values or ()), schema["const"])
    elif isinstance(schema.get("enum"), list):
        declared.values = (*(declared.values or ()), *(value for value in schema["enum"] if value is not None))
        declared.has_null = declared.has_null or None in schema["enum"]
    examples = _as_list(schema.get("examples"))
    if declared.example is None:
        declared.example = examples[0] if examples else schema.get("default")
    declared.examples = (*declared.examples, *examples)


def _guess_kinds(schema: Mapping[str, Any]) -> list[Kind]:
    """Return the kind that the keywords of a schema without `type` speak of."""
    if "properties" in schema:
        return ["object"]
    if "items" in schema or "prefixItems" in schema:
        return ["list"]
    return []


def _list_holders(value: Any, key: str) -> Iterator[Any]:
    """Yield the objects at any depth that have a key, in the order in which the file has these keys."""
    if isinstance(value, Mapping):
        for name, below in value.items():
            if name == key:
                yield value
            yield from _list_holders(below, key)
    elif isinstance(value, list):
        for below in value:
            yield from _list_holders(below, key)


def _is_null(schema: Any) -> bool:
    return isinstance(schema, Mapping) and (schema.get("type") == "null" or schema.get("const", ...) is None)


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]
