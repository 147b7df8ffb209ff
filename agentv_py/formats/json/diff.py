"""A diff → an object with stable keys. Its cases are read one at a time, while they are written."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from agentv_py.case import ABSENT
from agentv_py.formats.diff_sentence import write_sentence, write_shift_sentence
from agentv_py.formats.json.slices import convert_slice_shifts
from agentv_py.report.diff.changes import FieldChange, list_changes
from agentv_py.report.diff.columns import CaseKey, EvaluatorKey
from agentv_py.report.diff.error_shifts import ErrorShift
from agentv_py.report.diff.model import CaseChange, Diff
from agentv_py.report.diff.shifts import AttributeShift, EvaluatorShift, MeanShift, RateShift, TargetShift
from agentv_py.report.statistics import Estimate

if TYPE_CHECKING:
    from agentv_py.report.calibration import Calibration


def convert_diff(diff: Diff) -> dict[str, Any]:
    return {
        "kind": "diff",
        "baseline": diff.baseline.source.shown,
        "candidate": diff.candidate.source.shown,
        **_convert_targets(diff),
        **_convert_labels(diff),
        "suites": diff.suites,
        "joined": diff.joined,
        "matched": len(diff.matched),
        "compared": diff.cases,
        "clusters": diff.clusters,
        "only_baseline": [key.case_id for key in diff.only_baseline],
        "only_candidate": [key.case_id for key in diff.only_candidate],
        "scored_differently": diff.scored_differently,
        "duplicates": _name_sides(*diff.duplicates),
        "errors": _name_sides(*diff.errors),
        "errored": [_convert_key(case.key) | _name_sides(case.baseline, case.candidate) for case in diff.errored],
        "broken": (_convert_case(diff, case) for case in diff.broken),
        "fixed": (_convert_case(diff, case) for case in diff.fixed),
        **_convert_figures(diff),
        "evaluators": [_convert_evaluator_shift(diff, evaluator) for evaluator in diff.evaluators],
        "attributes": [_convert_attribute_shift(diff, attribute) for attribute in diff.attributes],
        **({"slices": convert_slice_shifts(diff)} if diff.slices else {}),
        **(
            {"error_kinds": [_convert_error_shift(diff, each) for each in diff.error_shifts]}
            if diff.error_shifts
            else {}
        ),
        **_convert_confidences(diff),
        "verdict": diff.verdict,
        "sentence": write_sentence(diff),
    }


def _convert_figures(diff: Diff) -> dict[str, Any]:
    """Convert the figures of all cases. Of several targets there are none together: each has its own."""
    if not diff.has_several_targets:
        return _convert_shift(diff.shifts[0])
    return {
        "higher": sum(shift.higher for shift in diff.shifts),
        "lower": sum(shift.lower for shift in diff.shifts),
        "mean_score": None,
        "pass_rate": None,
        "by_target": [_convert_target(shift) for shift in diff.shifts],
    }


def _convert_target(shift: TargetShift) -> dict[str, Any]:
    counts = ("compared", shift.cases), ("clusters", shift.clusters), ("broken", shift.broken), ("fixed", shift.fixed)
    figures = {"target": shift.target, **dict(counts), "newly_errored": shift.newly_errored, **_convert_shift(shift)}
    return figures | {"verdict": shift.verdict, "sentence": write_shift_sentence(shift)}


def _convert_shift(shift: TargetShift) -> dict[str, Any]:
    return {
        "higher": shift.higher,
        "lower": shift.lower,
        "mean_score": _convert_mean(shift.mean_score) | {"verdict": shift.mean_score.shift.verdict},
        "pass_rate": _convert_rates(shift.pass_rate),
    }


def _convert_targets(diff: Diff) -> dict[str, Any]:
    """Convert the targets that were compared with each other; left out where whole files are compared."""
    targets = diff.baseline.only_target, diff.candidate.only_target
    return {} if targets == (None, None) else {"targets": _name_sides(*targets)}


def _convert_labels(diff: Diff) -> dict[str, Any]:
    """Convert what the user calls the runs; left out where no run has a label."""
    labels = [[label._asdict() for label in side.labels] for side in (diff.baseline, diff.candidate)]
    return {"labels": _name_sides(*labels)} if any(labels) else {}


def _name_sides(baseline: Any, candidate: Any) -> dict[str, Any]:
    return {"baseline": baseline, "candidate": candidate}


def _convert_key(key: CaseKey) -> dict[str, Any]:
    return {"suite": key.suite, "case_id": key.case_id} | ({"target": key.target} if key.target else {})


def _convert_case(diff: Diff, case: CaseChange) -> dict[str, Any]:
    changed = [_convert_change(change) for change in list_changes(*diff.read_rows(case))]
    scores = _name_sides(case.baseline, case.candidate)
    return _convert_key(case.key) | scores | {"delta": case.delta, "changed": changed}


def _convert_change(change: FieldChange) -> dict[str, Any]:
    """Convert a change; a side without a value is left out."""
    values = {"expected": change.expected, "baseline": change.baseline, "candidate": change.candidate}
    value: dict[str, Any] = {"evaluator": change.evaluators[0], "path": change.path}
    value |= {side: answer for side, answer in values.items() if answer is not ABSENT}
    return value | ({"note": change.note} if change.note else {})


def _convert_mean(mean: MeanShift) -> dict[str, Any]:
    return _name_sides(mean.baseline, mean.candidate) | asdict(mean.shift) | {"p_adjusted": mean.p_adjusted}


def _convert_rates(rates: RateShift) -> dict[str, Any]:
    return _name_sides(rates.baseline.value, rates.candidate.value) | asdict(rates.shift) | {
        "p_adjusted": rates.p_adjusted,
        "verdict": rates.shift.verdict,
        "baseline_interval": _convert_interval(rates.baseline),
        "candidate_interval": _convert_interval(rates.candidate),
    }  # fmt: skip


def _convert_interval(estimate: Estimate) -> dict[str, float]:
    return {"low": estimate.low, "high": estimate.high}


def _convert_place(diff: Diff, key: EvaluatorKey) -> dict[str, str]:
    """Convert the suite and the target of an evaluator; each is left out where there is one only."""
    suite = {"suite": key.suite} if len(diff.suites) > 1 else {}
    return suite | ({"target": key.target} if diff.has_several_targets else {})


def _convert_evaluator_shift(diff: Diff, evaluator: EvaluatorShift) -> dict[str, Any]:
    value = _convert_place(diff, evaluator.key) | {
        "name": evaluator.key.name,
        "type": evaluator.type,
        "cases": evaluator.cases,
    }
    return value | _convert_mean(evaluator.mean_score)


def _convert_attribute_shift(diff: Diff, attribute: AttributeShift) -> dict[str, Any]:
    value = _convert_place(diff, attribute.key) | {"evaluator": attribute.key.name, "attribute": attribute.name}
    shift = attribute.shift
    interval = {"low": shift and shift.low, "high": shift and shift.high, "p_value": shift and shift.p_value}
    counts = {"baseline_counts": attribute.baseline, "candidate_counts": attribute.candidate}
    return value | _name_sides(*attribute.f1) | {"delta": attribute.delta} | interval | counts


def _convert_error_shift(diff: Diff, shift: ErrorShift) -> dict[str, Any]:
    names = {"evaluator": shift.key.name, "attribute": shift.attribute, "kind": shift.kind}
    return (
        _convert_place(diff, shift.key) | names | _name_sides(shift.baseline, shift.candidate) | {"delta": shift.delta}
    )


def _convert_confidences(diff: Diff) -> dict[str, Any]:
    if not any(column.confidence for side in (diff.baseline, diff.candidate) for column in side.evaluators.values()):
        return {}
    from agentv_py.report.diff.confidence_shifts import compare_confidences  # it needs numpy

    shifts = [
        _convert_place(diff, key) | {"evaluator": key.name} | _name_sides(*map(_convert_calibration, sides))
        for key, *sides in compare_confidences(diff)
    ]
    return {"confidence": shifts}


def _convert_calibration(figures: "Calibration | None") -> dict[str, Any] | None:
    """Convert what tells whether confidences can be trusted; null with too few values."""
    if figures is None:
        return None
    accept = [{"least": each.least, "threshold": each.point and each.point.threshold} for each in figures.accept]
    return {name: getattr(figures, name) for name in ("observations", "accuracy", "auroc", "ece")} | {"accept": accept}
