"""A file that holds a JSON Schema → the comparators that it gives, and those of the user laid over them."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from agentv_py.comparison.comparators import Comparators, Fields, Ordered, Unordered, list_match_types
from agentv_py.comparison.matchers import MatchName
from agentv_py.errors import did_you_mean
from agentv_py.inference.json_schema import UnusableSchema, profile_schema
from agentv_py.inference.schema_file import read_schema
from agentv_py.inference.suggest import suggest

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


def read_schema_comparators(folder: Path, name: str) -> Any:
    """Return the comparators that the schema in a file gives. Raises UnusableSchema."""
    from pydantic import TypeAdapter, ValidationError

    suggested = suggest(profile_schema(read_schema(folder, name))).build_comparators()
    try:
        comparators: Any = TypeAdapter(Comparators).validate_python(suggested, strict=True)
    except ValidationError as error:
        raise UnusableSchema(_describe(error.errors()[0])) from None
    for place, match in list_match_types(comparators):
        if match.path is not None:
            raise UnusableSchema(f"gives a path to {'.'.join(map(str, place))!r}, whose place is its path")
    return comparators


def lay_over(comparators: Any, others: Any) -> Any:
    """Return comparators with those of others at every place where they have none."""
    if comparators is None:
        return others
    if isinstance(comparators, Unordered | Ordered) and isinstance(others, Unordered | Ordered):
        word = "unordered" if isinstance(comparators, Unordered) else "ordered"
        rows = others.unordered if isinstance(others, Unordered) else others.ordered
        return comparators.model_copy(update={word: lay_over(getattr(comparators, word), rows)})
    below, other = _get_record(comparators), _get_record(others)
    if below is None or other is None:
        return comparators
    record = {**other, **{key: lay_over(child, other.get(key)) for key, child in below.items()}}
    holder = comparators if isinstance(comparators, Fields) else others
    return holder.model_copy(update={"fields": record}) if isinstance(holder, Fields) else record


def _get_record(comparators: Any) -> dict[str, Any] | None:
    if isinstance(comparators, Fields):
        return comparators.fields
    return comparators if isinstance(comparators, dict) else None


def _describe(error: "ErrorDetails") -> str:
    names = get_args(MatchName)
    keys = [str(key) for key in error["loc"] if not str(key).startswith("<") and key not in names]
    what = error["msg"]
    if error["type"] == "union_tag_invalid":
        tag = error["ctx"]["tag"]
        what = f"Invalid match type: {tag!r}{did_you_mean(tag, names)}"
    return f"gives a wrong comparator to {'.'.join(keys) or '$'!r}: {what}"
