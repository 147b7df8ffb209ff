"""Changes of values in JSON and YAML text: the text holds the new values, and keeps the rest."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentv_py.suite.edit.span import is_same, list_changes
from agentv_py.suite.edit.text_edit import edit_json, edit_yaml
from agentv_py.suite.edit.yaml_text import write_flow
from agentv_py.suite.yaml_document import read_yaml

_TEXTS = st.sampled_from(
    ["a", "NO", "12:30", "2025-01-15", "1e3", "0x1F", "~", "x: y", "#c", "- d", "é ü", "line\nbreak", "", "'q'", '"d"',
     "{", "a,b", "true", "x ", "😀", "| b", "& a", "* b"]
)  # fmt: skip
_SCALARS = _TEXTS | st.integers(-99, 99) | st.floats(-9, 9) | st.booleans() | st.none()
_VALUES = st.recursive(
    _SCALARS,
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.sampled_from("a b:#1é"), below, max_size=3),
    max_leaves=8,
)
_ROWS = st.fixed_dictionaries({"id": st.just("x"), "expected": _VALUES, "note": st.just("stays")})


@given(old=_ROWS, new=_ROWS, indent=st.sampled_from([None, 1, 4]), is_ascii=st.booleans())
def test_json_text_gets_the_new_values(old: Any, new: Any, indent: int | None, is_ascii: bool) -> None:
    text = json.dumps(old, indent=indent, ensure_ascii=is_ascii)
    assert is_same(json.loads(edit_json(text, list_changes(old, new))), new)


@given(old=_ROWS, new=_ROWS)
def test_yaml_text_gets_the_new_values(tmp_path_factory: pytest.TempPathFactory, old: Any, new: Any) -> None:
    file = tmp_path_factory.getbasetemp() / "edit.yaml"
    for text in (f"# c\n{write_flow(old)} # d\n", _write_blocks(old)):
        file.write_text(edit_yaml(text, list_changes(old, new), ()), encoding="utf-8")
        assert is_same(read_yaml(file, "edit.yaml").value, new)


def _write_blocks(value: dict[str, Any]) -> str:
    """Write each key on a line of its own, and lists with their dashes below the key."""
    lines: list[str] = []
    for key, below in value.items():
        if isinstance(below, dict) and below:
            lines += [f"{key}:  # an object", *(f"    {write_flow(k)}: {write_flow(v)}" for k, v in below.items())]
        elif isinstance(below, list) and below:
            lines += [f"{key}:", *(f"- {write_flow(item)}  # an item" for item in below)]
        else:
            lines.append(f"{key}: {write_flow(below)}")
    return "\n".join(lines) + "\n"


def test_only_the_characters_of_the_value_change() -> None:
    text = '{ "a" : [ 1,\t2 ], "b":{"c" : "x"} }'
    changes = list_changes({"a": [1, 2], "b": {"c": "x"}}, {"a": [1, 3], "b": {"c": "y"}})
    assert edit_json(text, changes) == '{ "a" : [ 1,\t3 ], "b":{"c" : "y"} }'
