"""Findings of benchmarks → the tables in benchmarks/README.md, and the sentence about speed in README.md.

A table replaces the text between `<!-- figures NAME -->` or `<!-- table NAME -->` and `<!-- end -->`.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from figure import Figure, Table, show_number, show_table
from results_file import Results

_ROOT = Path(__file__).parents[1]
_FILES = ("benchmarks/README.md", "README.md")
_PART = re.compile(r"(<!-- (figures|table|machine|ratio) ?([\w. -]*?) -->)(.*?)(<!-- end -->)", re.DOTALL)


def write_documents(results: Results) -> None:
    for file, text in draw_documents(results):
        file.write_text(text, encoding="utf-8")


def draw_documents(results: Results) -> Iterator[tuple[Path, str]]:
    """Each document with its tables as these results have them."""
    for name in _FILES:
        file = _ROOT / name
        yield file, _PART.sub(lambda part: _fill(part, results), file.read_text(encoding="utf-8"))


def _fill(part: re.Match[str], results: Results) -> str:
    start, kind, name, _, end = part.groups()
    if kind == "ratio":  # inside a sentence
        return f"{start}{_draw_ratio(name, results)}{end}"
    drawn = {"figures": _draw_figures, "table": _draw_table, "machine": _draw_machine}[kind](name, results)
    return f"{start}\n{drawn}\n{end}"


def _draw_figures(name: str, results: Results) -> str:
    rows = [
        [figure.question, figure.show_ratio(), figure.show_goal() if figure.is_met else f"**{figure.show_goal()}**"]
        for figure in results[name].figures()
    ]
    return show_table(Table(name, ["question", "ratio", "goal"], rows)) if rows else "(not measured)"


def _draw_table(name: str, results: Results) -> str:
    benchmark, _, table = name.partition(".")
    [found] = [
        one for one in results[benchmark].findings if isinstance(one, Table) and one.name == (table or benchmark)
    ]
    return show_table(found)


def _draw_ratio(name: str, results: Results) -> str:
    benchmark, _, key = name.partition(".")
    [figure] = [one for one in results[benchmark].figures() if one.name == key]
    return show_ratio_in_words(figure)


def show_ratio_in_words(figure: Figure) -> str:
    low, high = show_number(min(figure.ratios)), show_number(max(figure.ratios))
    return low if low == high else f"{low} to {high}"


def _draw_machine(_name: str, results: Results) -> str:
    """One line for each machine and commit, with the benchmarks that ran there."""
    groups: dict[str, list[str]] = {}
    for name, run in results.items():
        machine, moment = run.machine, run.moment
        place = f"{machine['processor']}, {machine['cores']} cores, {machine['system']}, Python {machine['python']}"
        key = f"{place}; commit {moment['commit']}"
        groups.setdefault(key, []).append(f"`{name}` {moment['date'][11:]} (load {moment['load']})")
    return "\n".join(f"- {key}: {', '.join(names)}." for key, names in groups.items())
