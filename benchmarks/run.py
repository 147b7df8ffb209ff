"""Benchmarks → ratios on this machine, in a file; two such files → what became worse; a file → the documents' tables.

    python benchmarks/run.py                        all of them; a few minutes with --quick
    python benchmarks/run.py spine lists            some of them
    python benchmarks/run.py --quick -o new.json --against benchmarks/results.json
    python benchmarks/run.py --compare old.json new.json
    python benchmarks/run.py --write                benchmarks/results.json → the tables of the documents

It ends with 1 if a ratio is worse than before by more than noise, or if a benchmark fails, else with 0.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from figure import read_finding
from machine import describe_machine, describe_moment
from readme_tables import write_documents
from results_file import RESULTS, BenchmarkRun, Results, compare, find_other_settings, read_results, write_results

_FOLDER = Path(__file__).parent
RATIOS = ("spine", "peers", "lists", "targets", "new_suite", "judges", "checks", "diff", "geometry", "backends")
SIMULATIONS = ("false_alarms", "intervals", "confidence", "costs", "parent")
LONG = ("soak",)
"""A benchmark that runs only if it is named."""


def main() -> int:
    arguments = _parse_arguments()
    if arguments.write:
        write_documents(read_results(RESULTS))
        return 0
    if arguments.compare:
        old, new = map(read_results, arguments.compare)
        return _show_changes(old, new)
    before = read_results(arguments.against) if arguments.against else None
    names = arguments.names or (RATIOS if arguments.quick else (*RATIOS, *SIMULATIONS))
    found: Results = {}
    for name in names:
        if run := _run(name, quick=arguments.quick):
            found[name] = run
            if arguments.output:  # after each, so that an interrupt loses nothing
                _update(arguments.output, {name: run})
    if arguments.output:
        stays = [name for name in read_results(arguments.output) if name not in found] if found else []
        print(f"{arguments.output}: {', '.join(found)}" + (f"; as before: {', '.join(stays)}" if stays else ""))
    _show_missed_goals(found)
    is_worse = _show_changes(before, found) if before else 0
    return max(is_worse, int(len(found) < len(names)))


def _run(name: str, *, quick: bool) -> BenchmarkRun | None:
    """A benchmark in a process of its own, so that none is slower after another. None if it fails."""
    print(f"== {name}", flush=True)
    moment, started = describe_moment(), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "findings.json")
        command = [sys.executable, str(_FOLDER / f"{name}.py"), "--json", str(file), *(["--quick"] if quick else [])]
        if subprocess.run(command, check=False).returncode:
            print(f"{name} FAILED", flush=True)
            return None
        findings = list(map(read_finding, json.loads(file.read_text(encoding="utf-8"))))
    return BenchmarkRun(describe_machine(), moment, quick, round(time.monotonic() - started, 1), findings)


def _update(file: Path, found: Results) -> None:
    """Benchmarks that the file holds and that did not run now stay in it."""
    together = (read_results(file) if file.exists() else {}) | found
    write_results({name: together[name] for name in (*RATIOS, *SIMULATIONS, *LONG) if name in together}, file)


def _show_missed_goals(found: Results) -> None:
    figures = [(name, figure) for name, run in found.items() for figure in run.figures()]
    missed = [f"{name}: {figure.question}" for name, figure in figures if not figure.is_met]
    print(
        "\n".join([f"{len(figures) - len(missed)} of {len(figures)} goals are met", *map("missed: {}".format, missed)])
    )


def _show_changes(old: Results, new: Results) -> int:
    for line in find_other_settings(old, new):
        print(f"warning: {line}")
    changes = list(compare(old, new))
    for change in changes:
        print(change)
    worse = sum(change.verdict == "worse" for change in changes)
    print(f"{worse} of {len(changes)} ratios are worse by more than noise")
    return int(worse > 0)


def _parse_arguments() -> Any:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join((*RATIOS, *SIMULATIONS, *LONG))}")
    parser.add_argument("--quick", action="store_true", help="three rounds instead of seven, and no simulations")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write the findings to FILE")
    parser.add_argument("--against", type=Path, metavar="OLD", help="compare the findings with those in OLD")
    parser.add_argument("--compare", type=Path, nargs=2, metavar=("OLD", "NEW"), help="compare two files")
    parser.add_argument("--write", action="store_true", help=f"draw the documents' tables from {RESULTS.name}")
    arguments = parser.parse_args()
    _check_names(parser, arguments.names)
    return arguments


def _check_names(parser: argparse.ArgumentParser, names: Sequence[str]) -> None:
    for name in names:
        if name not in (*RATIOS, *SIMULATIONS, *LONG):
            parser.error(f"no benchmark is called {name!r}; see --help")


if __name__ == "__main__":
    sys.exit(main())
