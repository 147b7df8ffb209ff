"""The confidences of a summary → tables of figures, and sentences that say from where on values can be accepted."""

import math
from collections.abc import Iterator

from agentv_py.formats.sections import Section
from agentv_py.formats.text import DASH, format_count, format_figure
from agentv_py.report.calibration import LEAST_OBSERVATIONS, Acceptance, Calibration, calibrate
from agentv_py.report.confidence import ConfidenceSummary
from agentv_py.report.evaluator_summary import EvaluatorSummary
from agentv_py.report.slice_confidence import list_slice_confidences
from agentv_py.report.summary import Summary

HEAD = (">right", ">mean", ">AUROC", ">Brier", ">ECE", ">accept")
_MOST_ATTRIBUTES = 5
_MOST_SLICES = 10


def list_confidence_sections(report: Summary) -> Iterator[Section]:
    """Yield a section per evaluator that saw confidences."""
    for evaluator in report.evaluators:
        if evaluator.confidence is not None:
            yield _build_section(report, evaluator, evaluator.confidence)
    if report.broken_wrappers:
        yield Section("confidence", (), (), warnings=[describe_broken(report.broken_wrappers)])


def list_warnings(report: Summary) -> Iterator[str]:
    """List what is wrong with the confidences of all evaluators, with counts."""
    for evaluator in report.evaluators:
        gaps = list_gaps(evaluator.confidence) if evaluator.confidence is not None else ()
        yield from (f"confidence of {report.name_evaluator(evaluator)}: {gap}" for gap in gaps)
    if report.broken_wrappers:
        yield f"confidence: {describe_broken(report.broken_wrappers)}"


def describe_broken(count: int) -> str:
    """Say how many objects in answers have a confidence and no value, so that they are compared as they are."""
    verb = "has" if count == 1 else "have"
    return f"{format_count(count, 'wrapper')} {verb} a confidence and no value, and stayed in the answers"


def _build_section(report: Summary, evaluator: EvaluatorSummary, confidence: ConfidenceSummary) -> Section:
    name, unit = report.name_evaluator(evaluator), name_unit(confidence)
    whole = calibrate(confidence.whole)
    if whole is None:
        return Section("confidence", (), (), [describe_too_few(confidence, name)], list_gaps(confidence))
    rows = [(name, *_write_figures(whole))]
    attributes = {key: calibrate(tally) for key, tally in confidence.attributes.items()}
    known = {key: figures for key, figures in attributes.items() if figures is not None}
    shown = sorted(known, key=lambda key: _measure_trust(known[key]))[: None if report.full else _MOST_ATTRIBUTES]
    if unit == "field":
        rows += [(f"  {key}", *_write_figures(known[key])) for key in shown]
    slices = list_slice_confidences(report).get(name, [])
    known_slices = [(line, figures) for line in slices if (figures := calibrate(line.confidence.whole)) is not None]
    rows += [(f"  {line.by} = {line.value}", *_write_figures(figures)) for line, figures in known_slices[:_MOST_SLICES]]
    remarks = [
        *describe_acceptances(whole, unit),
        describe_review(whole, unit),
        *_describe_hidden(len(attributes), len(known), len(shown), unit),
        "“at least” is 95 % sure, also after the choice of the confidence",
    ]
    return Section("confidence", ("confidence", f">{unit}s", *HEAD), rows, remarks, list_gaps(confidence))


def name_unit(confidence: ConfidenceSummary) -> str:
    """Name what has a confidence: each field, or the answer as a whole."""
    return "answer" if list(confidence.attributes) == ["$"] else "field"


def describe_acceptances(whole: Calibration, unit: str) -> Iterator[str]:
    """Describe each acceptance, down to the one that accepts everything."""
    for accept in whole.accept:
        yield describe_acceptance(accept, whole, unit)
        if accept.point is not None and accept.point.coverage == 1:
            return


