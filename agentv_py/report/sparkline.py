"""Scores over time → a line of bars."""

from collections.abc import Sequence

_BARS = "▁▂▃▄▅▆▇█"


def sparkline(scores: Sequence[float | None]) -> str:
    """From the lowest to the highest of them; a run without a score is a gap, and equal scores a line in the middle."""
    known = [score for score in scores if score is not None]
    low, spread = min(known, default=0.0), max(known, default=0.0) - min(known, default=0.0)
    step = (len(_BARS) - 1) / spread if spread > 1e-9 else 0.0
    return "".join(" " if score is None else _BARS[round((score - low) * step)] if step else "▄" for score in scores)
