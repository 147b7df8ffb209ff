"""The beginning of a CSV file → its dialect: encoding, separator and quotes."""

import codecs
import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from agentv_py.suite.datasets.columns import count_own_columns

if TYPE_CHECKING:
    from _csv import Reader

_SAMPLE = 2**16
_ENCODINGS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_QUOTES = {'"': "double quotes", "'": "single quotes"}
_CUT = "unexpected end of data"
# A spreadsheet program writes its separator into a line of its own.
_SEPARATOR_LINE = re.compile(r"""sep=([,;\t|])\r?\n""", re.IGNORECASE)


class Dialect(NamedTuple):
    encoding: str = "utf-8-sig"
    delimiter: str = ","
    quotechar: str = '"'
    escapechar: str | None = None
    """The mark before a quote inside quotes; None: such a quote is doubled."""
    has_separator_line: bool = False

    def __str__(self) -> str:
        escaped = ", quotes inside them after a backslash" if self.escapechar else ""
        encoding = "UTF-16" if self.encoding == "utf-16" else "UTF-8"
        return (
            f"separated by {_SEPARATORS[self.delimiter]}, quoted by {_QUOTES[self.quotechar]}{escaped}, in {encoding}"
        )

    @property
    def is_usual(self) -> bool:
        return self == Dialect()

    def parse(self, lines: Iterator[str]) -> "Reader":
        if self.has_separator_line:
            next(lines, None)
        return csv.reader(
            lines,
            delimiter=self.delimiter,
            quotechar=self.quotechar,
            escapechar=self.escapechar,
            doublequote=self.escapechar is None,
            strict=True,
        )


def find_dialect(path: Path) -> Dialect:
    """Find the dialect in which the first lines of a file make the best table. Raises OSError."""
    with path.open("rb") as file:
        data = file.read(_SAMPLE)
        is_whole = not file.read(1)
    encoding = next((name for mark, name in _ENCODINGS.items() if data.startswith(mark)), "utf-8-sig")
    text = data.decode(encoding, "replace")
    if match := _SEPARATOR_LINE.match(text):
        dialects = [Dialect(encoding, match[1], has_separator_line=True)]
    else:
        # An apostrophe is a letter of many texts, but not of the names of columns.
        quotes = [quote for quote in _QUOTES if quote == '"' or quote in text.partition("\n")[0]]
        dialects = [Dialect(encoding, separator, quote) for quote in quotes for separator in _SEPARATORS]
    escaping = [dialect._replace(escapechar="\\") for dialect in dialects] if '\\"' in text or "\\'" in text else []
    return max([*dialects, *escaping], key=lambda dialect: _rate(dialect, text, is_whole=is_whole))


def _rate(dialect: Dialect, text: str, *, is_whole: bool) -> tuple[int, float, int, int]:
    """Rate a dialect: columns of a case that it finds, share of lines as wide as the first, quoted cells, columns."""
    rows: list[list[str]] = []
    is_valid = True
    try:
        rows.extend(row for row in dialect.parse(io.StringIO(text, newline="")) if row)
    except csv.Error as error:
        is_valid = not is_whole and str(error) == _CUT
    if not is_whole and is_valid:
        rows = rows[:-1] or rows  # the sample cuts the last one
    if not rows:
        return 0, 0.0, 0, 0
    width = len(rows[0])
    fitting = sum(len(row) == width for row in rows) / len(rows) if is_valid else 0.0
    return count_own_columns(rows[0]), fitting, -_count_quotes(rows), width


def _count_quotes(rows: list[list[str]]) -> int:
    """Count the cells that still begin and end with a quote: another quote would have removed them."""
    return sum(len(cell) > 1 and cell[0] == cell[-1] and cell[0] in _QUOTES for row in rows for cell in row)
