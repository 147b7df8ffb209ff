"""Documents of the repository → their sections, blocks and tables."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
FILES = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "evals/README.md",
    "judges/README.md",
    "benchmarks/README.md",
    "agentv_py/README.md",
    "agentv_py/SKILL.md",
)

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE_NAME = re.compile(r"(?:#|//) ([\w./-]+\.\w+)\n")
_HEADING = re.compile(r"^#{1,4} (.+)$", re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]+)\)")

Table = list[list[str]]


class Block(NamedTuple):
    """A fenced block of a document."""

    language: str
    text: str

    @property
    def file(self) -> str | None:
        """The name of the file that the block holds, if its first line is a comment with such a name."""
        named = _FILE_NAME.match(self.text)
        return named[1] if named else None


def read(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


def read_blocks(file: str) -> list[Block]:
    return [Block(*found) for found in _BLOCK.findall(read(file))]


def read_section(file: str, heading: str) -> str:
    """Return the text under a heading, up to the next heading of any level."""
    found = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", read_prose(file), re.MULTILINE | re.DOTALL)
    assert found, f"{file} has no section {heading!r}"
    return found[1]


def read_tables(file: str, heading: str) -> list[Table]:
    """Return the tables of a section: rows of cells, with the header first."""
    tables: list[Table] = []
    inside = False
    for line in read_section(file, heading).splitlines():
        if not line.startswith("|"):
            inside = False
            continue
        if not inside:
            tables.append([])
        inside = True
        if not line.startswith("|---"):
            tables[-1].append([cell.strip() for cell in line.strip("|").split(" | ")])
    return tables


def read_table(file: str, heading: str, *header: str) -> Table:
    """Return the rows of the one table with this header."""
    found = [table[1:] for table in read_tables(file, heading) if tuple(table[0]) == header]
    assert len(found) == 1, f"{file}: {heading}: {len(found)} tables with the header {header}"
    return found[0]


def read_anchors(file: str) -> set[str]:
    """Return the anchors of the headings, as GitHub makes them."""
    headings = _HEADING.findall(read_prose(file))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def read_links(file: str) -> Iterator[str]:
    yield from _LINK.findall(read_prose(file))


def read_prose(file: str) -> str:
    """Return the document without its blocks."""
    return _BLOCK.sub("", read(file))
