"""Errors and warnings about a suite, collected until all of them can be shown at once."""

from agentv_py.errors import InvalidSuite, Problem

_MOST = 50


class _Findings:
    """Problems in the order in which they are found. Equal problems of many rows are one problem with a count."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str, str] | Problem, tuple[Problem, int]] = {}
        self.omitted = 0

    def add(self, problem: Problem) -> None:
        is_of_row = problem.kind or (problem.line is not None and problem.column is None)
        key = (problem.file, problem.where, problem.kind or problem.what) if is_of_row else problem
        if key in self._counts:
            first, count = self._counts[key]
            self._counts[key] = first, count + 1
        elif len(self._counts) < _MOST:
            self._counts[key] = problem, 1
        else:
            self.omitted += 1

    def __bool__(self) -> bool:
        return bool(self._counts)

    def list(self) -> "list[Problem]":
        return [
            problem if count == 1 else problem._replace(what=f"{problem.what} (the first of {count:,} such rows)")
            for problem, count in self._counts.values()
        ]


class Refusal(Exception):  # noqa: N818  it is about rows, and not a fault of the program
    """There is an error or a warning, which another process must find itself."""


class Diagnostics:
    def __init__(self, file: str) -> None:
        self._file = file
        """The suite file."""
        self.refuses = False
        """Whether any error or warning raises Refusal instead."""
        self._errors = _Findings()
        self._warnings = _Findings()
        self._remarks = _Findings()

    def add_errors(self, *errors: Problem) -> None:
        for error in errors:
            self._add(self._errors, error)

    def warn(self, warning: Problem) -> None:
        """Warn of something that may change what a figure means."""
        self._add(self._warnings, warning)

    def remark(self, remark: Problem) -> None:
        """Warn of something that changes no figure."""
        self._add(self._remarks, remark)

    def _add(self, findings: _Findings, problem: Problem) -> None:
        if self.refuses:
            raise Refusal
        findings.add(problem)

    def has_errors(self) -> bool:
        return bool(self._errors)

    def list_warnings(self) -> list[Problem]:
        return _list_with_rest(self._warnings, self._file)

    def list_remarks(self) -> list[Problem]:
        return _list_with_rest(self._remarks, self._file)

    def build_exception(self) -> InvalidSuite:
        """Return an exception with every error, in the order of the files."""
        return InvalidSuite(*sorted(self._errors.list(), key=_get_place), omitted=self._errors.omitted)


def _get_place(error: Problem) -> tuple[str, int, int]:
    return error.file, error.line or 0, error.column or 0


def _list_with_rest(warnings: _Findings, file: str) -> list[Problem]:
    """Return the warnings, and one more that says how many are left out."""
    more = "1 more warning is" if warnings.omitted == 1 else f"{warnings.omitted:,} more warnings are"
    return [*warnings.list(), *([Problem(f"{more} not shown", "", file)] if warnings.omitted else [])]
