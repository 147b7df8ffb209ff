"""Nothing → the page from which a coding agent can write a suite, which is SKILL.md in this package."""

from pathlib import Path

from agentv_py.cli.errors import exit_on_user_error
from agentv_py.cli.options import write_epilog
from agentv_py.cli.output import print_text

_PAGE = Path(__file__).parents[1] / "SKILL.md"

EPILOG = write_epilog(
    {
        "evalctl guide": "Print the page.",
        "evalctl guide > .claude/skills/evalctl/SKILL.md": "Keep it where your coding agent looks for skills.",
    },
    {0: "The page is printed."},
)


def guide() -> None:
    """Print a page from which a coding agent can write a suite."""
    with exit_on_user_error():
        print_text([_PAGE.read_text(encoding="utf-8")])
