"""A suite of AgentV, in the spelling of January 2026 or a later one → a suite in our own spelling."""

import os
from pathlib import Path

from agentv_py.suite.agentv.cases import CaseTranslator, Defaults
from agentv_py.suite.agentv.dataset import read_cases
from agentv_py.suite.agentv.environment import fill_suite
from agentv_py.suite.agentv.evaluators import EvaluatorTranslator
from agentv_py.suite.agentv.judges import JudgeTranslator
from agentv_py.suite.agentv.messages import MessageTranslator
from agentv_py.suite.agentv.targets import TargetTranslator
from agentv_py.suite.read_suite import TargetChoice
from agentv_py.suite.translation import Keys, Translation, build_list, build_mapping, build_scalar
from agentv_py.suite.yaml_node import Node

_CASES = ("tests", "evalcases", "eval_cases")
_EVALUATORS = ("assertions", "assert", "evaluators")
_DESCRIPTION = ("$schema", "version", "author", "license", "requires", "category", "experiment")
_WORKSPACE = "there are no workspaces here; prepare the files before the run and name them in the input"


def translate(document: Node, file: str, choice: TargetChoice, base: Path | None = None) -> tuple[Node, list[Path]]:
    """Return the suite in our own spelling, and the files that were read. Raises InvalidSuite with every problem."""
    translation = Translation(file, base if base is not None else Path(os.path.dirname(file)))  # noqa: PTH120  "" stays ""
    return _SuiteTranslator(translation, choice).translate(document), translation.files


class _SuiteTranslator:
    def __init__(self, translation: Translation, choice: TargetChoice) -> None:
        self._translation = translation
        self._choice = choice
        self._targets = TargetTranslator(translation)
        self._messages = MessageTranslator(translation)
        self._judges = JudgeTranslator(translation, self._targets, self._messages)
        self._evaluators = EvaluatorTranslator(translation, self._judges)

    def translate(self, document: Node) -> Node:
        document = fill_suite(document, self._translation)
        keys = Keys(document, self._translation, "")
        execution = Keys(keys.take("execution") or build_mapping({}, document), self._translation, "execution")
        timeout = keys.take("timeout_seconds")
        target = execution.take("target") or keys.take("target")
        targets = self._build_targets(target, timeout)
        shared = self._build_shared(keys, execution, target)
        word, at = keys.find_spelling(*_CASES), keys.find_key(*_CASES)
        cases = read_cases(keys.take(*_CASES), document, self._translation, word)
        translator = CaseTranslator(self._translation, shared, self._evaluators, self._judges)
        name, threshold = keys.take_text("name", "suite", "dataset"), keys.take("threshold")
        stem = Path(self._translation.file).stem
        if name is None and stem.endswith(".eval"):
            name = build_scalar(stem.removesuffix(".eval"), document)
        budget = keys.take("budget_usd") or execution.take("budget_usd")
        entries = {
            "name": name,
            "description": keys.take_text("description"),
            "verdicts": None if threshold is None else build_mapping({"pass": threshold}, threshold),
            "budget": None if budget is None else build_mapping({"cost": budget}, budget),
            "targets": targets,
            "evaluators": build_list(shared.evaluators, shared.key) if shared.evaluators else None,
            "cases": build_list([translator.translate(case, f"{word}[{n}]") for n, case in enumerate(cases)], at),
        }
        self._refuse_the_rest(keys, execution)
        return self._translation.end(build_mapping(entries, document))

    def _build_targets(self, target: Node | None, timeout: Node | None) -> Node | None:
        if not self._choice.is_needed:
            return None
        names = [build_scalar(name, target or Node(1, 1)) for name in self._choice.names if self._targets.has(name)]
        if not names and target is None and self._targets.has("default"):
            names = [build_scalar("default", Node(1, 1))]
        chosen = names or ([] if target is None else [target])
        built = [node for name in chosen if (node := self._targets.translate(name, timeout)) is not None]
        return build_list(built, built[0]) if built else None

    def _build_shared(self, keys: Keys, execution: Keys, target: Node | None) -> Defaults:
        own = execution.find_spelling("evaluators", "assertions")
        early = self._evaluators.translate(execution.take_list("evaluators", "assertions"), f"execution.{own}")
        joins = "assertions" in keys or "assert" in keys or "tests" in keys
        late = self._evaluators.translate(keys.take_list(*_EVALUATORS), keys.find_spelling(*_EVALUATORS))
        given = keys.take("input")
        is_chosen = bool(self._choice.names) or not self._choice.is_needed
        name = target.value if target is not None and isinstance(target.value, str) else None
        return Defaults(
            [*early, *late],
            joins,
            [] if given is None else self._messages.build_messages(given, "user", "input"),
            keys.take_list("input_files"),
            keys.take("tags"),
            None if is_chosen else name,
            execution.find_key(*_EVALUATORS) if early else keys.find_key(*_EVALUATORS),
        )

    def _refuse_the_rest(self, keys: Keys, execution: Keys) -> None:
        keys.ignore(*_DESCRIPTION)
        execution.ignore("workers", "verbose", "keep_workspaces", "otel_file", "cache_path")
        keys.refuse(_WORKSPACE, "workspace", "hooks", "before_all", "extensions")
        keys.refuse("run each suite by its own name", "imports")
        keys.refuse("write a code_judge that reads the file", "preprocessors")
        for part in (keys, execution):
            part.refuse("write --repeat N and --pass-rule RULE on the command line", "repeat", "trials")
            part.refuse("name one target; choose others with --target NAME", "targets")
            part.refuse("write --no-cache on the command line, or leave it out", "cache")
        keys.refuse("write the messages under input", "prompts", "default_test")
        evaluator = keys.take_text("evaluator")
        if evaluator is not None and evaluator.value not in ("llm_judge", "llm-grader", "llm-judge"):
            self._translation.refuse("write the evaluators under execution.evaluators", evaluator, "evaluator")
        execution.end()
        keys.end()
