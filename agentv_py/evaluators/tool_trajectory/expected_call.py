"""A call of a tool that is expected, and a call that was made → whether they match, argument by argument."""

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Field, TypeAdapter

from agentv_py import jsontext
from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import Comparison
from agentv_py.comparison.judge_functions import compare_value
from agentv_py.comparison.matchers import AnyMatch
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.matchers.exact import Exact
from agentv_py.comparison.paths import join_path
from agentv_py.comparison.readers.tool_calls import ToolCall
from agentv_py.errors import EvaluationError
from agentv_py.options import Options

ArgsMatch = Literal["exact", "superset", "subset", "ignore"]
_QUANTITIES: dict[ArgsMatch, str] = {"exact": "only ", "superset": "at least ", "subset": "at most "}


class Argument(NamedTuple):
    """The expected value of an argument, and the match type that compares it."""

    value: Any
    match: Match

    @property
    def needs_value(self) -> bool:
        """Whether the expected value of the case must tell what the argument is compared with."""
        return self.value is ABSENT and self.match.equal_values_match and self.match.tag != "presence"

    def describe(self) -> str:
        if self.needs_value:
            return f"{self.match.tag} the expected value of the case"
        value = "" if self.value is ABSENT else jsontext.dumps(self.value).decode()
        return value if self.match.tag == "exact" else f"{self.match.tag} {value}".strip()

    def compare(self, actual: Any, path: str) -> Comparison:
        # A rule of its own, such as a pattern, needs no expected value.
        expected = (True if self.match.tag == "presence" else actual) if self.value is ABSENT else self.value
        return compare_value(self.match, None if expected is ABSENT else expected, actual, path)


def _read_argument(given: Any) -> Argument:
    """Read a value, which is compared exactly, or `{match: ..., value: ...}`."""
    if isinstance(given, Argument):
        return given
    if not (isinstance(given, dict) and "match" in given):
        return Argument(given, Exact())
    options = {key: value for key, value in given.items() if key != "value"}
    match = TypeAdapter[Match](AnyMatch).validate_python(options)
    if any(True for _ in match.models()):
        raise ValueError(f"match: {match.tag} asks a model, which arguments cannot do; use backend: lexical")
    return Argument(given.get("value", ABSENT), match)


class ExpectedCall(Options):
    """A call that is expected."""

    tool: str = Field(min_length=1, description="The name of the tool.")
    args: dict[str, Annotated[Any, BeforeValidator(_read_argument)]] | None = Field(
        None,
        description="The arguments; left out, any will do. A value, or {match: ..., value: ...}. Without value, the "
        "expected value of the case tells it.",
    )
    args_match: ArgsMatch = Field(
        "exact",
        description="superset: the call may have further arguments; subset: it may lack some; ignore: any will do.",
    )

    @cached_property
    def path(self) -> str:
        """The name as a path, which hits and misses show."""
        return join_path("", self.tool)

    @cached_property
    def needs_values(self) -> bool:
        return any(argument.needs_value for argument in (self.args or {}).values())

    def fill_values(self, args: Any) -> "ExpectedCall":
        """Return the call with the values of a call that the case expects. Raises EvaluationError."""
        known = args if isinstance(args, dict) else {}
        filled = dict(self.args or {})
        for name, argument in filled.items():
            if argument.needs_value and name not in known:
                what = f"{join_path(self.path, name)} has no value: write value: beside match: {argument.match.tag}"
                raise EvaluationError("expected", f"{what}, or give the case an expected list of calls that has it")
            if argument.needs_value:
                filled[name] = argument._replace(value=known[name])
        return self.model_copy(update={"args": filled})

    def describe_arguments(self) -> str:
        """Return which arguments fit, as a phrase."""
        if self.args is None or self.args_match == "ignore":
            return "with any arguments"
        args = [f"{name} {argument.describe()}" for name, argument in self.args.items()]
        return f"with {_QUANTITIES[self.args_match]}{', '.join(args)}"

    def matches(self, call: ToolCall) -> bool:
        return call.tool == self.tool and not any(self.list_differences(call))

    def list_differences(self, call: ToolCall) -> Iterator[Comparison]:
        """Yield the arguments in which a call of this tool differs."""
        if self.args is None or self.args_match == "ignore":
            return
        given = call.args if isinstance(call.args, dict) else {}
        for name, argument in self.args.items():
            if self.args_match == "subset" and name not in given:
                continue
            comparison = argument.compare(given.get(name, ABSENT), join_path(self.path, name))
            if comparison.outcome not in ("match", "blank"):
                yield comparison
        if self.args_match != "superset":
            for name in given.keys() - self.args.keys():
                yield Comparison("extra", join_path(self.path, name), 0.0, 0.0, "unexpected", ABSENT, given[name])
