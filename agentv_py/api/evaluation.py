"""The rows of many cases → figures, reports, a data frame, and a summary for notebooks, for Python callers."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from agentv_py.results.row import Row, encode_row
from agentv_py.results.write import Writer

if TYPE_CHECKING:
    from agentv_py.formats import Format
    from agentv_py.report.summary import Summary

FrameKind = Literal["cases", "comparisons"]
FrameLibrary = Literal["pandas", "polars"]


@dataclass(frozen=True, slots=True, repr=False)
class Evaluation:
    """The results of many cases."""

    cases: list[Row]
    passed: int
    total: int
    accuracy: float
    """The share of leaf fields that pass, among those that count."""
    mean_score: float

    def __repr__(self) -> str:
        figures = f"mean_score={self.mean_score:.3f}, accuracy={self.accuracy:.3f}"
        return f"<Evaluation: {self.passed:,} of {self.total:,} passed, {figures}>"

    def _repr_html_(self) -> str:
        """Return the summary, as notebooks show it."""
        from agentv_py.api.notebook import write_summary

        return write_summary(self._summarize())

    @property
    def metrics(self) -> dict[str, Any]:
        """Precision, recall and F1: `attributes` by name, and their `micro` and `macro` means.

        A figure is None where it is undefined. It is what `evalctl report --format json` has under `metrics`.
        """
        from agentv_py.formats.json.summary import convert_metrics

        evaluators = self._summarize().evaluators
        return convert_metrics(evaluators[0].counts if evaluators else {})

    def to_frame(self, kind: FrameKind = "cases", library: FrameLibrary | None = None) -> Any:
        """Return a data frame with a line for each case, or for each comparison of a field.

        Without `library` it is of pandas if that is installed, else of polars. Values of the user are JSON text.
        """
        from agentv_py.api.frame import build_frame

        return build_frame(self.cases, kind, library)

    def report(self, path: str | os.PathLike[str]) -> Path:
        """Write a report, as `evalctl report -o` does. The suffix selects the format: `.html`, `.md`, `.csv`, ..."""
        from agentv_py.formats import render_for_file

        file = Path(path)
        pieces = render_for_file(self._summarize(), _find_format(file))
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("w", encoding="utf-8", errors="backslashreplace") as opened:
            opened.writelines(pieces)
        return file

    def write(self, path: str | Path) -> None:
        """Write the rows as JSONL, as `evalctl run` does."""
        with Writer(str(path)) as writer:
            writer.write(b"".join(map(encode_row, self.cases)))

    def _summarize(self) -> "Summary":
        from agentv_py.report.summary import Summary

        summary = Summary(full=True, rows=lambda: iter(self.cases))
        for row in self.cases:
            summary.add(row)
        return summary


def _find_format(file: Path) -> "Format":
    from agentv_py.formats import BY_SUFFIX

    format_name = BY_SUFFIX.get(file.suffix.lower())
    if format_name is None:
        raise ValueError(f"{str(file)!r}: the suffix selects the format; valid: {' '.join(BY_SUFFIX)}")
    return format_name
