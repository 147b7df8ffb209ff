"""A row of results → the suite that scored it, as it is now, if it can be found."""

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from agentv_py.errors import UserError, did_you_mean
from agentv_py.report.explanation.case_model import Scoring
from agentv_py.report.explanation.suite import build_scoring
from agentv_py.results.row import Row, read_fingerprint
from agentv_py.run.fingerprint import Fingerprints
from agentv_py.suite.load import load
from agentv_py.suite.plan import Plan
from agentv_py.suite.raw_case import get_raw_case_id, read_own_evaluators
from agentv_py.suite.selection import Selection

_FOLDERS = ("", "evals")
_MOST_FILES = 500
_MOST_LEVELS = 6
_NAME = re.compile(rb"^name:[ \t]*[\"']?([^\"'#\r\n]+)", re.MULTILINE)


class FoundScoring(NamedTuple):
    scoring: Scoring | None
    why: str = ""
    """Why no scoring was found."""
    others: tuple[str, ...] = ()
    """Further suites of that name that score the case in the same way."""


class SuiteFinder:
    """Finds the suites of rows. A suite counts only if it still scores as it did, as the row's fingerprint tells."""

    def __init__(self, results: Path, named: str | None = None) -> None:
        """`named`: the suite that the user names, which counts in any case. Raises UserError."""
        self._results = results
        self._named = None if named is None else load(named, Selection())
        self._plans: dict[str, list[Plan]] = {}

    def find(self, row: Row) -> FoundScoring:
        if self._named is not None:
            return FoundScoring(build_scoring(self._named, row["case_id"]))
        plans = self._plans.setdefault(row["suite"], self._load_plans(row["suite"]))
        alike = [plan for plan in plans if _is_scored_by(row, plan)]
        if alike:
            others = tuple(plan.file for plan in alike[1:])
            return FoundScoring(build_scoring(alike[0], row["case_id"]), others=others)
        if plans:
            return FoundScoring(
                None, f"{plans[0].file} has changed since the run; --suite {plans[0].file} shows its rules"
            )
        return FoundScoring(None, f"no suite {row['suite']!r} is nearby; name it: --suite FILE")

    def check_names(self, rows: "list[Row]") -> None:
        """Raise UserError if the suite that the user names is not the suite of any row."""
        suites = sorted({row["suite"] for row in rows})
        if self._named is not None and self._named.name not in suites:
            near = did_you_mean(self._named.name, suites) or f"; the rows are of {', '.join(map(repr, suites))}"
            raise UserError(f"--suite {self._named.file}: is named {self._named.name!r}{near}")

    def _load_plans(self, name: str) -> list[Plan]:
        plans = []
        for file in islice(_list_files(self._results), _MOST_FILES):
            if _is_named(file, name):
                try:
                    plans.append(load(file, Selection()))
                except UserError:  # it is not a suite, or not a valid one any more
                    continue
        return plans


def _list_files(results: Path) -> Iterator[str]:
    """Yield the YAML files of the working folder and the folders in it, then of the folders around the results file."""
    seen: set[str] = set()
    above = list(islice((results.absolute().parent, *results.absolute().parent.parents), _MOST_LEVELS))
    around = (folder / below for folder in above for below in _FOLDERS)
    for folder in (Path(), *_list_subfolders(), *around):
        for path in _list_folder(folder):
            real = os.path.realpath(path)
            if real not in seen:
                seen.add(real)
                yield os.path.relpath(path)


def _list_subfolders() -> list[Path]:
    return sorted(path for path in Path().iterdir() if path.is_dir() and not path.name.startswith("."))


def _list_folder(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.suffix in (".yaml", ".yml") and path.is_file())
    except OSError:
        return []


def _is_named(file: str, name: str) -> bool:
    path = Path(file)
    try:
        written = _NAME.search(path.read_bytes())
    except OSError:
        return False
    return (path.stem if written is None else written[1].decode(errors="replace").strip()) == name


def _is_scored_by(row: Row, plan: Plan) -> bool:
    """Tell whether the plan's evaluators, options and files are those that shaped the row's score."""
    fingerprint = read_fingerprint(row.get("fingerprint"))
    if fingerprint is None:
        return False
    fingerprints = Fingerprints(plan)
    for raw in plan.read_raw_cases():
        if get_raw_case_id(raw) == row["case_id"]:
            own = read_own_evaluators(raw)
            computed = read_fingerprint(fingerprints.compute(raw, has_own=own is not None))
            return computed is not None and computed.options == fingerprint.options
    return False
