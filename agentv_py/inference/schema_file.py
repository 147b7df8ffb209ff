"""A file that holds a JSON Schema → the schema, or why it cannot be used."""

import re
from itertools import islice
from pathlib import Path
from typing import Any

from agentv_py import jsontext
from agentv_py.inference.json_schema import UnusableSchema
from agentv_py.input_file import describe_failure, read_regular_file


def read_schema(folder: Path, name: str) -> Any:
    """Return what the file holds. Raises UnusableSchema."""
    try:
        return jsontext.read_element(_read_text(folder, name))
    except UnicodeDecodeError as error:
        raise UnusableSchema(f"is not valid UTF-8: byte {error.object[error.start]:#04x}") from None
    except OSError as error:
        raise UnusableSchema(f"cannot be read: {describe_failure(error, name, str(folder))}") from None
    except jsontext.NotJson as error:
        raise UnusableSchema(f"is not valid JSON: {error}, in line {error.line}") from None
    except ValueError:  # a NUL in the name
        raise UnusableSchema("is not the name of a file") from None


def find_line(folder: Path, name: str, error: UnusableSchema) -> int | None:
    """Return the line of what is wrong with the schema in a file; None if the error is about the whole file."""
    if error.occurrence is None:
        return None
    key, before = error.occurrence
    text = _read_text(folder, name)
    keys = re.finditer(re.escape(jsontext.dumps(key).decode()) + r"\s*:", text)
    found = next(islice(keys, before, None), None)
    return None if found is None else text.count("\n", 0, found.start()) + 1


def _read_text(folder: Path, name: str) -> str:
    return read_regular_file(folder / name).decode("utf-8-sig")
