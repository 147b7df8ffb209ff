"""A summary → further sections of it, as plain words and figures that several formats draw in their own way."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agentv_py.report.summary import Summary


class Section(NamedTuple):
    name: str
    """What the section is about, in one or two words."""
    head: Sequence[str]
    """The heads of the columns; `>` before a head aligns its column to the right."""
    rows: Sequence[Sequence[str]]
    remarks: Sequence[str] = ()
    warnings: Sequence[str] = ()

    @property
    def columns(self) -> list[str]:
        """The heads without the marks of alignment."""
        return [head.removeprefix(">") for head in self.head]


def list_sections(report: Summary) -> Iterator[Section]:
    """List the sections that the summary has data for."""
    if any(evaluator.kinds is not None for evaluator in report.evaluators):
        from agentv_py.formats.sections.errors import list_error_sections  # many runs have no error

        yield from list_error_sections(report)
    if any(evaluator.agreement is not None for evaluator in report.evaluators):
        from agentv_py.formats.sections.judges import list_judge_sections  # most runs have no judge

        yield from list_judge_sections(report)
    if any(evaluator.confidence is not None for evaluator in report.evaluators):
        from agentv_py.formats.sections.confidence import list_confidence_sections  # it needs numpy

        yield from list_confidence_sections(report)
