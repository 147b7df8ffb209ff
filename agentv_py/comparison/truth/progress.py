"""A path that options name, and how many such paths no expected value has had so far."""

from agentv_py.options import OptionPath


class ConfiguredPath:
    """A path into the expected value that options name."""

    def __init__(
        self,
        option: OptionPath,
        path: str,
        keys: tuple[str, ...],
        above: "ConfiguredPath | None" = None,
        *,
        required: bool,
        is_key: bool,
    ) -> None:
        self.option = option
        """Where the options name it."""
        self.path = path
        self.keys = keys
        """The keys of the path, without the indexes of lists."""
        self.above = above
        self.required = required
        self.is_key = is_key
        """Whether it is a key of the options, and not a value."""
        self.is_seen = False
        """Whether any case's expected value has it."""


class Progress:
    """What all nodes of one tree share."""

    def __init__(self) -> None:
        self.paths: list[ConfiguredPath] = []
        self.unseen = 0

    def add(self, path: ConfiguredPath) -> ConfiguredPath:
        self.paths.append(path)
        self.unseen += 1
        return path

    def mark(self, path: ConfiguredPath) -> None:
        path.is_seen = True
        self.unseen -= 1
