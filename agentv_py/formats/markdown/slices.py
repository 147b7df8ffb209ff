"""The slices of a summary or a diff → the blocks of a comment."""

from collections.abc import Iterator

from agentv_py.formats.markdown.blocks import FoldedList, escape, write_table
from agentv_py.formats.slice_changes import SLICE_HEADS, build_slice_changes
from agentv_py.formats.slice_figures import WORSE, WORSE_REMARK, build_slice_blocks, list_weakest
from agentv_py.report.diff.model import Diff
from agentv_py.report.summary import Summary

_MOST_LINES = 50
_LONGEST_NAME = 80


def write_slices(report: Summary) -> Iterator[str | FoldedList]:
    blocks = build_slice_blocks(report, _MOST_LINES)
    for block in blocks:
        rows = [
            (
                escape(line.value, _LONGEST_NAME) + (f" {WORSE}" if line.is_worse else ""),
                f"{line.cases:,}",
                line.pass_rate,
                line.mean_score,
                escape(line.lowest, _LONGEST_NAME),
            )
            for line in block.lines
        ]
        title = escape(block.title, _LONGEST_NAME)
        heads = (title, "cases", "pass rate (95 %)", "mean score (95 %)", "lowest F1")
        yield write_table(f"By {title} ({len(block.table.members):,})", heads, rows)
        if block.remarks:
            yield "; ".join(map(escape, block.remarks))
    if any(line.is_worse for block in blocks for line in block.lines):
        yield escape(WORSE_REMARK)
    if weakest := list(list_weakest(report)):
        yield "\n".join(f"**{escape(line, 400)}**" for line in weakest)


def write_slice_changes(diff: Diff) -> Iterator[str | FoldedList]:
    for block in build_slice_changes(diff, _MOST_LINES):
        title = escape(block.title, _LONGEST_NAME)
        rows = [
            (escape(value, _LONGEST_NAME) + (f" {WORSE}" if is_worse else ""), *map(escape, cells))
            for value, cells, is_worse in block.lines
        ]
        yield write_table(f"By {title}", (title, *(head.lstrip(">") for head in SLICE_HEADS)), rows)
        if block.remarks:
            yield "; ".join(map(escape, block.remarks))
