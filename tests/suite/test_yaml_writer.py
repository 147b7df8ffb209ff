"""Nodes written as YAML: the values stay, and so do the comments."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentv_py.suite.translation import build_value
from agentv_py.suite.yaml_comments import list_comments
from agentv_py.suite.yaml_document import read_yaml
from agentv_py.suite.yaml_node import Node
from agentv_py.suite.yaml_writer import write_yaml

_SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
_TEXTS = st.text(alphabet=" \n\t#:-'\"{}[]|>%@&*!?\\aé\x85\u2028\ufeff1")
_VALUES = st.recursive(
    _SCALARS | _TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXTS | st.text(), inner, max_size=4),
)


def _spread(node: Node, line: int = 1) -> int:
    """Give every node a line of its own, so that it is written as a block."""
    node.line = line
    below: Any = node.below.values() if isinstance(node.below, dict) else node.below or ()
    for item in below:
        line = _spread(item, line + 1)
    return line


@given(value=st.dictionaries(_TEXTS | st.text(), _VALUES, min_size=1, max_size=4), in_one_line=st.booleans())
def test_what_is_written_reads_as_the_same_value(
    value: dict[str, Any], in_one_line: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    node = build_value(value, Node(1, 1))
    if not in_one_line:
        _spread(node)
    path = tmp_path_factory.getbasetemp() / "written.yaml"
    path.write_text(write_yaml(node, {}), encoding="utf-8", newline="")
    assert read_yaml(path, "written.yaml").value == value


_COMMENTED = """\
# yaml-language-server: $schema=x
# the head

a: 1  # one
b:  # two
  # before c
  - c: "# no comment"   # three


  - |
    # text
  # before d
  - {d: [a, b], e: 1}  # four
# the end
"""
_KEPT = """\
# the head

a: 1  # one
b:  # two
  # before c
  - c: "# no comment"  # three

  - |
    # text
  # before d
  - {d: [a, b], e: 1}  # four
# the end
"""


def test_comments_stay_at_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(_COMMENTED, encoding="utf-8")
    assert write_yaml(read_yaml(path, "a.yaml"), {"": list_comments(_COMMENTED)}) == _KEPT


def test_a_comment_of_a_line_that_is_gone_goes_before_the_next_line(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("a: 1  # of a\n# before b\nb: 2\nc: 3\n", encoding="utf-8")
    document = read_yaml(path, "a.yaml")
    assert isinstance(document.below, dict)
    del document.below["a"], document.below["b"]
    assert write_yaml(document, {"": list_comments(path.read_text())}) == "# of a\n# before b\nc: 3\n"
