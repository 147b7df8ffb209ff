"""AgentV's input and expected output, in any of their spellings → our input and expected value."""

import os
from pathlib import Path
from typing import Any

from agentv_py.messages import ROLES
from agentv_py.suite.text_file import read_text
from agentv_py.suite.translation import Translation, build_list, build_mapping, build_scalar
from agentv_py.suite.yaml_node import Node


class MessageTranslator:
    def __init__(self, translation: Translation) -> None:
        self._translation = translation

    def build_messages(self, node: Node, role: str, where: str) -> list[Node]:
        """Return messages. A text or an object without a role is the content of one message."""
        if isinstance(node.below, list) and node.below and all(map(_is_message, node.below)):
            return [self._build_message(message, where) for message in node.below]
        if _is_message(node):
            return [self._build_message(node, where)]
        return [build_mapping({"role": build_scalar(role, node), "content": node}, node)]

    def build_file_parts(self, nodes: list[Node], where: str) -> list[Node]:
        """Return the parts of a message for a list of files."""
        return [self._build_file(node, where) for node in nodes]

    def build_expected(self, node: Node) -> tuple[Node | None, Node | None]:
        """Return the expected value, and all messages if there are several of them."""
        if not (isinstance(node.below, list) and node.below and all(map(_is_message, node.below))):
            return (self._get_content(node) if _is_message(node) else node), None
        answers = [item for item in node.below if item.value["role"] == "assistant" and item.value.get("content")]
        expected = self._get_content(answers[-1]) if answers else None
        return expected, (node if len(node.below) > 1 or expected is None else None)

    def _get_content(self, message: Node) -> Node | None:
        content = message.below.get("content") if isinstance(message.below, dict) else None
        return None if content is None or content.value is None else self._read_parts(content)

    def find_file(self, name: str) -> Path | None:
        """Find a file in the folder of the suite, in those above it in the repository, or in the working folder.

        A name that begins with a slash starts at the root of the repository.
        """
        folder = self._translation.folder
        above = [folder.absolute(), *folder.absolute().parents]
        root = next((number for number, path in enumerate(above) if (path / ".git").exists()), 0)
        roots = [folder, *above[1 : root + 1], Path()]
        places = (place / name.lstrip("/") for place in (reversed(roots[:-1]) if name.startswith("/") else roots))
        try:
            return next((path for path in (*places, Path(name)) if path.is_file()), None)
        except (OSError, ValueError):  # no file can have this name
            return None

    def _build_message(self, message: Node, where: str) -> Node:
        below = dict(message.below) if isinstance(message.below, dict) else {}
        content = below.get("content")
        if content is not None and isinstance(content.below, list):
            below["content"] = build_list([self._build_part(part, where) for part in content.below], content)
        return build_mapping(below, message)

    def _build_part(self, part: Node, where: str) -> Node:
        value = part.value
        if not isinstance(value, dict) or "type" not in value:
            return part
        if value["type"] == "file" and isinstance(value.get("value"), str) and isinstance(part.below, dict):
            return self._build_file(part.below["value"], where)
        if value["type"] not in ("text", "file"):
            what = f"content of type {value['type']!r} cannot be translated; write {{type: file, value: PATH}}"
            self._translation.refuse(what, part, where)
        return part

    def _build_file(self, node: Node, where: str) -> Node:
        name = str(node.value)
        path = self.find_file(name)
        if path is None:
            self._translation.refuse(f"the file {name!r} does not exist", node, where)
            path = Path(name)
        is_beside = path == self._translation.folder / name
        related = self._translation.relate(name) if is_beside else os.path.relpath(path, self._translation.base)
        return build_mapping({"type": build_scalar("file", node), "value": build_scalar(related, node)}, node)

    def _read_parts(self, content: Node) -> Node:
        """Return the texts and the files of a content as one text; any other content stays as it is."""
        parts = content.value if isinstance(content.value, list) else []
        if not parts or not all(isinstance(part, dict) and part.get("type") in ("text", "file") for part in parts):
            return content
        texts = [self._read_part(part, content) for part in parts]
        return build_scalar("\n".join(texts), content)

    def _read_part(self, part: dict[str, Any], content: Node) -> str:
        text = str(part.get("value", part.get("text", "")))
        if part["type"] == "text":
            return text
        path = self.find_file(text)
        if path is None:
            self._translation.refuse(f"the file {text!r} does not exist", content, "expected_output")
            return ""
        self._translation.files.append(path)
        return read_text(path, str(path))


def _is_message(node: Node) -> bool:
    value = node.value
    return isinstance(value, dict) and value.get("role") in ROLES and ("content" in value or "tool_calls" in value)
