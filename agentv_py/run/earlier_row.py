"""A row of an earlier run → what a resumed run must know of it: its case, what it used, and whether it still counts."""

from agentv_py.models.usage import Usage
from agentv_py.results.row import Fingerprint, Row
from agentv_py.run.case_index import CaseKey
from agentv_py.run.row_places import Rules


def get_key(row: Row) -> CaseKey:
    return row["suite"], row["case_id"], row.get("target")


def compare_fingerprints(fingerprint: Fingerprint | None, wanted: Fingerprint | None) -> tuple[Rules, bool]:
    """Tell whether the rules of this run scored a row, and whether its case has changed since."""
    if fingerprint is None or wanted is None:
        return "unknown", False
    return "same" if fingerprint.options == wanted.options else "other", fingerprint.case != wanted.case


def sum_usage(row: Row, *, asked: bool) -> Usage | None:
    """Return what the models of a row used, those of its evaluators and that of its target; None if it used none."""
    used = [result["usage"] for result in row["evaluator_results"] if "usage" in result]
    if not used and not asked:
        return None
    usage = Usage()
    for each in used:
        usage.add(Usage.from_row(each))
    if asked:
        tokens = row.get("tokens")
        counts = tokens if isinstance(tokens, dict) else {}
        known = {"prompt_tokens": counts.get("input"), "completion_tokens": counts.get("output")}
        usage.add(Usage.from_row({"calls": len(row.get("candidates", [0])), "cost": row.get("cost"), **known}))
    return usage


def has_data(row: Row) -> bool:
    """Tell whether the row was written without --no-data: then a row that did not err has an answer."""
    return "candidate" in row or "candidates" in row
