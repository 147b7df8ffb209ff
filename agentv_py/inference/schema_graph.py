"""A JSON Schema → its subschemas, and which of them check the same value or a value inside it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

Key = tuple[str, str | int | None]
"""A place inside a value: a property or an index; None is any other one, and a name of a property has its own place."""
ANY_PROPERTY: Key = ("property", None)
ANY_ITEM: Key = ("item", None)
_NAME: Key = ("name", None)

_LISTS = ("allOf", "anyOf", "oneOf")
_SAME = ("not", "if", "then", "else")
_BY_NAME = ("dependentSchemas", "dependencies")
_OTHERS: Mapping[str, Key] = {
    "additionalProperties": ANY_PROPERTY,
    "unevaluatedProperties": ANY_PROPERTY,
    "additionalItems": ANY_ITEM,
    "unevaluatedItems": ANY_ITEM,
}
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_DEFINITIONS = ("$defs", "definitions")


@dataclass(slots=True)
class Subschema:
    same: list[int] = field(default_factory=list)
    """Subschemas that check the same value."""
    branches: list[int] = field(default_factory=list)
    """Those of them that `anyOf` and `oneOf` try one by one."""
    inside: dict[Key, list[int]] = field(default_factory=dict)
    """Subschemas that check the value at one place inside it. Another place is checked by those of any other place."""
    always: dict[str, list[int]] = field(default_factory=dict)
    """Subschemas that may check every property or every item, besides the others."""


class SchemaGraph:
    def __init__(self, schema: Any) -> None:
        self.nodes: list[Subschema] = []
        self._numbers: dict[int, int] = {}
        self._by_address: dict[str, Any] = {}
        self._by_anchor: dict[str, list[Any]] = {}
        self._bases: dict[int, tuple[str, Any]] = {}
        """The address that references in a subschema are relative to, and the document of that address."""
        self._references: list[tuple[int, str, str, Any]] = []
        """The number of a subschema, a reference in it, the address that it is relative to, and its document."""
        self._add(schema, "", schema)
        while self._references:
            self._follow(*self._references.pop())

    def _add(self, schema: Any, base: str, document: Any) -> int:
        """Return the number of a subschema, which is read at the first call."""
        if id(schema) in self._numbers:
            return self._numbers[id(schema)]
        number = self._numbers[id(schema)] = len(self.nodes)
        node = Subschema()
        self.nodes.append(node)
        if isinstance(schema, dict):
            base, document = self._bases[id(schema)] = self._note_names(schema, base, document)
            for key in _REFERENCES:
                if isinstance(schema.get(key), str):
                    self._references.append((number, schema[key], base, document))
            self._add_same(node, schema, base, document)
            self._add_inside(node, schema, base, document)
            for key in _DEFINITIONS:
                for below in _list_values(schema.get(key)):
                    self._add(below, base, document)
        return number

    def _note_names(self, schema: dict[str, Any], base: str, document: Any) -> tuple[str, Any]:
        """Note under which addresses and anchors a subschema can be reached; return the base of what is in it."""
        own = schema.get("$id", schema.get("id"))
        if isinstance(own, str):
            address, fragment = urldefrag(urljoin(base, own))
            if fragment:  # an anchor of the older drafts
                self._by_address[f"{address}#{fragment}"] = schema
            else:
                base, document = address, schema
        self._by_address.setdefault(base, document)
        for key in ("$anchor", "$dynamicAnchor"):
            if isinstance(schema.get(key), str):
                self._by_address[f"{base}#{schema[key]}"] = schema
                self._by_anchor.setdefault(f"#{schema[key]}", []).append(schema)
        return base, document

    def _add_same(self, node: Subschema, schema: dict[str, Any], base: str, document: Any) -> None:
        for key in _LISTS:
            if isinstance(schema.get(key), list):
                numbers = [self._add(below, base, document) for below in schema[key]]
                node.same += numbers
                node.branches += numbers if key != "allOf" else []
        node.same += [self._add(schema[key], base, document) for key in _SAME if key in schema]
        for key in _BY_NAME:
            node.same += [
                self._add(below, base, document) for below in _list_values(schema.get(key)) if not _is_list(below)
            ]

    def _add_inside(self, node: Subschema, schema: dict[str, Any], base: str, document: Any) -> None:
        for key, below, is_always in _list_inside(schema):
            number = self._add(below, base, document)
            if is_always:
                node.always.setdefault(key[0], []).append(number)
            else:
                node.inside.setdefault(key, []).append(number)

    def _follow(self, number: int, reference: str, base: str, document: Any) -> None:
        """Add what a reference leads to; one that leads out of the schema is refused elsewhere."""
        found = self._resolve(reference, base, document)
        targets = [found] if found is not None else self._by_anchor.get(reference, [])
        for target in targets:
            self.nodes[number].same.append(self._add(target, base, document))

    def find(self, schema: Any, reference: str) -> Any:
        """Return what a reference in a subschema names: by a pointer, an anchor or an `$id`; None if it is nothing."""
        return self._resolve(reference, *self._bases.get(id(schema), ("", None)))

    def leads_out(self, schema: Any, reference: str) -> bool:
        """Tell whether a reference in a subschema names another document than those that the schema holds."""
        base, _ = self._bases.get(id(schema), ("", None))
        return urldefrag(_join_address(base, reference))[0] not in self._by_address

    def _resolve(self, reference: str, base: str, document: Any) -> Any:
        address = _join_address(base, reference)
        found = self._by_address.get(address)
        if found is not None:
            return found
        whole, fragment = urldefrag(address)
        start = self._by_address.get(whole, document if whole == base else None)
        return start if not fragment else _resolve_pointer(start, unquote(fragment))


def _join_address(base: str, reference: str) -> str:
    """Return the whole address of a reference; a fragment belongs to any base, also to `urn:x`."""
    return base + reference if not reference or reference.startswith("#") else urljoin(base, reference)


def _list_inside(schema: dict[str, Any]) -> Iterator[tuple[Key, Any, bool]]:
    """Yield each subschema for a value inside, with its place, and whether it may check every value of that kind."""
    for name, below in _read_object(schema.get("properties")).items():
        yield ("property", name), below, False
    for below in _list_values(schema.get("patternProperties")):
        yield ANY_PROPERTY, below, True
    for key, place in _OTHERS.items():
        if key in schema:
            yield place, schema[key], False
    if "propertyNames" in schema:
        yield _NAME, schema["propertyNames"], False
    if "contains" in schema:
        yield ANY_ITEM, schema["contains"], True
    items = schema.get("items")
    first = items if isinstance(items, list) else schema.get("prefixItems")
    for index, below in enumerate(first if isinstance(first, list) else ()):
        yield ("item", index), below, False
    if "items" in schema and not isinstance(items, list):
        yield ANY_ITEM, items, False


def _resolve_pointer(value: Any, pointer: str) -> Any:
    """Return the value at a JSON pointer; None if the pointer reaches no value."""
    for step in pointer.split("/")[1:] if pointer.startswith("/") else [None]:
        key = None if step is None else step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key is not None and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return value


def _read_object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list_values(value: Any) -> list[Any]:
    return list(_read_object(value).values())


def _is_list(value: Any) -> bool:
    return isinstance(value, list)
