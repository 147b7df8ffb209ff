"""Report → one page that holds all it shows: figures, and every case behind them.

Users' data stands in the page as JSON only, in blocks that no browser runs, with every character escaped that could
end such a block or begin a command in a job's log; the page's script reads it and puts it on the screen as text. The
policy in the page's head allows that one script and that one style sheet, by their hashes, and no request at all.
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any, get_args

from agentv_py import __version__, jsontext
from agentv_py.case import ABSENT
from agentv_py.comparison.readers.box import FORMAT_BY_KEYS, BoxFormat
from agentv_py.comparison.scoring import MOST_PAIRS
from agentv_py.formats import json
from agentv_py.formats.html.case_index import CODES, Entry, Index
from agentv_py.formats.html.diff_cases import Outcomes
from agentv_py.formats.html.sample import Excerpt
from agentv_py.report.diff.model import Diff
from agentv_py.report.kinds import Report
from agentv_py.report.row_values import values
from agentv_py.report.summary import Summary
from agentv_py.results.row import Row

SCRIPTS = (
    "data", "draw", "figures", "paths", "sides", "pairings", "shapes", "boxes", "detail", "rows", "search", "filters",
    "cases", "diff", "trend", "start",
)  # fmt: skip
_PER_BLOCK = 64
# What the evaluators said stands in their results, and the values in a column of their own.
_ELSEWHERE = frozenset({"hits", "misses", "reasoning", "expected", "candidate"})
# What the page's script must know as well is said here once.
TABLES: dict[str, Any] = {
    "verdicts": {code: verdict for verdict, code in CODES.items()},
    "box_formats": get_args(BoxFormat),
    "box_keys": FORMAT_BY_KEYS,
    "most_pairs": MOST_PAIRS,
}
_ESCAPES = [(mark, f"\\u{ord(mark):04x}") for mark in "<>&#\u2028\u2029"]


def render(report: Report) -> Iterator[str]:
    style = _file("page.css")
    script = page_script()
    head, _, tail = _file("page.html").partition("{{data}}")
    yield head.replace("{{policy}}", _policy(script, style)).replace("{{style}}", style)
    yield from _block("report", json.render(report))
    yield from _cases(report)
    yield tail.replace("{{script}}", script)


def page_script() -> str:
    """Returns the page's one script: its parts share one scope, in this order."""
    return '(() => {\n"use strict";\n' + "".join(_file(f"{name}.js") for name in SCRIPTS) + "})();\n"


def _file(name: str) -> str:
    return files(__package__).joinpath("page", name).read_text(encoding="utf-8")


def _policy(script: str, style: str) -> str:
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (script, style)]
    sources = "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'".format(*hashes)
    return f"{sources}; base-uri 'none'; form-action 'none'"


def _cases(report: Report) -> Iterator[str]:
    """The cases, then the index of them, which is all that is held meanwhile."""
    index = Index(sides=2 if isinstance(report, Diff) else 1)
    entries, notices = _kept(report, index)
    for position, entry in enumerate(entries):
        if position % _PER_BLOCK == 0:
            yield "</script>\n" if position else ""
            yield f'<script type="text/tab-separated-values" id="block-{position // _PER_BLOCK}">'
        index.add(entry)
        yield _escaped(_line(entry.rows))
    yield "</script>\n" if index.ids else ""
    page = {"per_block": _PER_BLOCK, "notices": notices, "version": __version__, "tables": TABLES}
    yield from _block("index", [jsontext.dumps(index.as_json() | page).decode()])


def _kept(report: Report, index: Index) -> tuple[Iterable[Entry], list[str]]:
    """The cases that the page holds, and what it has to say about them."""
    if isinstance(report, Summary):
        excerpt = Excerpt(report.cases, report.cases - report.passed)
        rows = excerpt.of(
            index.counted(report.rows()), lambda row: row["status"] == "error" or row["verdict"] != "pass"
        )
        return (Entry((row,), (row["score"],)) for row in rows), _sampled(excerpt, "did not pass")
    if isinstance(report, Diff):
        outcomes = Outcomes(report)
        return outcomes, [*outcomes.notices(), *_sampled(outcomes.excerpt, "did not pass on both sides")]
    return (), []


def _sampled(excerpt: Excerpt, which: str) -> list[str]:
    if excerpt.sampled == excerpt.spare:
        return []
    held = f"all {excerpt.needed:,} that {which} and an even sample of the others"
    sample = f"{excerpt.sampled:,} of {excerpt.spare:,}"
    return [f"Of {excerpt.cases:,} cases this page holds {held}, {sample}. The figures are those of all cases."]


def _line(rows: Sequence[Row | None]) -> str:
    """A case: its values, which are searched, then the rest of its rows."""
    sides = [{} if row is None else _values(row) for row in rows]
    rest = [
        None if row is None else {key: value for key, value in row.items() if key not in _ELSEWHERE} for row in rows
    ]
    return f"{jsontext.dumps(sides).decode()}\t{jsontext.dumps(rest).decode()}\n"


def _values(row: Row) -> Mapping[str, Any]:
    found = zip(("expected", "candidate"), values(row), strict=True)
    return {side: value for side, value in found if value is not ABSENT}


def _block(name: str, pieces: Iterable[str]) -> Iterator[str]:
    yield f'<script type="application/json" id="{name}">'
    yield from map(_escaped, pieces)
    yield "</script>\n"


def _escaped(text: str) -> str:
    for mark, escaped in _ESCAPES:
        text = text.replace(mark, escaped)
    return text
