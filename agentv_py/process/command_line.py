"""`script:` → the argv that starts it, or what is missing."""

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

_SUFFIXES = {
    ".py": ((sys.executable,),),
    ".js": (("node",), ("bun",)),
    ".mjs": (("node",), ("bun",)),
    ".cjs": (("node",),),
    ".ts": (("bun",), ("deno", "run", "--allow-all"), ("tsx",), ("node", "--experimental-strip-types")),
    ".sh": (("bash",), ("sh",)),
}
_INTERPRETERS = ("python", "node", "bun", "deno", "bash", "sh", "ruby", "perl")
_WITHOUT_SCRIPT = ("-c", "-m", "-e", "-p", "--eval", "--print")


class ScriptProblem(Exception):  # noqa: N818  a finding about a suite, not a fault of the program
    """The script cannot be started; `key` is the option to look at."""

    def __init__(self, key: str, what: str) -> None:
        super().__init__(what)
        self.key = key


def resolve(script: str | Sequence[str], folder: Path, search: str) -> list[str]:
    """The argv. Relative paths are looked up in the folder, then in the working folder; programs along `search`."""
    if not folder.is_dir():
        raise ScriptProblem("cwd", f"{os.fspath(folder)!r} is not a folder")
    argv = _one_path(script, folder, search) if isinstance(script, str) else _argv(list(script), folder, search)
    if any("\0" in part for part in argv):
        raise ScriptProblem("script", "holds a NUL character")
    return argv


def _one_path(script: str, folder: Path, search: str) -> list[str]:
    path = _found(script, folder)
    if path is None:
        raise _not_found(script, folder)
    if path.suffix == ".py":  # under this interpreter, so that the SDK can be imported
        return [sys.executable, str(path)]
    if _shebang(path):
        return _by_shebang(path, search)
    if path.suffix in _SUFFIXES:
        return [*_first_there(path.suffix, search), str(path)]
    if os.access(path, os.X_OK):
        return [str(path)]
    raise ScriptProblem("script", f"{script!r} has no shebang, no run bit and none of {' '.join(_SUFFIXES)}")


def _argv(argv: list[str], folder: Path, search: str) -> list[str]:
    program, *arguments = argv
    if os.sep in program:
        path = _found(program, folder)
        if path is None:
            raise _not_found(program, folder)
        start = [str(path)] if not _shebang(path) and os.access(path, os.X_OK) else _by_shebang(path, search)
    elif shutil.which(program, path=search):
        start = [program]
    else:
        raise ScriptProblem("script", f"program {program!r} is not on the PATH")
    index = next((n for n, one in enumerate(arguments) if not one.startswith("-") or one in _WITHOUT_SCRIPT), None)
    if index is not None and arguments[index] not in _WITHOUT_SCRIPT:
        path = _found(arguments[index], folder)
        if path is not None:
            arguments[index] = str(path)
        elif Path(arguments[index]).suffix in _SUFFIXES or Path(program).name.rstrip("0123456789.") in _INTERPRETERS:
            raise _not_found(arguments[index], folder)
    return [*start, *arguments]


def _by_shebang(path: Path, search: str) -> list[str]:
    shebang = _shebang(path)
    if not shebang:
        raise ScriptProblem("script", f"{path.name!r} has neither a shebang nor a run bit")
    named = [one for one in shebang[1:] if not one.startswith("-")] if Path(shebang[0]).name == "env" else shebang
    if not Path(shebang[0]).exists() or (named and not shutil.which(named[0], path=search)):
        raise ScriptProblem("script", f"{path.name!r} names an interpreter that is not there: {' '.join(shebang)!r}")
    return [str(path)] if os.access(path, os.X_OK) else [*shebang, str(path)]


def _not_found(name: str, folder: Path) -> ScriptProblem:
    return ScriptProblem("script", f"{name!r} is neither in {os.fspath(folder)!r} nor in the working folder")


def _found(name: str, folder: Path) -> Path | None:
    for candidate in (folder / name, Path(name)):
        try:
            if candidate.is_file():
                return candidate.absolute()
        except OSError:  # a name no file can have
            return None
    return None


def _shebang(path: Path) -> list[str]:
    with path.open("rb") as file:
        first = file.readline(512)
    # A shebang that ends in a carriage return names no program, so that stays part of the word.
    return first[2:].decode(errors="replace").rstrip("\n").strip(" ").split(" ") if first.startswith(b"#!") else []


def _first_there(suffix: str, search: str) -> tuple[str, ...]:
    for command in _SUFFIXES[suffix]:
        if shutil.which(command[0], path=search):
            return command
    raise ScriptProblem("script", f"no program for {suffix} is on the PATH; one of these would do: "
                        f"{', '.join(command[0] for command in _SUFFIXES[suffix])}")  # fmt: skip
