"""Texts with `{{name}}`, and values by name → the texts with these values."""

import re
from collections.abc import Mapping
from typing import Any

from agentv_py.suite.translation import build_list, build_mapping, build_scalar, build_value
from agentv_py.suite.yaml_node import Node

_VARIABLE = re.compile(r"\{\{\s*([\w.]+)\s*\}\}")


def fill_variables(node: Node, values: Mapping[str, Any]) -> Node:
    """Fill in `{{name}}` wherever a value has this name; a text that is nothing else becomes the value itself."""
    if isinstance(node.below, dict):
        return build_mapping({key: fill_variables(item, values) for key, item in node.below.items()}, node)
    if isinstance(node.below, list):
        return build_list([fill_variables(item, values) for item in node.below], node)
    if not isinstance(node.scalar, str):
        return node
    whole = _VARIABLE.fullmatch(node.scalar.strip())
    if whole and (found := _find_variable(whole[1], values)) is not None:
        return build_value(found, node)
    return build_scalar(_VARIABLE.sub(lambda match: _write_variable(match, values), node.scalar), node)


def _write_variable(match: re.Match[str], values: Mapping[str, Any]) -> str:
    found = _find_variable(match[1], values)
    return match[0] if found is None else str(found)


def _find_variable(path: str, values: Any) -> Any:
    for step in path.split("."):
        values = values.get(step) if isinstance(values, Mapping) else None
    return values
