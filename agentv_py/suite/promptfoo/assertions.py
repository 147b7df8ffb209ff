"""promptfoo's assertions → our evaluators."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from agentv_py.errors import did_you_mean
from agentv_py.suite.promptfoo.providers import ProviderTranslator
from agentv_py.suite.promptfoo.scripts import LEVENSHTEIN_SCRIPT, Scripts
from agentv_py.suite.text_checks import CHECKS, UnsuitableValue, build_check
from agentv_py.suite.translation import Keys, Translation, build_list, build_mapping, build_scalar, build_value
from agentv_py.suite.variables import fill_variables
from agentv_py.suite.yaml_node import Node

_FILE = "file://"
_SCRIPTS = {"javascript": (".js", ".mjs", ".cjs", ".ts"), "python": (".py",)}
_MOST_LETTERS = 5
_LEAST_SIMILARITY = 0.75
_ABOVE_ZERO = 1e-6  # without a threshold, promptfoo lets any score above 0 pass
_EMBEDDING = "openai:embedding:text-embedding-3-large"
_GRADER = "name the model that judges: provider: openai:chat:MODEL, here or under defaultTest.options"
Entries = dict[str, Node | None]


class AssertionTranslator:
    def __init__(self, translation: Translation, providers: ProviderTranslator, scripts: Scripts) -> None:
        self._translation = translation
        self._providers = providers
        self._scripts = scripts
        self._variables: Mapping[str, Any] = {}
        self._grader: Node | None = None
        self.expected: Node | None = None
        """The expected value of the case: what an assertion compares by meaning."""
        self._builders: dict[str, Callable[[Keys, Node | None], Entries]] = {
            **{kind.replace("_", "-"): self._build_check(kind) for kind in CHECKS if kind != "is_json"},
            "is-json": self._build_is_json,
            "contains-json": self._build_contains_json,
            "levenshtein": self._build_levenshtein,
            "similar": self._build_similar,
            "cost": lambda keys, _: {"type": _name("cost", keys), "max": self._take_threshold(keys)},
            "latency": lambda keys, _: {"type": _name("latency", keys), "max_ms": self._take_threshold(keys)},
            "javascript": self._build_script("javascript"),
            "python": self._build_script("python"),
            "llm-rubric": self._build_rubric,
        }

    def translate(
        self, nodes: Sequence[Node], variables: Mapping[str, Any], grader: Node | None, *, all_must_pass: bool
    ) -> list[Node]:
        """Return the evaluators of one test. Without a threshold, promptfoo wants every assertion to pass."""
        self._variables, self._grader, self.expected = variables, grader, None
        return [node for item in nodes if (node := self._translate_one(item, all_must_pass=all_must_pass)) is not None]

    def _translate_one(self, node: Node, *, all_must_pass: bool) -> Node | None:
        keys = Keys(node, self._translation, "assert")
        given = keys.take_text("type")
        if given is None:
            keys.take_rest()
            self._translation.refuse("type is required", node, "assert")
            return None
        kind = given.value.removeprefix("not-")
        weight = keys.take("weight")
        counts = weight is None or weight.value != 0
        entries: Entries = {"name": keys.take_text("metric"), "type": None, "weight": weight}
        if all_must_pass and counts:
            entries["required"] = build_scalar(value=True, at=given)
        if kind != given.value:
            entries["negate"] = build_scalar(value=True, at=given)
        keys.refuse("transform the answer in the provider itself", "transform", "contextTransform")
        keys.refuse("write what the prompt says into value", "rubricPrompt")
        built = self._build_set(keys) if kind == "assert-set" else self._build(kind, given, keys)
        keys.end()
        if built is None:
            return None
        own_type = built.get("type")
        if entries["name"] is None and own_type is not None and own_type.value != kind.replace("-", "_"):
            entries["name"] = build_scalar(given.value, given)
        return build_mapping(entries | built, node)

    def _build(self, kind: str, given: Node, keys: Keys) -> Entries | None:
        build = self._builders.get(kind)
        if build is None:
            keys.take_rest()
            known = [*self._builders, "assert-set"]
            hint = did_you_mean(kind, known) or ";"
            valid = f"valid: {', '.join(known)}, each also with not-"
            self._translation.refuse(f"{given.value!r} cannot be translated{hint} {valid}", given, "assert.type")
            return None
        value = keys.take("value")
        return build(keys, None if value is None else fill_variables(value, self._variables))

    def _build_set(self, keys: Keys) -> Entries:
        threshold = keys.take("threshold")
        nodes = (self._translate_one(item, all_must_pass=False) for item in keys.take_list("assert"))
        members = [node for node in nodes if node is not None]
        aggregate = build_scalar("all", keys.node)
        if threshold is not None:
            aggregate = build_mapping({"score": threshold}, threshold)
        return {"type": _name("composite", keys), "aggregate": aggregate, "members": build_list(members, keys.node)}

    def _build_check(self, kind: str) -> Callable[[Keys, Node | None], Entries]:
        def build(keys: Keys, value: Node | None) -> Entries:
            try:
                return dict(build_check(kind, value, keys.node, is_literal=True))
            except UnsuitableValue as error:
                what = str(error).replace(kind, kind.replace("_", "-"))
                self._translation.refuse(what, value or keys.node, keys.where)
                return {}

        return build

    def _build_is_json(self, keys: Keys, value: Node | None) -> Entries:
        whole: Entries = {"type": _name("is_json", keys)}
        if value is None:
            return whole
        members = [build_mapping(whole, keys.node), build_mapping(self._build_contains_json(keys, value), keys.node)]
        rule = build_scalar("all", keys.node)
        return {"type": _name("composite", keys), "aggregate": rule, "members": build_list(members, keys.node)}

    def _build_contains_json(self, keys: Keys, value: Node | None) -> Entries:
        if value is None:
            return {"type": _name("is_json", keys), "anywhere": build_scalar(value=True, at=keys.node)}
        schema = value
        if isinstance(schema.value, str):
            schema = build_scalar(self._translation.relate(schema.value.removeprefix(_FILE)), schema)
        return {"type": _name("json_schema", keys), "schema": schema}

    def _build_levenshtein(self, keys: Keys, value: Node | None) -> Entries:
        most = self._take_threshold(keys, _MOST_LETTERS)
        script = ["python3", self._scripts.add("levenshtein.py", LEVENSHTEIN_SCRIPT)]
        text = self._require_text(keys, value)
        return {"type": _name("code_judge", keys), "script": build_value(script, keys.node), "text": text, "most": most}

    def _build_similar(self, keys: Keys, value: Node | None) -> Entries:
        text = self._require_text(keys, value)
        if self.expected is not None and text is not None and self.expected.value != text.value:
            what = "a case has one expected value; move this assertion into a test of its own"
            self._translation.refuse(what, text, keys.where)
        self.expected = text
        provider = keys.take("provider") or build_scalar(_EMBEDDING, keys.node)
        endpoint = self._providers.build_endpoint(provider, keys.where)
        backend = build_mapping({"type": build_scalar("embedding", provider), **endpoint}, provider)
        least = self._take_threshold(keys, _LEAST_SIMILARITY)
        leaf: Entries = {"match": build_scalar("semantic", keys.node), "threshold": least, "backend": backend}
        comparators = build_mapping(leaf, keys.node)
        return {"type": _name("object_match", keys), "min_score": least, "comparators": comparators}

    def _build_script(self, language: str) -> Callable[[Keys, Node | None], Entries]:
        def build(keys: Keys, value: Node | None) -> Entries:
            text = self._require_text(keys, value)
            if text is None:
                return {}
            config = keys.take("config")
            extra = config.below if config is not None and isinstance(config.below, dict) else {}
            script = build_value(self._add_script(language, str(text.value), text), text)
            least = self._take_threshold(keys, _ABOVE_ZERO)
            return {"type": _name("code_judge", keys), "min_score": least, "script": script, **extra}

        return build

    def _add_script(self, language: str, code: str, at: Node) -> list[str]:
        path, _, function = code.removeprefix(_FILE).partition(":")
        is_file = code.startswith(_FILE)
        if is_file and not path.endswith(_SCRIPTS[language]):
            self._translation.refuse(
                f"a file of {language} ends with {' '.join(_SCRIPTS[language])}", at, "assert.value"
            )
        if is_file and not (self._translation.folder / path).is_file():
            self._translation.refuse(f"the file {path!r} does not exist", at, "assert.value")
        if language == "python":
            add = self._scripts.add_python_file(path, function) if is_file else self._scripts.add_python(code)
            return ["python3", add]
        add = self._scripts.add_javascript_file(path, function) if is_file else self._scripts.add_javascript(code)
        return ["node", add]

    def _build_rubric(self, keys: Keys, value: Node | None) -> Entries:
        provider = keys.take("provider") or self._grader
        if provider is None:
            self._translation.refuse(_GRADER, keys.node, keys.where)
        endpoint = {} if provider is None else self._providers.build_endpoint(provider, keys.where)
        least = self._take_threshold(keys) if "threshold" in keys else None
        rubric = self._require_text(keys, value)
        return {"type": _name("llm_judge", keys), "min_score": least, **endpoint, "rubric": rubric}

    def _take_threshold(self, keys: Keys, default: float | None = None) -> Node | None:
        node = keys.take("threshold")
        if node is None and default is None:
            self._translation.refuse("threshold is required", keys.node, keys.where)
        return node or (None if default is None else build_scalar(default, keys.node))

    def _require_text(self, keys: Keys, value: Node | None) -> Node | None:
        if value is None or not isinstance(value.value, str):
            self._translation.refuse("value must be text", value or keys.node, keys.where)
            return None
        return value


def _name(kind: str, keys: Keys) -> Node:
    return build_scalar(kind, keys.node)
