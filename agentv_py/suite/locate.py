"""Validation error → file:line:col: where: what."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from typing_extensions import TypeAliasType

from agentv_py import jsontext
from agentv_py.errors import Problem, did_you_mean
from agentv_py.options import LazyUnion
from agentv_py.suite.yaml_document import Node

_KINDS = {"match": "match type", "type": "evaluator type"}


def problems_of(
    error: ValidationError, model: type[BaseModel], value: Any, shown: str, line: int | None
) -> Iterator[Problem]:
    """Every finding of pydantic about a row, which may have a line but has no columns."""
    for finding in error.errors(include_url=False):
        place = _place(finding, value)
        yield Problem(_what(finding, model), spell(place), shown, line)


def located(error: ValidationError, model: type[BaseModel], node: Node, shown: str) -> Iterator[Problem]:
    """Every finding of pydantic, at the node of the YAML document it speaks of."""
    for finding in error.errors(include_url=False):
        place = _place(finding, node.value)
        at = find_node(node, place, key=finding["type"] == "extra_forbidden")
        yield Problem(_what(finding, model), spell(place), shown, at.line, at.column)


def find_node(node: Node, place: Sequence[str | int], *, key: bool = False) -> Node:
    """The node at a place, or the nearest one above it; `key`: where the last key itself stands."""
    for depth, step in enumerate(place):
        below = node.below
        if isinstance(below, dict) and step in below:
            if key and depth == len(place) - 1 and step in node.keys:
                return node.keys[str(step)]
            node = below[str(step)]
        elif isinstance(below, list) and isinstance(step, int) and step < len(below):
            node = below[step]
        else:
            break
    return node


def _follow(loc: Sequence[Any], value: Any, *, to_missing: bool) -> list[str | int]:
    """Pydantic's location without the names of union members."""
    place: list[str | int] = []
    for index, step in enumerate(loc):
        if (isinstance(value, dict) and step in value) or (isinstance(value, list) and isinstance(step, int)):
            value = value[step]
            place.append(step)
        elif index == len(loc) - 1 and to_missing:
            place.append(step)
    return place


def _place(finding: Any, value: Any) -> list[str | int]:
    place = _follow(finding["loc"], value, to_missing=finding["type"] == "missing")
    if finding["type"] == "union_tag_invalid" and _discriminator(finding) in _mapping_at(place, value):
        place.append(_discriminator(finding))
    return place


def _mapping_at(place: Sequence[str | int], value: Any) -> dict[str, Any]:
    for step in place:
        value = value[step]
    return value if isinstance(value, dict) else {}


def spell(place: Sequence[str | int]) -> str:
    text = ""
    for step in place:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def _what(finding: Any, model: type[BaseModel]) -> str:
    kind, given, context = finding["type"], finding["input"], finding.get("ctx", {})
    name = str(finding["loc"][-1]) if finding["loc"] else ""
    if kind == "extra_forbidden":
        return f"unknown key {name!r}{_hint(name, model, finding['loc'])}"
    if kind == "missing":
        return "is required"
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        return _wrong_tag(_discriminator(finding), given, context, finding["loc"])
    if kind == "literal_error":
        return _wrong_choice(_kind(name, finding["loc"]), given, context["expected"])
    if kind in ("too_short", "string_too_short"):
        return "must not be empty"
    if kind.startswith(("float", "int", "bool", "string", "list", "dict", "model", "finite")):
        return f"{_EXPECTATIONS.get(kind, finding['msg'].lower())}, not {_short(given)}"
    if kind == "value_error":
        return str(context["error"])
    message = finding["msg"].removeprefix("Input should be ")
    return f"must be {message}, not {_short(given)}" if message != finding["msg"] else message


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


def _discriminator(finding: Any) -> str:
    return str(finding["ctx"]["discriminator"]).strip("'").removesuffix("()")


def _kind(key: str, loc: Sequence[Any]) -> str:
    """What a choice under this key is called."""
    return "backend" if key == "type" and "backend" in loc[-2:] else _KINDS.get(key, key)


def _wrong_tag(key: str, given: Any, context: Any, loc: Sequence[Any]) -> str:
    if not isinstance(given, dict):
        return f"must be a mapping, not {_short(given)}"
    if key not in given:
        return f"{key} is required"
    return _wrong_choice(_kind(key, loc), given[key], context["expected_tags"])


def _wrong_choice(kind: str, given: Any, expected: str) -> str:
    choices = re.findall(r"'([^']*)'", expected)
    hint = did_you_mean(given, choices) if isinstance(given, str) else ""
    valid = [choice if choice.isidentifier() else repr(choice) for choice in choices]
    return f"Invalid {kind}: {_short(given)}{hint or ';'} valid: {', '.join(valid)}"


def _short(value: Any) -> str:
    """A value as the user wrote it, more or less: text in quotes, anything else as JSON."""
    try:
        text = repr(value) if isinstance(value, str | float) else jsontext.dumps(value).decode()
    except TypeError:
        text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _hint(key: str, model: type[BaseModel], loc: Sequence[Any]) -> str:
    """What may have been meant by a key: one that is spelled like it, or the member of the family that takes it."""
    models, family = _models_at(model, loc)
    word, chosen = _tag(models[0])
    others = [_tag(one)[1] for one in family if _tag(one)[0] == word and key in _keys(one)]
    if others:
        return f" of {word}: {chosen}; it goes with {', '.join(others)}"
    own, any_of_them = ([known for one in some for known in _keys(one)] for some in (models, family))
    return did_you_mean(key, own) or did_you_mean(key, any_of_them)


def _models_at(model: type[BaseModel], loc: Sequence[Any]) -> tuple[list[type[BaseModel]], list[type[BaseModel]]]:
    """The models at pydantic's location, and their family where one of it was chosen by its tag.

    A step is a key, an index or the tag of a union member.
    """
    models, family = [model], list[type[BaseModel]]()
    for step in loc[:-1]:
        chosen = [one for one in models if _answers_to(one, step)]
        fields = [field for one in models for name, field in one.model_fields.items() if step in (name, field.alias)]
        below = [found for field in fields for found in _models_in(field.annotation)]
        family = models if len(chosen) == 1 else []
        models = chosen or below or models
    return models, family


def _keys(model: type[BaseModel]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


def _answers_to(model: type[BaseModel], tag: Any) -> bool:
    return tag in (f"<{model.__name__.lower()}>", _tag(model)[1])


def _tag(model: type[BaseModel]) -> tuple[str, str]:
    """The key that chooses this model of its family, and what stands there."""
    for word in _KINDS:
        if word in model.model_fields and (tags := get_args(model.model_fields[word].annotation)):
            return word, str(tags[0])
    return "", ""


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, LazyUnion):
        yield from annotation.models()
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(getattr(annotation, "__value__", annotation)):
        if not isinstance(part, TypeAliasType) or part is not annotation:
            yield from _models_in(part)
