"""The result of an evaluator → the same result without the user's data, for `--no-data`."""

from collections.abc import Collection, Mapping
from typing import Any

from agentv_py.score import EvaluatorResult

_COUNTS = frozenset({"tp", "tn", "fp", "fn"})


def remove_values(result: EvaluatorResult, harmless: Collection[str], *, notes: bool = True) -> EvaluatorResult:
    """Return the result with the paths, outcomes, similarities and counts of its details, and no value.

    `harmless` are further keys of the details that hold no values. Notes are left out where a judge wrote them.
    """
    details = result.get("details", {})
    kept = {key: details[key] for key in details if key in harmless}
    for key, reduce in (("metrics", _reduce_metrics), ("alignment", _reduce_alignment)):
        if isinstance(details.get(key), Mapping):
            kept[key] = reduce(details[key])
    if isinstance(details.get("mismatches"), list):
        kept["mismatches"] = [_reduce_mismatch(item, notes=notes) for item in details["mismatches"]]
    rest = {key: value for key, value in result.items() if key != "details"}
    return rest | {"details": kept} if kept else rest  # type: ignore[return-value]  # the keys are those of a result


def _reduce_metrics(metrics: Mapping[str, Any]) -> dict[str, Any]:
    return {
        attribute: {key: counts[key] for key in counts if key in _COUNTS and isinstance(counts[key], int)}
        for attribute, counts in metrics.items()
        if isinstance(counts, Mapping)
    }


def _reduce_alignment(alignment: Mapping[str, Any]) -> dict[str, Any]:
    return {
        path: [pair for pair in pairs if isinstance(pair, list | tuple) and all(map(_is_number, pair))]
        for path, pairs in alignment.items()
        if isinstance(pairs, list)
    }


def _reduce_mismatch(mismatch: Any, *, notes: bool) -> dict[str, Any]:
    if not isinstance(mismatch, Mapping):
        return {}
    texts = ("path", "outcome", "note") if notes else ("path", "outcome")
    kept = {key: mismatch[key] for key in texts if isinstance(mismatch.get(key), str)}
    return kept | {key: mismatch[key] for key in ("similarity",) if _is_number(mismatch.get(key))}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float)
