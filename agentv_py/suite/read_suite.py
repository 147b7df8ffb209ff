"""A suite file, in our own spelling or in AgentV's → a document in our own spelling."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from agentv_py.errors import InvalidSuite, Problem
from agentv_py.suite.yaml_document import read_yaml
from agentv_py.suite.yaml_node import Node

_CASES_OF_OTHERS = ("evalcases", "eval_cases", "tests", "execution")
_KEYS_OF_RESULTS = frozenset({"suite", "case_id", "status", "evaluator_results"})
_PROMPTFOO = ("providers", "prompts", "defaultTest")


class TargetChoice(NamedTuple):
    """Which targets the caller wants."""

    names: Sequence[str] = ()
    """The targets to ask instead of the suite's."""
    is_needed: bool = True
    """False: the answers come from elsewhere, so that the suite's target need not exist."""


def read_suite(file: str, choice: TargetChoice) -> tuple[Node, list[Path]]:
    """Return the document, and the files that were read besides the suite. Raises InvalidSuite."""
    document = read_document(file)
    if not isinstance(document.below, dict):
        raise InvalidSuite(document.build_problem("a suite must be a mapping", "", file))
    if not is_agentv(document):
        _refuse_promptfoo(document, file)
        if "extends" not in document.below:
            return document, []
        from agentv_py.suite.extension import extend  # few suites extend another

        return extend(document, file)
    from agentv_py.suite.agentv import translate  # most suites are in our own spelling

    translated, files = translate(document, file, choice)
    return translated, [*files, *([Path(document.file)] if document.file else [])]


def is_agentv(document: Node) -> bool:
    """Tell whether a document is a suite of AgentV, or the sidecar of one of its datasets."""
    keys = document.below if isinstance(document.below, dict) else {}
    return "cases" not in keys and not is_promptfoo(document) and any(key in keys for key in _CASES_OF_OTHERS)


def is_promptfoo(document: Node) -> bool:
    keys = document.below if isinstance(document.below, dict) else {}
    return "tests" in keys and any(key in keys for key in _PROMPTFOO) and "target" not in keys


def read_document(file: str) -> Node:
    """Return a suite file as it is written; a JSONL file of AgentV's cases with its sidecar. Raises InvalidSuite."""
    if file.endswith(".jsonl"):
        from agentv_py.suite.agentv.dataset import read_dataset

        document = read_dataset(file)
        if document is not None:
            return document
        raise InvalidSuite(Problem(_explain_rows(file), "", file))
    return read_yaml(Path(file), file)


def _explain_rows(file: str) -> str:
    """Say what the rows of a JSONL file are, and which command takes them."""
    from agentv_py.suite.datasets import read_decoded_rows

    row = next(iter(read_decoded_rows(Path(file), file, "case")), None)
    if row is not None and not isinstance(row, Problem) and row.value.keys() >= _KEYS_OF_RESULTS:
        return f"these are results: evalctl report {file}"
    return f"this is a dataset; write a suite that names it: evalctl init --from {file}"


def _refuse_promptfoo(document: Node, file: str) -> None:
    if is_promptfoo(document):
        what = f"this is a configuration of promptfoo; convert it first: evalctl convert {file}"
        raise InvalidSuite(document.build_problem(what, "", file))
