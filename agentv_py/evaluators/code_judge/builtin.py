"""`builtin:line_items` → the judge of that name that ships with evalctl."""

from collections.abc import Sequence
from pathlib import Path

from agentv_py.errors import did_you_mean
from agentv_py.process.command_line import ScriptProblem

_PREFIX = "builtin:"
_SUFFIXES = (".py", ".sh")
_PACKAGE = Path(__file__).parents[2]


def find_builtin_judges(script: str | Sequence[str]) -> str | list[str]:
    """Replace each `builtin:NAME` of a script by the path of that judge. Raises ScriptProblem."""
    return _find(script) if isinstance(script, str) else [_find(part) for part in script]


def _find(part: str) -> str:
    if not part.startswith(_PREFIX):
        return part
    judges = list_builtin_judges()
    name = part.removeprefix(_PREFIX)
    if name not in judges:
        hint = did_you_mean(name, list(judges)) or f"; valid: {', '.join(judges)}"
        raise ScriptProblem("script", f"{part!r} is not a judge that ships with evalctl{hint}")
    return str(judges[name])


def list_builtin_judges() -> dict[str, Path]:
    """Return the judges that ship, by name: in the installed package, else in the folder of the sources."""
    installed = _PACKAGE / "builtin_judges"
    folder = installed if installed.is_dir() else _PACKAGE.parent / "judges"
    return {path.stem: path for path in sorted(folder.glob("*")) if path.suffix in _SUFFIXES}
