"""Judges and people → a table of how far they agree."""

from collections.abc import Iterator

from agentv_py.formats.sections import Section
from agentv_py.formats.text import format_figure
from agentv_py.report.summary import Summary

_HEAD = ("judges against people", ">cases", ">agreement", ">Cohen’s κ", ">people pass", ">TPR", ">TNR")


def list_judge_sections(report: Summary) -> Iterator[Section]:
    rows = []
    for evaluator in report.evaluators:
        if (own := evaluator.agreement) is not None:
            shares = own.agreement, own.base_rate, own.true_pass_rate, own.true_fail_rate
            agreement, people, tpr, tnr = (format_figure(share, ".1%") for share in shares)
            name = report.name_evaluator(evaluator)
            rows.append((name, f"{own.cases:,}", agreement, format_figure(own.kappa), people, tpr, tnr))
    yield Section("judges against people", _HEAD, rows)
