"""A gate and the figure that a suite reached → whether the gate is met, in figures and in words."""

from dataclasses import dataclass

from agentv_py.score import SLACK


@dataclass(frozen=True, slots=True)
class GateResult:
    """A gate, and the figure that was reached."""

    name: str
    value: float
    least: float
    target: str = ""
    """The target that must reach it, where the suite has several: targets are never averaged."""

    @property
    def is_met(self) -> bool:
        return self.value >= self.least - SLACK

    @property
    def label(self) -> str:
        return f"{self.name} of {self.target}" if self.target else self.name

    @property
    def word(self) -> str:
        return "met" if self.is_met else "missed"

    @property
    def figure(self) -> str:
        """The figure, with as many digits as are needed to see on which side of the gate it is."""
        texts = (f"{self.value:.{digits}g}" for digits in range(4, 17))
        return next((text for text in texts if (float(text) >= self.least) == self.is_met), f"{self.value}")

    def __str__(self) -> str:
        relation = "meets" if self.is_met else "is below"
        return f"{self.label} {self.figure} {relation} the gate of {self.least:.15g}"
