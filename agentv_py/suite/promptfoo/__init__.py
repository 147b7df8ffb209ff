"""A configuration of promptfoo, the subset with one prompt → a suite in our own spelling, and its scripts."""

from collections.abc import Sequence
from pathlib import Path

from agentv_py.suite.promptfoo.assertions import AssertionTranslator
from agentv_py.suite.promptfoo.prompt import Prompt
from agentv_py.suite.promptfoo.providers import ProviderTranslator
from agentv_py.suite.promptfoo.scripts import Scripts
from agentv_py.suite.promptfoo.tests import TestTranslator
from agentv_py.suite.translation import Keys, Translation, build_list, build_mapping
from agentv_py.suite.yaml_node import Node

_DESCRIPTION = ("$schema", "outputPath", "sharing", "tags", "metadata", "writeLatestResults", "commandLineOptions")


def translate(document: Node, file: str, base: Path, scripts_folder: str) -> tuple[Node, dict[str, str]]:
    """Return the suite in our own spelling, and the scripts that it starts. Raises InvalidSuite with every problem."""
    translation = Translation(file, base)
    scripts = Scripts(translation, scripts_folder)
    keys = Keys(document, translation, "")
    prompt = Prompt(keys.take("prompts"), translation)
    providers = ProviderTranslator(translation, prompt, scripts)
    options = Keys(keys.take("evaluateOptions") or build_mapping({}, document), translation, "evaluateOptions")
    targets = _build_targets(keys, providers, options)
    assertions = AssertionTranslator(translation, providers, scripts)
    tests = TestTranslator(translation, keys.take("defaultTest"), assertions, prompt.names)
    at = keys.find_key("tests")
    cases = tests.translate(keys.take("tests"), document)
    _refuse_the_rest(keys, options)
    entries = {
        "description": keys.take_text("description"),
        "verdicts": tests.build_verdicts(),
        "targets": targets,
        "cases": build_list(cases, at),
    }
    keys.end()
    options.end()
    return translation.end(build_mapping(entries, document)), scripts.files


def _build_targets(keys: Keys, providers: ProviderTranslator, options: Keys) -> Node | None:
    at = keys.find_key("providers", "targets")
    given = keys.take("providers", "targets")
    shared = {"max_concurrency": options.take("maxConcurrency"), "repeat": options.take("repeat")}
    nodes: Sequence[Node] = () if given is None else given.below if isinstance(given.below, list) else [given]
    built = [node for item in nodes if (node := providers.translate(item)) is not None]
    targets = [
        build_mapping({**(node.below if isinstance(node.below, dict) else {}), **shared}, node) for node in built
    ]
    return build_list(targets, at) if targets else None


def _refuse_the_rest(keys: Keys, options: Keys) -> None:
    keys.ignore(*_DESCRIPTION)
    options.ignore("showProgressBar", "cache")
    options.refuse("write requests_per_minute into the converted suite", "delay")
    keys.refuse("set the variables in the environment of the run", "env")
    keys.refuse("write each test under tests", "scenarios")
    keys.refuse("write the prompt as plain text", "nunjucksFilters")
    keys.refuse("write an evaluator instead", "derivedMetrics")
    keys.refuse("there are no extensions here", "extensions", "redteam")
