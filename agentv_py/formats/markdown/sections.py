"""The further sections of a report → tables and lines of a comment."""

from collections.abc import Iterable, Iterator

from agentv_py.formats.markdown.blocks import FoldedList, escape, write_table
from agentv_py.formats.sections import Section


def write_sections(sections: Iterable[Section]) -> Iterator[str | FoldedList]:
    for section in sections:
        if section.rows:
            head, rows = map(escape, section.columns), [tuple(map(escape, row)) for row in section.rows]
            yield write_table(f"{section.name.capitalize()} ({len(rows)})", tuple(head), rows)
        lines = [*section.remarks, *(f"warning: {warning}" for warning in section.warnings)]
        if lines:
            yield "\n".join(f"- {escape(line)}" for line in lines)
