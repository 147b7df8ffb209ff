"""AgentV's judges that are models, with a prompt or rubrics → llm_judge."""

import re
from collections.abc import Sequence

from agentv_py.suite.agentv.messages import MessageTranslator
from agentv_py.suite.agentv.targets import TargetTranslator
from agentv_py.suite.text_file import read_text
from agentv_py.suite.translation import Keys, Translation, build_list, build_mapping, build_scalar
from agentv_py.suite.yaml_node import Node

_VARIABLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_CRITERIA = "metadata.criteria | default('')"
_NAMES = {
    "question": "question",
    "input_text": "question",
    "input": "input",
    "input_messages": "input",
    "candidate_answer": "candidate",
    "output_text": "candidate",
    "output": "candidate",
    "output_messages": "candidate",
    "answer": "candidate",
    "reference_answer": "expected",
    "expected_output_text": "expected",
    "expected_output": "expected",
    "expected_messages": "expected",
    "expected_outcome": _CRITERIA,
    "criteria": _CRITERIA,
    "rubrics": "rubric",
    "rubric": "rubric",
}
_MARKS = ("{{", "{%", "{#")
_SCRIPTS = (".ts", ".js", ".mts", ".mjs")
_BY_CRITERIA = "The answer meets the criteria."
_BY_PROMPT = "Judge the answer as the prompt says."
_DEFAULT_PROMPT = """\
Criteria:
{{ metadata.criteria | default('') }}

What was asked:
{{ question }}
{% if expected is not none %}
A reference answer:
{{ expected }}
{% endif %}
The answer to be judged:
{{ candidate }}
"""
Entries = dict[str, Node | None]


class JudgeTranslator:
    def __init__(self, translation: Translation, targets: TargetTranslator, messages: MessageTranslator) -> None:
        self._translation = translation
        self._targets = targets
        self._messages = messages

    def build(self, keys: Keys) -> Entries:
        """Return the options of a judge: the endpoint of its model, its rubric and its prompt."""
        prompt = keys.take("prompt")
        value = keys.take("rubrics", "value", "criteria")
        model = keys.take_text("model")
        endpoint = self._targets.find_judge(keys.take_text("target"), keys.node, keys.where)
        if model is not None:
            endpoint["model"] = model
        keys.refuse("write the commands into a code_judge", "preprocessors", "max_steps", "config")
        if value is not None and isinstance(value.below, list):
            return endpoint | {"rubric": self.build_items(value.below, value, keys.where), "prompt": None}
        if value is not None and not isinstance(value.value, str):
            self._translation.refuse("must be text or a list of rubrics", value, keys.where)
        text = None if prompt is None else self._build_prompt(prompt, keys.where)
        rubric = value or build_scalar(_BY_CRITERIA if prompt is None else _BY_PROMPT, keys.node)
        if prompt is None and value is None:
            text = build_scalar(_DEFAULT_PROMPT, keys.node)
        return endpoint | {"rubric": rubric, "prompt": text}

    def build_default(self, at: Node, where: str) -> Node:
        """Return the judge that AgentV asks where a case has no evaluators: it judges by the criteria."""
        endpoint = self._targets.find_judge(None, at, where)
        rubric, prompt = build_scalar(_BY_CRITERIA, at), build_scalar(_DEFAULT_PROMPT, at)
        return build_mapping(
            {"type": build_scalar("llm_judge", at), **endpoint, "rubric": rubric, "prompt": prompt}, at
        )

    def build_rubric_of_texts(self, texts: Sequence[Node], where: str) -> Node:
        """Return the judge of a list of plain texts, each of which the answer must meet."""
        at = texts[0]
        endpoint = self._targets.find_judge(None, at, where)
        items = self.build_items(texts, at, where)
        names = {"name": build_scalar("rubrics", at), "type": build_scalar("llm_judge", at)}
        return build_mapping({**names, **endpoint, "rubric": items}, at)

    def build_items(self, nodes: Sequence[Node], at: Node, where: str) -> Node:
        return build_list([self._build_item(node, f"{where}.rubrics") for node in nodes], at)

    def _build_item(self, node: Node, where: str) -> Node:
        required = build_scalar(value=True, at=node)
        if isinstance(node.value, str):
            return build_mapping({"text": node, "required": required}, node)
        keys = Keys(node, self._translation, where)
        entries: Entries = {
            "id": keys.take_text("id"),
            "text": keys.take_text("outcome", "description", "expected_outcome", "text"),
            "weight": keys.take("weight"),
            "required": keys.take("required") or required,
        }
        keys.refuse("an item is met or not; write an item for each grade", "score_ranges", "min_score", "operator")
        keys.refuse("an item is met or not; write an item for each grade", "required_min_score")
        keys.end()
        if entries["text"] is None:
            self._translation.refuse("outcome is required", node, where)
        return build_mapping(entries, node)

    def _build_prompt(self, node: Node, where: str) -> Node | None:
        """Return a prompt with our names: that of a file, or the text itself if there is no such file."""
        if not isinstance(node.value, str) or node.value.endswith(_SCRIPTS):
            what = "a prompt is text with {{names}}, or a file with such a text; a script can be a code_judge"
            self._translation.refuse(what, node, f"{where}.prompt")
            return None
        name = node.value.removeprefix("file://")
        path = self._messages.find_file(name) if "\n" not in name else None
        if path is None and name.endswith((".md", ".txt")):
            self._translation.refuse(f"the file {name!r} does not exist", node, f"{where}.prompt")
            return None
        if path is not None:
            self._translation.files.append(path)
        return build_scalar(self._rename(read_text(path, str(path)) if path else node.value, node, where), node)

    def _rename(self, text: str, node: Node, where: str) -> str:
        pieces, end = list[str](), 0
        for match in _VARIABLE.finditer(text):
            name = _NAMES.get(match[1])
            if name is None:
                what = f"unknown name {match[1]!r} in the prompt; known: {', '.join(_NAMES)}"
                self._translation.refuse(what, node, f"{where}.prompt")
            pieces += [_escape(text[end : match.start()]), "{{ " + (name or "candidate") + " }}"]
            end = match.end()
        return "".join([*pieces, _escape(text[end:])])


def _escape(text: str) -> str:
    """Keep a text from being read as a template."""
    return "{% raw %}" + text + "{% endraw %}" if any(mark in text for mark in _MARKS) else text
