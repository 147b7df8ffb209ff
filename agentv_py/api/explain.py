"""Two values from Python → the story of their comparison: each finding, its rule, its gap, and what would pass."""

import os
from collections.abc import Sequence
from typing import Any

from agentv_py.api.comparators import Comparators, DefaultMatch
from agentv_py.api.evaluator_cache import find_evaluator
from agentv_py.case import Case
from agentv_py.comparison.comparators import Aggregate, ExtraKeys
from agentv_py.comparison.tree import Absent
from agentv_py.report.explanation.case import explain_row
from agentv_py.report.explanation.case_model import CaseExplanation, CaseStory, Finding
from agentv_py.run.pair import score_pair
from agentv_py.targets.python_value import to_json


class Explanation:
    """Why an answer has its score. `print` it, show it in a notebook, or read its findings."""

    def __init__(self, story: CaseStory) -> None:
        self._story = story

    @property
    def score(self) -> float:
        return self._story.score

    @property
    def verdict(self) -> str:
        return self._story.verdict

    @property
    def findings(self) -> Sequence[Finding]:
        """Every miss: `path`, `expected`, `actual`, `note`, and in `judgements` the rule and the gap."""
        return self._story.findings

    def list_misses(self) -> list[str]:
        """Return lines that tell each finding: its values, the rule and the gap."""
        from agentv_py.formats.story_words import list_misses

        return list(list_misses(self._story))

    def to_dict(self) -> dict[str, Any]:
        """Return the story as `evalctl score --format json` writes it."""
        from agentv_py.formats.json.case_story import convert_stories

        [story] = convert_stories(CaseExplanation([self._story]))["cases"]
        return {key: value for key, value in story.items() if key not in ("suite", "case_id", "target", "where")}

    def __repr__(self) -> str:
        count = len(self.findings)
        return f"<Explanation: {self.verdict} {self.score:.3f}, {count} finding{'' if count == 1 else 's'}>"

    def __str__(self) -> str:
        from agentv_py.formats import render_for_file

        return "".join(render_for_file(CaseExplanation([self._story]), "console"))

    def _repr_html_(self) -> str:
        from agentv_py.api.notebook import write_page

        return write_page(str(self))


def explain(
    expected: Any,
    actual: Any,
    comparators: Comparators | None = None,
    *,
    default: DefaultMatch | None = None,
    schema: str | os.PathLike[str] | None = None,
    extra_keys: ExtraKeys = "ignore",
    absent: Absent = "unlabelled",
    aggregate: Aggregate = "tree",
) -> Explanation:
    """Compare two values, and explain the score. The options are those of `compare`."""
    evaluator = find_evaluator(comparators, default, schema, extra_keys=extra_keys, absent=absent, aggregate=aggregate)
    pair = score_pair(evaluator, Case("answer", to_json(expected), to_json(actual)), "explain", "the call")
    return Explanation(explain_row(pair.row, "", pair.scoring))
