"""Errors and warnings about a suite, collected until all of them can be shown at once."""

from agentv_py.errors import InvalidSuite, Problem

_MOST_ERRORS = 50


class Diagnostics:
    def __init__(self) -> None:
        self.warnings: list[Problem] = []
        self._errors: list[Problem] = []
        self._omitted = 0
        self._warned: set[tuple[str, str]] = set()

    def add_errors(self, *errors: Problem) -> None:
        room = _MOST_ERRORS - len(self._errors)
        self._errors.extend(errors[:room])
        self._omitted += max(0, len(errors) - room)

    def warn(self, warning: Problem) -> None:
        self.warnings.append(warning)

    def warn_once(self, what: str, display_name: str, line: int) -> None:
        """Warn about the first such row of a file, and not about later ones."""
        if (display_name, what) not in self._warned:
            self._warned.add((display_name, what))
            self.warn(Problem(what, "", display_name, line))

    def has_errors(self) -> bool:
        return bool(self._errors)

    def build_exception(self) -> InvalidSuite:
        """Return an exception with every error, in the order of the files."""
        return InvalidSuite(*sorted(self._errors, key=_get_place), omitted=self._omitted)


def _get_place(error: Problem) -> tuple[str, int, int]:
    return error.file, error.line or 0, error.column or 0
