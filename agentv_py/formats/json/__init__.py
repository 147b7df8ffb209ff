"""Report → JSON with stable keys."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from agentv_py import jsontext
from agentv_py.errors import IN_JSON, escape_commands
from agentv_py.formats.json.case_story import convert_stories
from agentv_py.formats.json.diff import convert_diff
from agentv_py.formats.json.explanation import convert_explanation
from agentv_py.formats.json.summary import convert_summary
from agentv_py.formats.json.trend import convert_trend
from agentv_py.report.diff.model import Diff
from agentv_py.report.explanation.case_model import CaseExplanation
from agentv_py.report.explanation.model import SuiteExplanation
from agentv_py.report.summary import Summary

if TYPE_CHECKING:
    from agentv_py.report import Explanation, Report


def render(report: "Report | Explanation") -> Iterator[str]:
    if isinstance(report, Summary):
        yield from _write_object(convert_summary(report))
    elif isinstance(report, SuiteExplanation):
        yield from _write_object(convert_explanation(report))
    elif isinstance(report, CaseExplanation):
        yield from _write_object(convert_stories(report))
    elif isinstance(report, Diff):
        yield from _write_object(convert_diff(report))
    else:
        yield from _write_object(convert_trend(report))
    yield "\n"


def _write_object(value: dict[str, Any]) -> Iterator[str]:
    """Write an object. A value that is an iterator is a list, and is written item by item."""
    yield "{"
    for number, (key, member) in enumerate(value.items()):
        yield f"{',' if number else ''}{_encode(key)}:"
        if isinstance(member, Iterator):
            yield from _write_list(member)
        else:
            yield _encode(member)
    yield "}"


def _write_list(members: Iterable[Any]) -> Iterator[str]:
    yield "["
    for number, member in enumerate(members):
        yield f"{',' if number else ''}{_encode(member)}"
    yield "]"


def _encode(value: Any) -> str:
    return escape_commands(jsontext.dumps(value).decode(), IN_JSON)
