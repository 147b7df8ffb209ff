"""AgentV's evaluators, in the spelling of any of its versions → ours."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from agentv_py.errors import did_you_mean
from agentv_py.suite.agentv.judges import JudgeTranslator
from agentv_py.suite.agentv.shell import split_command
from agentv_py.suite.text_checks import CHECKS, UnsuitableValue, build_check
from agentv_py.suite.translation import Keys, Translation, build_list, build_mapping, build_scalar, build_value
from agentv_py.suite.yaml_node import Node

_MEMBERS = ("evaluators", "assertions", "assert", "graders")
_OTHER_NAMES = {
    "code": "code_judge",
    "code_grader": "code_judge",
    "script": "code_judge",
    "llm_grader": "llm_judge",
    "llm_rubric": "llm_judge",
    "rubric": "llm_judge",
    "rubrics": "llm_judge",
    "g_eval": "llm_judge",
}
_METRICS: dict[str, dict[str, tuple[str, ...]]] = {
    "latency": {"max_ms": ("max_ms", "threshold")},
    "cost": {"max": ("max_usd", "budget", "limit", "max", "threshold")},
    "token_usage": {
        "max_total": ("max_total", "max_total_tokens"),
        "max_input": ("max_input", "max_input_tokens"),
        "max_output": ("max_output", "max_output_tokens"),
    },
}
_LIMITS = "write latency, cost and token_usage evaluators instead"
Entries = dict[str, Node | None]


class EvaluatorTranslator:
    def __init__(self, translation: Translation, judges: JudgeTranslator) -> None:
        self._translation = translation
        self._judges = judges
        self._builders: dict[str, Callable[[Keys], Entries]] = {
            "code_judge": self._build_code_judge,
            "llm_judge": self._judges.build,
            "field_accuracy": self._build_field_accuracy,
            "composite": self._build_composite,
            "tool_trajectory": self._build_trajectory,
            **{kind: self._build_metric(kind) for kind in _METRICS},
            **{kind: self._build_text_check(kind) for kind in CHECKS},
        }

    def translate(self, nodes: Sequence[Node], where: str) -> list[Node]:
        """Return the evaluators of a list. The plain texts in it are the items of one rubric."""
        criteria = [node for node in nodes if isinstance(node.value, str)]
        evaluators = [self._translate_one(node, where) for node in nodes if not isinstance(node.value, str)]
        rubric = [self._judges.build_rubric_of_texts(criteria, where)] if criteria else []
        return [node for node in (*rubric, *evaluators) if node is not None]

    def _translate_one(self, node: Node, where: str) -> Node | None:
        keys = Keys(node, self._translation, where)
        given = keys.take_text("type")
        keys.refuse("write the evaluators of that file here", "include")
        if given is None:
            self._translation.refuse("type is required", node, where)
            return None
        kind, negated = _normalize(given.value)
        build = self._builders.get(kind)
        if build is None:
            self._refuse_type(given, kind, where)
            return None
        entries: Entries = {"name": keys.take_text("name", "metric"), "type": build_scalar(kind, given)}
        entries |= {"weight": keys.take("weight"), **self._build_gate(keys)}
        negate = keys.take("negate")
        entries["negate"] = build_scalar(value=True, at=given) if negated else negate
        built = build(keys)
        keys.end()
        own_type = built.get("type")
        if entries["name"] is None and own_type is not None and own_type.value != kind:
            entries["name"] = build_scalar(given.value, given)
        entries |= built
        return build_mapping(entries, node)

    def _build_gate(self, keys: Keys) -> Entries:
        """Return what makes a case fail: `required: 0.6` is a required evaluator with a pass mark of its own."""
        required, least = keys.take("required"), keys.take("min_score")
        if required is None or isinstance(required.value, bool):
            return {"required": required, "min_score": least}
        return {"required": build_scalar(value=True, at=required), "min_score": required}

    def _build_code_judge(self, keys: Keys) -> Entries:
        script = keys.take("script", "command")
        keys.refuse("a judge cannot ask a target here; ask the model from the script itself", "target")
        keys.refuse("there are no workspaces here; name the files in the input", "workspace", "preprocessors")
        if script is None:
            self._translation.refuse("command is required", keys.node, keys.where)
        elif isinstance(script.value, str):
            script = build_value(split_command(script.value), script)
        cwd = keys.take_text("cwd")
        if cwd is not None or not self._translation.stays_in_folder:
            folder = self._translation.relate(cwd.value if cwd is not None else ".")
            cwd = build_scalar(folder, cwd or keys.node)
        return {"script": script, "cwd": cwd, **keys.take_rest()}

    def _build_field_accuracy(self, keys: Keys) -> Entries:
        return {"fields": keys.take("fields"), "aggregation": keys.take("aggregation")}

    def _build_composite(self, keys: Keys) -> Entries:
        members = self.translate(keys.take_list(*_MEMBERS), f"{keys.where}.{keys.find_spelling(*_MEMBERS)}")
        node = keys.take("aggregator")
        if node is None:
            return {"members": build_list(members, keys.node)}
        aggregator = Keys(node, self._translation, f"{keys.where}.aggregator")
        kind = aggregator.take_text("type")
        weights, threshold = aggregator.take("weights"), aggregator.take("threshold")
        name, _ = _normalize(kind.value if kind is not None else "weighted_average")
        if name not in ("weighted_average", "threshold"):
            aggregator.take_rest()
            what = f"a composite cannot be aggregated by {kind.value if kind else name!r} here"
            what += "; write weighted_average or threshold, or make the script a code_judge of the case"
            self._translation.refuse(what, kind or node, aggregator.where)
        aggregator.end()
        if weights is not None and isinstance(weights.below, dict):
            members = self._weigh(members, weights)
        share = {"pass_share": threshold or build_scalar(0.5, node)}
        aggregate = build_mapping(share, node) if name == "threshold" else None
        return {"aggregate": aggregate, "members": build_list(members, keys.node)}

    def _weigh(self, members: Iterable[Node], weights: Node) -> list[Node]:
        below = weights.below if isinstance(weights.below, dict) else {}
        left = dict(below)
        weighed = []
        for member in members:
            name = str(member.value.get("name", ""))
            entries: Any = member.below
            weighed.append(build_mapping({**entries, "weight": left.pop(name)}, member) if name in left else member)
        for name, node in left.items():
            self._translation.refuse(f"no member is named {name!r}", node, "aggregator.weights")
        return weighed

    def _build_trajectory(self, keys: Keys) -> Entries:
        rule = keys.take("args_match")
        entries = {"mode": keys.take("mode"), "minimums": keys.take("minimums")}
        items = [self._build_call(item, rule, keys.where) for item in keys.take_list("expected")]
        return entries | {"expected": build_list(items, keys.node) if items else None}

    def _build_call(self, node: Node, rule: Node | None, where: str) -> Node:
        keys = Keys(node, self._translation, f"{where}.expected")
        entries: Entries = {
            "tool": keys.take_text("tool"),
            "args": keys.take("args"),
            "args_match": keys.take("args_match"),
        }
        keys.refuse("no time is known for a single call; write a latency evaluator", "max_duration_ms")
        keys.end()
        args = entries["args"]
        if args is not None and args.value == "any":
            entries |= {"args": None, "args_match": None}
        elif args is not None:
            entries |= self._build_args(args, entries["args_match"] or rule or build_scalar("superset", args), keys)
        return build_mapping(entries, node)

    def _build_args(self, args: Node, rule: Node, keys: Keys) -> Entries:
        """Return which arguments count. A list names those that are compared; a call may have any others."""
        if not isinstance(rule.below, list):
            return {"args_match": rule}
        given = args.below if isinstance(args.below, dict) else {}
        listed: Entries = {}
        for item in rule.below:
            if isinstance(item.value, str) and item.value in given:
                listed[item.value] = given[item.value]
                continue
            what = f"args has no {item.value!r}{did_you_mean(str(item.value), list(given))}"
            self._translation.refuse(f"{what}; name keys of args", item, f"{keys.where}.args_match")
        return {"args": build_mapping(listed, args), "args_match": build_scalar("superset", rule)}

    def _build_metric(self, kind: str) -> Callable[[Keys], Entries]:
        options = _METRICS[kind]
        return lambda keys: {name: keys.take(*spellings) for name, spellings in options.items()}

    def _build_text_check(self, kind: str) -> Callable[[Keys], Entries]:
        def build(keys: Keys) -> Entries:
            value, flags = keys.take("value", "pattern"), keys.take_text("flags")
            try:
                return dict(build_check(kind, value, keys.node, flags.value if flags else ""))
            except UnsuitableValue as error:
                self._translation.refuse(str(error), value or keys.node, keys.where)
                return {}

        return build

    def _refuse_type(self, given: Node, kind: str, where: str) -> None:
        known = sorted(self._builders)
        hint = did_you_mean(kind, known) or ";"
        way_out = _LIMITS if kind == "execution_metrics" else f"valid: {', '.join(known)}"
        self._translation.refuse(f"{given.value!r} cannot be translated{hint} {way_out}", given, f"{where}.type")


def _normalize(kind: str) -> tuple[str, bool]:
    """Return the type in our spelling, and whether it begins with not-."""
    name = kind.replace("-", "_")
    negated = name.startswith("not_")
    name = name.removeprefix("not_")
    return _OTHER_NAMES.get(name, name), negated
