"""A file that holds a JSON Schema → the comparators that it gives."""

from pathlib import Path
from typing import TYPE_CHECKING, get_args

from agentv_py.comparison.comparators import list_match_types
from agentv_py.comparison.matchers import MatchName
from agentv_py.errors import did_you_mean
from agentv_py.inference.json_schema import UnusableSchema, profile_schema
from agentv_py.inference.layers import build_models
from agentv_py.inference.schema_file import find_line, read_schema
from agentv_py.inference.suggest import suggest
from agentv_py.inference.suggestion import Suggestion

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


def suggest_from_schema(folder: Path, name: str) -> Suggestion:
    """Return the comparators that the schema in a file gives, which are known to be valid. Raises UnusableSchema."""
    from pydantic import ValidationError

    schema = read_schema(folder, name)
    try:
        suggestion = suggest(profile_schema(schema))
    except UnusableSchema as error:
        line = find_line(folder, name, error)
        raise UnusableSchema(str(error) if line is None else f"in line {line} {error}") from None
    try:
        comparators = build_models(suggestion)
    except ValidationError as error:
        raise UnusableSchema(_describe(error.errors()[0])) from None
    for place, match in list_match_types(comparators):
        if match.path is not None:
            raise UnusableSchema(f"gives a path to {'.'.join(map(str, place))!r}, whose place is its path")
    return suggestion


def _describe(error: "ErrorDetails") -> str:
    names = get_args(MatchName)
    keys = [str(key) for key in error["loc"] if not str(key).startswith("<") and key not in names]
    what = error["msg"]
    if error["type"] == "union_tag_invalid":
        tag = error["ctx"]["tag"]
        what = f"Invalid match type: {tag!r}{did_you_mean(tag, names)}"
    return f"gives a wrong comparator to {'.'.join(keys) or '$'!r}: {what}"
