"""promptfoo's tests and defaultTest → our cases."""

import os
from collections.abc import Sequence
from pathlib import Path

from agentv_py import jsontext
from agentv_py.suite.agentv.targets import set_file
from agentv_py.suite.datasets.files import find_files
from agentv_py.suite.promptfoo.assertions import AssertionTranslator
from agentv_py.suite.text_file import read_text
from agentv_py.suite.translation import (
    Keys,
    Translation,
    build_list,
    build_mapping,
    build_scalar,
    build_value,
    number_names,
)
from agentv_py.suite.yaml_document import read_yaml
from agentv_py.suite.yaml_node import Node

_FILE = "file://"
_TEXTS = (".txt", ".md", ".json", ".yaml", ".yml")


class TestTranslator:
    def __init__(
        self, translation: Translation, default: Node | None, assertions: AssertionTranslator, names: set[str]
    ) -> None:
        self._translation = translation
        self._assertions = assertions
        self._names = names
        keys = Keys(default or build_mapping({}, Node(1, 1)), translation, "defaultTest")
        self._variables = self._read_variables(keys.take("vars"))
        self._nodes = keys.take_list("assert")
        self._grader = self._take_grader(keys)
        self._threshold = keys.take("threshold")
        self._metadata = keys.take("metadata")
        self._thresholds: list[Node | None] = []
        keys.ignore("description")
        keys.end()

    def translate(self, node: Node | None, document: Node) -> list[Node]:
        items = self._list_tests(node) if node is not None else []
        if not items:
            self._translation.refuse("there are no tests", node or document, "tests")
        return [self._translate_one(item, number) for number, item in enumerate(items, 1)]

    def build_verdicts(self) -> Node | None:
        """Return the one threshold of all tests. Refuse tests with different ones."""
        values = {None if node is None else repr(node.value) for node in self._thresholds}
        first = next((node for node in self._thresholds if node is not None), None)
        if len(values) > 1 and first is not None:
            self._translation.refuse("tests with different thresholds need a suite each", first, "tests.threshold")
        return None if first is None else build_mapping({"pass": first}, first)

    def _translate_one(self, node: Node, number: int) -> Node:
        keys = Keys(node, self._translation, f"tests[{number - 1}]")
        variables = self._variables | self._read_variables(keys.take("vars"))
        for name in sorted(self._names - variables.keys()):
            self._translation.refuse(f"the prompt names {name!r}; add it under vars", node, keys.where)
        threshold = keys.take("threshold") or self._threshold
        self._thresholds.append(threshold)
        own, grader = keys.take_list("assert"), self._take_grader(keys) or self._grader
        values = {name: item.value for name, item in variables.items()}
        nodes = [*self._nodes, *own]
        evaluators = self._assertions.translate(nodes, values, grader, all_must_pass=threshold is None)
        if not nodes:
            self._translation.refuse("a test needs an assertion: assert: [{type: ..., value: ...}]", node, keys.where)
        entries = {
            "id": build_scalar(f"test-{number}", node),
            "input": build_mapping(variables, node),
            "expected": self._assertions.expected,
            "metadata": self._build_metadata(keys),
            "evaluators": build_list(number_names(evaluators), keys.find_key("assert")),
        }
        keys.refuse("ask other providers in a suite of their own", "provider", "providers", "prompts")
        keys.end()
        return build_mapping(entries, node)

    def _build_metadata(self, keys: Keys) -> Node | None:
        description, own = keys.take_text("description"), keys.take("metadata")
        entries: dict[str, Node | None] = {"description": description}
        for node in (self._metadata, own):
            entries |= node.below if node is not None and isinstance(node.below, dict) else {}
        built = build_mapping(entries, own or description or keys.node)
        return built if built.below else None

    def _take_grader(self, keys: Keys) -> Node | None:
        options = keys.take("options")
        if options is None:
            return None
        option_keys = Keys(options, self._translation, f"{keys.where}.options")
        grader = option_keys.take("provider")
        option_keys.refuse("transform the answer in the provider itself", "transform", "postprocess", "transformVars")
        option_keys.refuse("write it into the prompt", "prefix", "suffix")
        option_keys.refuse("write what it says into the value of each llm-rubric", "rubricPrompt")
        option_keys.end()
        return grader

    def _read_variables(self, node: Node | None) -> dict[str, Node]:
        below = node.below if node is not None and isinstance(node.below, dict) else {}
        if node is not None and not isinstance(node.below, dict):
            self._translation.refuse("write vars as a mapping of names to values", node, "vars")
        return {name: self._read_variable(item) for name, item in below.items()}

    def _read_variable(self, node: Node) -> Node:
        if isinstance(node.below, list):
            what = "a list of values means a test for each of them; write these tests"
            self._translation.refuse(what, node, "vars")
        if not (isinstance(node.value, str) and node.value.startswith(_FILE)):
            return node
        path = self._translation.folder / node.value.removeprefix(_FILE)
        if not path.name.endswith(_TEXTS) or not path.is_file():
            what = f"{node.value!r} must be a file of text that exists: {' '.join(_TEXTS)}"
            self._translation.refuse(what, node, "vars")
            return node
        return build_scalar(read_text(path, str(path)), node)

    def _list_tests(self, node: Node) -> list[Node]:
        items: Sequence[Node] = node.below if isinstance(node.below, list) else [node]
        tests: list[Node] = []
        for item in items:
            tests += self._read_file(item) if isinstance(item.value, str) else [item]
        return tests

    def _read_file(self, node: Node) -> list[Node]:
        """Return the tests of a file of YAML, JSON or JSONL."""
        folder = os.path.dirname(self._translation.file)  # noqa: PTH120  keeps the user's spelling
        paths, problem = find_files(folder, node.value.removeprefix(_FILE))
        if not problem and any(path.endswith(".csv") for path in paths):
            problem = "is a table; write its tests as YAML or JSONL"
        if problem:
            self._translation.refuse(f"{node.value!r} {problem}", node, "tests")
            return []
        try:
            return [test for path in paths for test in _read_tests(path)]
        except jsontext.NotJson as error:
            self._translation.refuse(f"{node.value!r} has a line that is not valid JSON: {error}", node, "tests")
            return []


def _read_tests(path: str) -> list[Node]:
    if path.endswith((".jsonl", ".ndjson")):
        lines = enumerate(read_text(Path(path), path).splitlines(), 1)
        return [
            build_value(jsontext.loads_text(line), Node(number, 1, file=path)) for number, line in lines if line.strip()
        ]
    document = read_yaml(Path(path), path)  # JSON is YAML
    set_file(document, path)
    return document.below if isinstance(document.below, list) else [document]
