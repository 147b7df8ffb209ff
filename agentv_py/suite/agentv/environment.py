"""Texts of AgentV with `${{ NAME }}` → the texts with the values of the environment."""

import os
import re
from collections.abc import Callable

from agentv_py.suite.translation import Translation, build_scalar
from agentv_py.suite.yaml_node import Node

VARIABLE = re.compile(r"\$\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")


def fill_suite(document: Node, translation: Translation) -> Node:
    """Fill in all texts of a suite, except those of a target, which reads the environment itself when it is asked."""

    def fill(key: str, node: Node) -> Node:
        if key == "execution" and isinstance(node.below, dict):
            return _fill_mapping(node, node.below, fill)
        is_target = key == "target" and isinstance(node.below, dict)
        return node if is_target else fill_environment(node, translation)

    return _fill_mapping(document, document.below, fill) if isinstance(document.below, dict) else document


def fill_environment(node: Node, translation: Translation) -> Node:
    """Fill in a node and all nodes below it. A variable that is not set is a problem at its line."""
    if isinstance(node.below, dict):
        return _fill_mapping(node, node.below, lambda _, item: fill_environment(item, translation))
    if isinstance(node.below, list):
        items = [fill_environment(item, translation) for item in node.below]
        return node if all(map(_is_same, items, node.below)) else node.with_below(items)
    if not isinstance(node.scalar, str) or "${{" not in node.scalar:
        return node
    for name in VARIABLE.findall(node.scalar):
        if name not in os.environ:
            what = f"the environment variable {name!r} is not set; set it, or write the text itself"
            translation.refuse(what, node)
    return build_scalar(VARIABLE.sub(lambda match: os.environ.get(match[1], ""), node.scalar), node)


def _fill_mapping(node: Node, below: dict[str, Node], fill: Callable[[str, Node], Node]) -> Node:
    filled = {key: fill(key, item) for key, item in below.items()}
    return node if all(map(_is_same, filled.values(), below.values())) else node.with_below(filled)


def _is_same(one: Node, other: Node) -> bool:
    return one is other
