"""A path that options name, and how many such paths no expected value has had so far."""

from dataclasses import dataclass, field

from agentv_py.options import OptionPath


@dataclass(slots=True, eq=False)
class ConfiguredPath:
    """A path into the expected value that options name."""

    option: OptionPath
    """Where the options name it."""
    path: str
    keys: tuple[str, ...]
    """The keys of the path, without the indexes of lists."""
    required: bool
    is_key: bool
    """Whether it is a key of the options, and not a value."""
    above: "ConfiguredPath | None" = None
    is_seen: bool = False
    """Whether any case's expected value has it."""


@dataclass(slots=True, eq=False)
class Progress:
    """What all nodes of one tree share."""

    paths: list[ConfiguredPath] = field(default_factory=list)
    unseen: int = 0

    def add(self, path: ConfiguredPath) -> ConfiguredPath:
        self.paths.append(path)
        self.unseen += 1
        return path

    def mark(self, path: ConfiguredPath) -> None:
        path.is_seen = True
        self.unseen -= 1
