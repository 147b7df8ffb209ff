"""A diff → what is said about it on stderr: warnings, and one sentence where the diff itself is not shown."""

from agentv_py.cli.output import print_lines
from agentv_py.formats.diff_sentence import list_uncompared, write_sentence
from agentv_py.report.diff.model import Diff


def print_diff_warnings(diff: Diff, *, on_screen: bool) -> None:
    """Print what a reader must know about the figures; a diff on the screen shows most of it itself."""
    lines = (*diff.torn_lines, *(() if on_screen else list_uncompared(diff)))
    print_lines(*(f"warning: {line}" for line in lines))


def print_sentence(diff: Diff) -> None:
    print_lines(f"against {diff.baseline.source.shown}: {write_sentence(diff)}")
