"""What a target is: a named source of answers, and its options."""

from collections.abc import Sequence
from itertools import count
from typing import ClassVar

from pydantic import Field

from agentv_py.options import Options


class Target(Options):
    """A source of answers. Its `type` selects it."""

    name: str | None = Field(None, min_length=1, description="Default: the type. Unique within a suite.")

    is_live: ClassVar[bool] = False
    """Whether it must be asked, because its answers are not recorded."""

    def describe_options(self) -> str:
        """Return the options as the suite has them, without defaults and without values of the environment."""
        return self.model_dump_json(exclude_defaults=True)

    @property
    def tag(self) -> str:
        return str(self.type)  # type: ignore[attr-defined]


def assign_names(targets: Sequence[Target]) -> list[str]:
    """Return the name of each target: the user's choice, else its type, with a number if that name is taken."""
    taken = {target.name for target in targets}
    names: list[str] = []
    for target in targets:
        numbered = (target.tag if number == 1 else f"{target.tag}-{number}" for number in count(1))
        names.append(target.name or next(name for name in numbered if name not in taken))
        taken.add(names[-1])
    return names
