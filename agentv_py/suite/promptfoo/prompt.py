"""promptfoo's one prompt, over the variables of a test → a template over our input."""

import re

from agentv_py.models.prompt_template import list_names
from agentv_py.suite.text_file import read_text
from agentv_py.suite.translation import Translation
from agentv_py.suite.yaml_node import Node

_VARIABLE = re.compile(r"\{\{(-?)\s*([A-Za-z_]\w*)\s*(-?)\}\}")
_FILE = "file://"
_TEXTS = (".txt", ".md", ".j2", ".njk")


class Prompt:
    """A template, and the names of the variables that it reads."""

    def __init__(self, node: Node | None, translation: Translation) -> None:
        self.names = set[str]()
        self.template = ""
        text = None if node is None else _read_prompt(node, translation)
        if node is None or text is None:
            return
        try:
            self.names = list_names(text)
        except ValueError as error:
            translation.refuse(f"the prompt is not a template: {error}", node, "prompts")
            return
        self.template = rename_variables(text, self.names)


def rename_variables(text: str, names: set[str]) -> str:
    """Return a template whose variables are keys of the input."""
    if "{%" not in text and set(_VARIABLE.sub("", text)).isdisjoint("{}"):
        return _VARIABLE.sub(r"{{\1 input.\2 \3}}", text)
    definitions = "".join(f"{{% set {name} = input.{name} %}}" for name in sorted(names))
    return definitions + text


def _read_prompt(node: Node, translation: Translation) -> str | None:
    items = node.below if isinstance(node.below, list) else [node]
    if len(items) != 1:
        translation.refuse("there must be one prompt; write a file for each of them", node, "prompts")
        return None
    item = items[0]
    value = item.value.get("raw", item.value.get("id")) if isinstance(item.value, dict) else item.value
    if not isinstance(value, str) or value.lstrip().startswith("[") or value.endswith((".json", ".py", ".js")):
        translation.refuse("a prompt is one text, or file:// with a file of text", item, "prompts")
        return None
    if value.startswith(_FILE) or value.endswith(_TEXTS):
        path = translation.folder / value.removeprefix(_FILE)
        translation.files.append(path)
        return read_text(path, str(path))
    return value
