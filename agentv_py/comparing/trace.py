"""What a walk saw on its way: the stream that every fold reads."""

from agentv_py.comparing.comparison import Comparison


class Trace:
    __slots__ = ("alignment", "comparisons", "optional", "readings", "unlabelled")

    def __init__(self) -> None:
        self.comparisons: list[Comparison] = []
        self.unlabelled: list[str] = []
        """Configured paths that expected does not have."""
        self.optional: list[str] = []
        """Fields that are not required and that the candidate left empty."""
        self.readings: dict[str, int] = {}
        """Which of several accepted readings counted, by path."""
        self.alignment: dict[str, list[tuple[int, int, float]]] = {}
        """Expected index, actual index and similarity of each pair of rows, by list."""

    def absorb(self, other: "Trace") -> None:
        self.comparisons += other.comparisons
        self.unlabelled += other.unlabelled
        self.optional += other.optional
        self.readings |= other.readings
        self.alignment |= other.alignment
