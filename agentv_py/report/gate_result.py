"""A gate and the figure that a suite reached → whether the gate is met, in figures and in words."""

from typing import NamedTuple

from agentv_py.score import SLACK


class GateResult(NamedTuple):
    """A gate, and the figure that was reached."""

    name: str
    value: float | None
    """None where there is no figure; the note says why, and the gate is missed."""
    limit: float
    """The least figure; the greatest one of a ceiling."""
    target: str = ""
    """The target that must reach it, where the suite has several: targets are never averaged."""
    is_ceiling: bool = False
    note: str = ""

    @property
    def is_met(self) -> bool:
        if self.value is None:
            return False
        return self.value <= self.limit + SLACK if self.is_ceiling else self.value >= self.limit - SLACK

    @property
    def label(self) -> str:
        return f"{self.name} of {self.target}" if self.target else self.name

    @property
    def word(self) -> str:
        return "met" if self.is_met else "missed"

    @property
    def sign(self) -> str:
        """How the figure is related to the limit."""
        if self.value is None:
            return "≤" if self.is_ceiling else "≥"
        return ("≤" if self.is_met else ">") if self.is_ceiling else ("≥" if self.is_met else "<")

    @property
    def figure(self) -> str:
        """The figure, with as many digits as are needed to see on which side of the gate it is."""
        if self.value is None:
            return "–"
        value = self.value
        texts = (f"{value:.{digits}g}" for digits in range(4, 17))
        return next((text for text in texts if self._is_inside(float(text)) == self.is_met), f"{value}")

    def _is_inside(self, value: float) -> bool:
        return value <= self.limit if self.is_ceiling else value >= self.limit

    def __str__(self) -> str:
        note = f" ({self.note})" if self.note else ""
        if self.value is None:
            return f"{self.label} has no figure for the gate of {self.limit:.15g}{note}"
        relation = "meets" if self.is_met else "is above" if self.is_ceiling else "is below"
        return f"{self.label} {self.figure} {relation} the gate of {self.limit:.15g}{note}"
