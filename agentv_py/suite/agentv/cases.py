"""A case of AgentV → our case."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from agentv_py.suite.agentv.evaluators import EvaluatorTranslator
from agentv_py.suite.agentv.judges import JudgeTranslator
from agentv_py.suite.agentv.messages import MessageTranslator
from agentv_py.suite.translation import Keys, Translation, build_list, build_mapping, build_scalar, number_names
from agentv_py.suite.variables import fill_variables
from agentv_py.suite.yaml_node import Node

_TO_METADATA = ("conversation_id", "note", "category")
_WORKSPACE = "there are no workspaces here; prepare the files before the run and name them in the input"
_TURNS = "write the messages of the conversation into input"


@dataclass(slots=True)
class Defaults:
    """What the suite gives to each of its cases."""

    evaluators: Sequence[Node]
    joins: bool
    """Whether the suite's evaluators join a case's own ones, as in the later spelling, or are replaced by them."""
    messages: Sequence[Node] = ()
    files: Sequence[Node] = ()
    tags: Node | None = None
    target: str | None = None
    """The target that the suite names; a case may name no other."""
    key: Node = field(default_factory=lambda: Node(1, 1))
    """The key under which the evaluators are."""


class CaseTranslator:
    def __init__(
        self, translation: Translation, shared: Defaults, evaluators: EvaluatorTranslator, judges: JudgeTranslator
    ) -> None:
        self._translation = translation
        self._shared = shared
        self._evaluators = evaluators
        self._judges = judges
        self._messages = MessageTranslator(translation)

    def translate(self, node: Node, where: str) -> Node:
        keys = Keys(self._fill(node), self._translation, where)
        execution = keys.take("execution")
        execution_keys = Keys(execution or build_mapping({}, node), self._translation, f"{where}.execution")
        skips = execution_keys.take_flag("skip_defaults")
        expected = keys.take("expected_output", "expected_messages")
        value, messages = (None, None) if expected is None else self._messages.build_expected(expected)
        entries = {
            "id": keys.take("id"),
            "tags": self._join_tags(keys.take("tags")),
            "input": self._build_input(keys, node, where, skips=skips),
            "expected": value,
            "metadata": self._build_metadata(keys, messages),
            "evaluators": self._build_evaluators(keys, execution_keys, skips=skips),
        }
        self._check_target(execution_keys.take_text("target") or keys.take_text("target"), where)
        keys.refuse(_WORKSPACE, "workspace", "before", "after", "hooks")
        keys.refuse(_TURNS, "turns", "mode", "aggregation", "on_turn_failure", "window_size")
        keys.refuse("cases are independent of each other here", "depends_on")
        keys.refuse("write --repeat N on the command line, or repeat: N in the target", "repeat", "trials")
        keys.ignore("vars", "dataset", "suite", "evaluator")
        execution_keys.end()
        keys.end()
        return build_mapping(entries, node)

    def _fill(self, node: Node) -> Node:
        """Fill in the case's own variables, except among the variables themselves."""
        below = node.below if isinstance(node.below, dict) else {}
        values = below["vars"].value if "vars" in below else None
        if not isinstance(values, dict):
            return node
        return build_mapping(
            {key: item if key == "vars" else fill_variables(item, values) for key, item in below.items()}, node
        )

    def _build_input(self, keys: Keys, node: Node, where: str, *, skips: bool) -> Node:
        given = keys.take("input", "input_messages")
        own_files = keys.take_list("input_files")
        if given is None:
            self._translation.refuse("input is required", node, where)
            given = build_scalar("", node)
        word = keys.find_spelling("input", "input_messages")
        messages = self._messages.build_messages(given, "user", f"{where}.{word}")
        names = own_files or ([] if skips else list(self._shared.files))
        if names:
            messages[-1] = self._attach(messages[-1], names, where)
        before = [] if skips else self._shared.messages
        return build_list([*before, *messages], given)

    def _attach(self, message: Node, names: Sequence[Node], where: str) -> Node:
        """Put files before the content of a message."""
        below = dict(message.below) if isinstance(message.below, dict) else {}
        content = below["content"]
        text = build_mapping({"type": build_scalar("text", content), "value": content}, content)
        parts = content.below if isinstance(content.below, list) else [text]
        files = self._messages.build_file_parts(list(names), where)
        return build_mapping(below | {"content": build_list([*files, *parts], content)}, message)

    def _build_metadata(self, keys: Keys, messages: Node | None) -> Node | None:
        own = keys.take("metadata")
        criteria = keys.take_text("criteria", "expected_outcome", "outcome")
        entries = {"criteria": criteria, **{name: keys.take(name) for name in _TO_METADATA}}
        entries["expected_messages"] = messages
        if own is not None and isinstance(own.below, dict):
            entries |= own.below
        built = build_mapping(entries, own or criteria or keys.node)
        return built if built.below else None

    def _join_tags(self, own: Node | None) -> Node | None:
        tags = [tag for node in (own, self._shared.tags) if node is not None for tag in _list_items(node)]
        unique = {str(tag.value): tag for tag in reversed(tags)}
        return build_list(reversed(unique.values()), own or tags[0]) if tags else own

    def _build_evaluators(self, keys: Keys, execution: Keys, *, skips: bool) -> Node | None:
        """Return the case's own evaluators; None if those of the suite apply as they are."""
        own = [
            *self._translate_list(execution, "evaluators", "assertions"),
            *self._translate_list(keys, "assertions", "assert", "evaluators"),
        ]
        rubrics = keys.take("rubrics")
        if rubrics is not None and isinstance(rubrics.below, list):
            own.insert(0, self._build_rubrics(rubrics, keys.where))
        shared = [] if skips else list(self._shared.evaluators)
        joins = self._shared.joins or (rubrics is not None and len(own) == 1)
        chosen = [*own, *shared] if own and joins else own
        if chosen:
            return build_list(number_names(chosen), chosen[0])
        return None if shared else build_list([self._judges.build_default(keys.node, keys.where)], keys.node)

    def _translate_list(self, keys: Keys, *names: str) -> list[Node]:
        return self._evaluators.translate(keys.take_list(*names), f"{keys.where}.{keys.find_spelling(*names)}")

    def _build_rubrics(self, rubrics: Node, where: str) -> Node:
        judge = Keys(build_mapping({"rubrics": rubrics}, rubrics), self._translation, where)
        names = {"name": build_scalar("rubrics", rubrics), "type": build_scalar("llm_judge", rubrics)}
        return build_mapping(names | self._judges.build(judge), rubrics)

    def _check_target(self, target: Node | None, where: str) -> None:
        if target is not None and self._shared.target not in (None, target.value):
            what = (
                f"this case names {target.value!r}, the suite {self._shared.target!r}; evalctl asks each target about"
            )
            what += " every case: move the case into a suite of its own, or choose one with --target"
            self._translation.refuse(what, target, f"{where}.target")


def _list_items(node: Node) -> list[Node]:
    return node.below if isinstance(node.below, list) else [node]
