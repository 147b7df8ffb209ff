"""A value of a YAML document with its line and column: a scalar, or nodes below it."""

from enum import Enum
from typing import Any

from agentv_py.errors import Problem


class _Unset(Enum):
    UNSET = 0


class Node:
    """A value with its line and column: a scalar, or nodes below it."""

    __slots__ = ("_value", "below", "column", "file", "height", "is_open", "keys", "line", "scalar", "size")

    def __init__(
        self,
        line: int,
        column: int,
        *,
        scalar: Any = None,
        below: "dict[str, Node] | list[Node] | None" = None,
        keys: "dict[str, Node] | None" = None,
        is_open: bool = True,
        file: str = "",
    ) -> None:
        self.line = line
        self.column = column
        self.scalar = scalar
        self.below = below
        self.keys = {} if keys is None else keys
        """The key of each node below it. A key from a merge (`<<`) has none here."""
        self.size = 1
        """How many values it holds if every alias is written out."""
        self.height = 0
        """How many levels are below it if every alias is written out."""
        self.is_open = is_open
        """Whether its end has not been read yet."""
        self.file = file
        """The file that it is in, if that is not the suite file."""
        self._value: Any = _Unset.UNSET

    @property
    def value(self) -> Any:
        """The value of the nodes below, or the scalar. It is built once: change nodes before you read it."""
        if self._value is _Unset.UNSET:
            if isinstance(self.below, dict):
                self._value = {name: node.value for name, node in self.below.items()}
            elif self.below is not None:
                self._value = [node.value for node in self.below]
            else:
                self._value = self.scalar
        return self._value

    def with_below(self, below: "dict[str, Node] | list[Node]") -> "Node":
        """Return a node at the same place, with other nodes below it."""
        return Node(self.line, self.column, below=below, keys=self.keys, is_open=self.is_open, file=self.file)

    def build_problem(self, what: str, where: str, suite_file: str) -> Problem:
        """Return a problem with this value, at its line and column."""
        return Problem(what, where, self.file or suite_file, self.line, self.column)
