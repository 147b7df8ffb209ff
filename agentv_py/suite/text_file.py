"""A file of a suite → its text, or where it is not UTF-8."""

from pathlib import Path

from agentv_py.errors import InvalidSuite, Problem
from agentv_py.input_file import describe_failure, read_file_or_pipe


def read_text(path: Path, display_name: str, encoding: str = "utf-8-sig") -> str:
    """Read a whole file. Raises InvalidSuite with the line and column of a wrong byte."""
    try:
        data = read_file_or_pipe(path)
    except OSError as error:
        raise InvalidSuite(
            Problem(f"cannot be read: {describe_failure(error, display_name)}", "", display_name)
        ) from None
    except ValueError:  # a NUL, or half a character
        raise InvalidSuite(Problem("is not the name of a file", "", display_name)) from None
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding != "utf-8-sig":
            what = f"byte {error.start + 1:,} is not valid {encoding.upper()}; save the file as UTF-8"
            raise InvalidSuite(Problem(what, "", display_name)) from None
        before = data[: error.start]
        line, column = before.count(b"\n") + 1, error.start - (before.rfind(b"\n") + 1) + 1
        what = f"byte {data[error.start]:#04x} is not valid UTF-8; save the file as UTF-8"
        raise InvalidSuite(Problem(what, "", display_name, line, column)) from None