def describe_acceptance(accept: Acceptance, whole: Calibration, unit: str) -> str:
    """Say from which confidence on values can be accepted, and how many of them are right."""
    least, point = _write_share(accept.least), accept.point
    if point is not None:
        share, accuracy = _write_share(point.coverage, 0), _write_share(point.accuracy)
        start = "accept everything" if point.coverage == 1 else f"accept at ≥ {point.threshold:.6g}"
        return f"{start}: {share} of {unit}s at {accuracy} (at least {least})"
    if whole.observations < accept.needed:
        need = format_count(accept.needed, unit)
        return f"accept at {least}: too few {unit}s to be sure, {whole.observations:,}; at least {need} are needed"
    return f"accept at {least}: no confidence is sure to give it"


def describe_review(whole: Calibration, unit: str) -> str:
    """Say how many errors people catch who review the least sure values."""
    if whole.review[0].caught is None:
        return f"review: there is no error among {format_count(whole.observations, unit)}"
    parts = [f"{_write_share(r.caught or 0.0, 0)} at {_write_share(r.budget, 0)}" for r in whole.review]
    return f"errors caught by a review of the least sure {unit}s: {', '.join(parts)}"


def describe_too_few(confidence: ConfidenceSummary, name: str) -> str:
    count = sum(confidence.whole.right.values()) + sum(confidence.whole.wrong.values())
    return f"confidence of {name}: {format_count(count, 'observation')}; figures need at least {LEAST_OBSERVATIONS}"


def list_gaps(confidence: ConfidenceSummary) -> list[str]:
    """List what is wrong with the confidences themselves, with counts."""
    unit = name_unit(confidence)
    gaps = []
    if confidence.missing:
        verb = "has" if confidence.missing == 1 else "have"
        gaps.append(f"{format_count(confidence.missing, unit)} {verb} no confidence, and no part in the figures")
    if confidence.invalid:
        what = "is not a number" if confidence.invalid == 1 else "are not numbers"
        place = f", the first at {confidence.invalid_at!r}" if confidence.invalid_at not in ("", "$") else ""
        count = format_count(confidence.invalid, "confidence")
        gaps.append(f"{count} {what} from 0 to 1{place}; is `scale:` missing?")
    if confidence.omitted:
        gaps.append(f"{format_count(confidence.omitted, unit)} of very long answers are not in the figures")
    return gaps


def _describe_hidden(attributes: int, known: int, shown: int, unit: str) -> Iterator[str]:
    if unit == "field" and known > shown:
        yield f"and {format_count(known - shown, 'more attribute')}, all of them with `report`"
    if unit == "field" and attributes > known:
        few = format_count(attributes - known, "attribute")
        yield f"{few} with fewer than {LEAST_OBSERVATIONS} observations not shown"


def _measure_trust(figures: Calibration) -> tuple[float, float]:
    return (1.0 if figures.auroc is None else figures.auroc), figures.accuracy


def _write_figures(figures: Calibration) -> tuple[str, ...]:
    return (
        f"{figures.observations:,}",
        f"{figures.accuracy:.1%}",
        *(format_figure(value) for value in (figures.confidence, figures.auroc, figures.brier, figures.ece)),
        write_acceptance(figures),
    )


def write_acceptance(figures: Calibration | None) -> str:
    """Write from which confidence on values can be accepted, for the highest accuracy that is sure; else a dash."""
    accepts = () if figures is None else figures.accept
    best = next((accept for accept in accepts if accept.point is not None), None)
    return DASH if best is None or best.point is None else f"≥ {best.point.threshold:.6g}: {_write_share(best.least)}"


def _write_share(share: float, digits: int = 1) -> str:
    """Write a share in percent, rounded down: 99.96 % right is not 100 %."""
    scale = 10**digits
    return f"{math.floor(share * 100 * scale + 1e-9) / scale:.{digits}f}".removesuffix(".0") + " %"
