"""The kinds of error of an evaluator → an object with stable keys."""

from typing import Any

from agentv_py.report.evaluator_summary import EvaluatorSummary
from agentv_py.report.result_errors import KINDS, ROW_KINDS


def convert_errors(evaluator: EvaluatorSummary) -> dict[str, Any]:
    kinds = evaluator.kinds
    assert kinds is not None  # noqa: S101  the caller has looked
    right = {name: counts["tp"] + counts["tn"] for name, counts in evaluator.attributes.items()}
    names = dict.fromkeys([*right, *kinds.attributes])
    return {
        "attributes": {
            name: {"right": right.get(name, 0)} | {kind: kinds.attributes.get(name, {}).get(kind, 0) for kind in KINDS}
            for name in names
        },
        "lists": {path: {kind: own.get(kind, 0) for kind in ROW_KINDS} for path, own in kinds.lists.items()},
        "patterns": [
            {"pattern": name, "attribute": attribute, "count": number}
            for (name, attribute), number in sorted(kinds.patterns.items(), key=lambda item: -item[1])
        ],
        "examples": {name: example._asdict() for name, example in kinds.examples.items()},
        "unreadable_answers": kinds.unreadable_answers,
        "cases_without_values": kinds.without_values,
    }
