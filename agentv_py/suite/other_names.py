"""A key that a row lacks, and the keys that it has → the key that the user may have meant."""

from collections.abc import Iterable

from agentv_py.errors import did_you_mean

# What other tools call these keys of a row.
_OTHER_NAMES = {
    "expected": (
        "ground_truth", "groundtruth", "gt", "truth", "gold", "label", "labels", "reference", "reference_answer",
        "expected_output", "expected_answer", "ideal", "target", "answer", "output",
    ),
    "candidate": (
        "prediction", "predicted", "output", "answer", "response", "completion", "actual", "result", "candidate_answer",
    ),
}  # fmt: skip


def suggest_other_name(key: str, present: Iterable[str]) -> str:
    """Return a suggestion for a message, or ""."""
    present = list(present)
    named = next((name for name in _OTHER_NAMES[key] if name in present), None)
    return f"; rename {named!r} to {key!r}" if named else did_you_mean(key, present)
