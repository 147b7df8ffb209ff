"""pytest → suites among its tests: each case is an item. Nothing is imported before a suite is collected."""

from fnmatch import fnmatch
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

_DEFAULT = ("evalctl.yaml", "suite.yaml", "*.eval.yaml", "*.eval.yml", "evals/*.yaml", "evals/*.yml")
_OPTION, _SETTING = "evalctl", "evalctl_suites"


def pytest_addoption(parser: "pytest.Parser") -> None:
    group = parser.getgroup("evalctl")
    what = "collect evalctl suites: the files that evalctl_suites names, and suites on the command line"
    group.addoption("--evalctl", action="store_true", dest=_OPTION, help=what)
    text = f"globs of evalctl suites, relative to the root; with --evalctl alone: {' '.join(_DEFAULT)}"
    parser.addini(_SETTING, type="linelist", help=text)


def pytest_collect_file(file_path: "Path", parent: "pytest.Collector") -> "pytest.Collector | None":
    if file_path.suffix not in (".yaml", ".yml") or not _is_suite(file_path, parent):
        return None
    from agentv_py.testing.items import SuiteFile

    suite: pytest.Collector = SuiteFile.from_parent(parent, path=file_path)
    return suite


def _is_suite(file: "Path", parent: "pytest.Collector") -> bool:
    """Tell whether the user wants this file: by a glob of the configuration, or by the option."""
    config = parent.config
    is_wanted, globs = config.getoption(_OPTION), config.getini(_SETTING)
    if not is_wanted and not globs:
        return False
    if is_wanted and parent.session.isinitpath(file):
        return True
    path = file.relative_to(config.rootpath).as_posix() if file.is_relative_to(config.rootpath) else file.as_posix()
    return any(fnmatch(path, glob) or fnmatch(path, f"*/{glob}") for glob in globs or _DEFAULT)
