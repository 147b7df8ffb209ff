"""Validation error → file:line:col: where: what."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from typing_extensions import TypeAliasType

from agentv_py import jsontext
from agentv_py.errors import Problem, did_you_mean
from agentv_py.options import LazyUnion
from agentv_py.suite.yaml_node import Node

KeyPath = tuple[str | int, ...]
"""Keys and indexes that lead from the root of a suite to a value in it."""

_KINDS = {"match": "match type", "type": "evaluator type"}


def list_problems(
    error: ValidationError, model: type[BaseModel], value: Any, display_name: str, line: int | None
) -> Iterator[Problem]:
    """Yield each error that pydantic finds in a row. A row may have a line, but has no columns."""
    for details in error.errors(include_url=False):
        key_path = _find_key_path(details, value)
        where = format_key_path(key_path)
        yield Problem(_describe(details, model), where, display_name, line, kind=details["type"])


def locate_problems(error: ValidationError, model: type[BaseModel], node: Node, display_name: str) -> Iterator[Problem]:
    """Yield each error that pydantic finds in a YAML document, at the line and column of the wrong value."""
    for details in error.errors(include_url=False):
        key_path = _find_key_path(details, node.value)
        wrong = find_node(node, key_path, key=details["type"] == "extra_forbidden")
        yield wrong.build_problem(_describe(details, model), format_key_path(key_path), display_name)


def find_node(node: Node, key_path: Sequence[str | int], *, key: bool = False) -> Node:
    """Return the node at a key path, or the nearest node above it; with `key`, the node of the last key itself."""
    for depth, step in enumerate(key_path):
        below = node.below
        if isinstance(below, dict) and step in below:
            if key and depth == len(key_path) - 1 and step in node.keys:
                return node.keys[str(step)]
            node = below[str(step)]
        elif isinstance(below, list) and isinstance(step, int) and step < len(below):
            node = below[step]
        else:
            break
    return node


def _follow(location: Sequence[Any], value: Any, *, to_missing: bool) -> list[str | int]:
    """Return the key path of pydantic's location, which also has the names of union members."""
    key_path: list[str | int] = []
    is_tag_passed = False
    for index, step in enumerate(location):
        # The tag of a member may also be a key of it: `type: command` has the option `command`.
        if not is_tag_passed and isinstance(value, dict) and step in value and step in _list_tags(value):
            is_tag_passed = True
        elif (isinstance(value, dict) and step in value) or (isinstance(value, list) and isinstance(step, int)):
            value, is_tag_passed = value[step], False
            key_path.append(step)
        elif index == len(location) - 1 and to_missing:
            key_path.append(step)
    return key_path


def _list_tags(value: dict[str, Any]) -> list[Any]:
    return [value.get(word) for word in _KINDS]


def _find_key_path(details: Any, value: Any) -> list[str | int]:
    key_path = _follow(details["loc"], value, to_missing=details["type"] == "missing")
    if details["type"] == "union_tag_invalid" and _get_discriminator(details) in _get_mapping(key_path, value):
        key_path.append(_get_discriminator(details))
    return key_path


def _get_mapping(key_path: Sequence[str | int], value: Any) -> dict[str, Any]:
    for step in key_path:
        value = value[step]
    return value if isinstance(value, dict) else {}


def format_key_path(key_path: Sequence[str | int]) -> str:
    text = ""
    for step in key_path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def _describe(details: Any, model: type[BaseModel]) -> str:
    kind, given, context = details["type"], details["input"], details.get("ctx", {})
    name = str(details["loc"][-1]) if details["loc"] else ""
    if kind == "extra_forbidden":
        return f"unknown key {name!r}{_suggest(name, model, details['loc'])}"
    if kind == "missing":
        return "is required"
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        return _describe_wrong_tag(_get_discriminator(details), given, context, details["loc"])
    if kind == "literal_error":
        return _describe_wrong_choice(_name_choice(name, details["loc"]), given, context["expected"])
    if kind in ("too_short", "string_too_short"):
        return "must not be empty"
    if kind.startswith(("float", "int", "bool", "string", "list", "dict", "model", "finite")):
        return f"{_EXPECTATIONS.get(kind, details['msg'].lower())}, not {shorten_value(given)}"
    if kind == "value_error":
        return str(context["error"])
    message = details["msg"].removeprefix("Input should be ")
    return f"must be {message}, not {shorten_value(given)}" if message != details["msg"] else message


