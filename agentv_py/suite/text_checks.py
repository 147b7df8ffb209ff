"""The checks of a text that several tools share, such as icontains-any → our evaluators."""

import csv
import re
from collections.abc import Iterable

from agentv_py.suite.translation import build_list, build_mapping, build_scalar
from agentv_py.suite.yaml_node import Node

CHECKS = (
    "equals", "contains", "contains_any", "contains_all", "icontains", "icontains_any", "icontains_all", "starts_with",
    "ends_with", "regex", "is_json",
)  # fmt: skip
"""The names in snake case; other tools write dashes as well."""


class UnsuitableValue(ValueError):  # noqa: N818  a finding about a suite
    """The check cannot use its value; the message says why."""


def build_check(
    kind: str, value: Node | None, at: Node, flags: str = "", *, is_literal: bool = False
) -> dict[str, Node]:
    """Return the evaluator of a check, without name and weight. Raises UnsuitableValue.

    With `is_literal`, as in promptfoo, white space around the answer counts, and a text is a list of parts between
    commas where several texts are needed.
    """
    if kind == "is_json":
        return {"type": build_scalar("is_json", at)}
    if value is None:
        raise UnsuitableValue(f"{kind} needs a value")
    if kind in ("starts_with", "ends_with", "regex"):
        return _build_pattern(kind, value, at, flags, "" if is_literal else r"\s*")
    if kind.endswith(("_any", "_all")):
        return _build_several(kind, _split_text(value) if is_literal else value, at)
    checks = _build_one(kind, value, at)
    return checks | {"strip": build_scalar(value=True, at=at)} if kind == "equals" and not is_literal else checks


def _build_one(kind: str, value: Node, at: Node) -> dict[str, Node]:
    checks = {"type": build_scalar(kind.removeprefix("i"), at), "value": value}
    return checks | {"case_sensitive": build_scalar(value=False, at=at)} if kind == "icontains" else checks


def _build_several(kind: str, value: Node, at: Node) -> dict[str, Node]:
    single, _, rule = kind.rpartition("_")
    if not isinstance(value.below, list) or not value.below:
        raise UnsuitableValue(f"{kind} needs a list of texts")
    members = [build_mapping(_build_one(single, item, item), item) for item in value.below]
    return {
        "type": build_scalar("composite", at),
        "aggregate": build_scalar(rule, at),
        "members": build_list(_name_members(members), value),
    }


def _split_text(value: Node) -> Node:
    """Return a text such as `a, "b, c"` as the list of its parts; any other value as it is."""
    if not isinstance(value.value, str):
        return value
    parts = next(csv.reader([value.value], skipinitialspace=True), [])
    return build_list([build_scalar(part.strip(), value) for part in parts if part.strip()], value)


def _build_pattern(kind: str, value: Node, at: Node, flags: str, space: str) -> dict[str, Node]:
    if not isinstance(value.value, str):
        raise UnsuitableValue(f"{kind} needs a text")
    text = value.value
    patterns = {"starts_with": rf"\A{space}{re.escape(text)}", "ends_with": rf"{re.escape(text)}{space}\Z"}
    unknown = set(flags) - set("gimsu")
    if unknown:
        raise UnsuitableValue(f"unknown flag {min(unknown)!r}; known: i, m, s")
    marks = "".join(mark for mark in "ims" if mark in flags)
    pattern = (f"(?{marks})" if marks else "") + patterns.get(kind, text)
    return {"type": build_scalar("regex", at), "value": build_scalar(pattern, value)}


def _name_members(members: Iterable[Node]) -> Iterable[Node]:
    for member in members:
        name = build_scalar(str(member.value.get("value")), member)
        yield build_mapping({"name": name, **(member.below if isinstance(member.below, dict) else {})}, member)
