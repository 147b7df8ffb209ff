"""Case → candidate: the stage before scoring. The names of targets are the registry."""

from typing import Annotated, Literal, get_args

from agentv_py.options import LazyUnion
from agentv_py.targets.base import Target

TargetName = Literal["recorded", "python", "command", "http", "openai"]

FAMILY = LazyUnion(__name__, get_args(TargetName), "type")
AnyTarget = Annotated[Target, FAMILY]