_EXPECTATIONS = {
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "int_type": "must be a whole number",
    "bool_type": "must be true or false",
    "string_type": "must be text",
    "list_type": "must be a list",
    "dict_type": "must be a mapping",
    "model_type": "must be a mapping",
    "model_attributes_type": "must be a mapping",
}


def _get_discriminator(details: Any) -> str:
    return str(details["ctx"]["discriminator"]).strip("'").removesuffix("()")


def _name_choice(key: str, location: Sequence[Any]) -> str:
    """Return what messages call a choice under this key, or under the key above the tag of a union."""
    if key.startswith("<"):
        key = next((step for step in reversed(location) if isinstance(step, str) and not step.startswith("<")), key)
    if key == "type" and location[:1] in (("targets",), ("target",)):
        return "target type"
    return "backend" if key == "type" and "backend" in location[-2:] else _KINDS.get(key, key)


def _describe_wrong_tag(key: str, given: Any, context: Any, location: Sequence[Any]) -> str:
    if not isinstance(given, dict):
        return f"must be a mapping, not {shorten_value(given)}"
    if key not in given:
        return f"{key} is required"
    from agentv_py.comparison.comparators import AUTO  # only this message needs it

    others = f", {AUTO!r}" if location[-2:] == ("default", "<leaf>") else ""
    return _describe_wrong_choice(_name_choice(key, location), given[key], context["expected_tags"] + others)


def _describe_wrong_choice(kind: str, given: Any, expected: str) -> str:
    choices = re.findall(r"'([^']*)'", expected)
    hint = did_you_mean(given, choices) if isinstance(given, str) else ""
    valid = [choice if choice.isidentifier() else repr(choice) for choice in choices]
    return f"Invalid {kind}: {shorten_value(given)}{hint or ';'} valid: {', '.join(valid)}"


def shorten_value(value: Any) -> str:
    """Return a value much as the user wrote it: text in quotes, anything else as JSON, cut where it is long."""
    try:
        text = repr(value) if isinstance(value, str | float) else jsontext.dumps(value).decode()
    except TypeError:
        text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _suggest(key: str, model: type[BaseModel], location: Sequence[Any]) -> str:
    """Suggest the members of the family that have this key, or else a key that is spelled like it."""
    models, family = _find_models(model, location)
    word, chosen = _get_tag(models[0])
    others = [_get_tag(member)[1] for member in family if _get_tag(member)[0] == word and key in _list_keys(member)]
    if others:
        return f" of {word}: {chosen}; it goes with {', '.join(others)}"
    own_keys, family_keys = ([known for member in group for known in _list_keys(member)] for group in (models, family))
    return did_you_mean(key, own_keys) or did_you_mean(key, family_keys)


def _find_models(
    model: type[BaseModel], location: Sequence[Any]
) -> tuple[list[type[BaseModel]], list[type[BaseModel]]]:
    """Return the models at pydantic's location, and the family of the model that a tag selects there.

    A step is a key, an index or the tag of a union member.
    """
    models, family = [model], list[type[BaseModel]]()
    for step in location[:-1]:
        chosen = [model for model in models if _has_tag(model, step)]
        fields = [
            field for model in models for name, field in model.model_fields.items() if step in (name, field.alias)
        ]
        below = [model for field in fields for model in _list_models(field.annotation)]
        family = models if len(chosen) == 1 else []
        models = chosen or below or models
    return models, family


def _list_keys(model: type[BaseModel]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


def _has_tag(model: type[BaseModel], tag: Any) -> bool:
    return tag in (f"<{model.__name__.lower()}>", _get_tag(model)[1])


def _get_tag(model: type[BaseModel]) -> tuple[str, str]:
    """Return the key that selects this model in its family, and its value; two empty texts if there is no such key."""
    for word in _KINDS:
        if word in model.model_fields and (tags := get_args(model.model_fields[word].annotation)):
            return word, str(tags[0])
    return "", ""


def _list_models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, LazyUnion):
        yield from annotation.models()
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(getattr(annotation, "__value__", annotation)):
        if not isinstance(part, TypeAliasType) or part is not annotation:
            yield from _list_models(part)
