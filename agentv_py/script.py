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
_WITHOUT_SCRIPT = ("-c", "-m", "-e", "-p", "--eval", "--print")


class ScriptProblem(Exception):  # noqa: N818  a finding about a suite, not a fault of the program
    """The script cannot be started; `key` is the option to look at."""

    def __init__(self, key: str, what: str) -> None:
        super().__init__(what)
        self.key = key


def resolve(script: str | Sequence[str], folder: Path) -> list[str]:
    """The argv. Relative paths are looked up in the folder, then in the working folder."""
    if not folder.is_dir():
        raise ScriptProblem("cwd", f"{os.fspath(folder)!r} is not a folder")
    return _one_path(script, folder) if isinstance(script, str) else _argv(list(script), folder)


def _one_path(script: str, folder: Path) -> list[str]:
    path = _found(script, folder)
    if path is None:
        raise ScriptProblem("script", f"{script!r} is neither in {os.fspath(folder)!r} nor in the working folder")
    if path.suffix == ".py":  # under this interpreter, so that the SDK can be imported
        return [sys.executable, str(path)]
    shebang = _shebang(path)
    if shebang:
        return [str(path)] if os.access(path, os.X_OK) else [*shebang, str(path)]
    if path.suffix in _SUFFIXES:
        return [*_first_there(path.suffix), str(path)]
    if os.access(path, os.X_OK):
        return [str(path)]
    raise ScriptProblem("script", f"{script!r} has no shebang, no run bit and none of {' '.join(_SUFFIXES)}")


def _argv(argv: list[str], folder: Path) -> list[str]:
    program = argv[0]
    if os.sep in program:
        path = _found(program, folder)
        if path is None or not os.access(path, os.X_OK):
            raise ScriptProblem("script", f"program {program!r} is not there, or may not be run")
        argv[0] = str(path)
    elif not shutil.which(program, path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"):
        raise ScriptProblem("script", f"program {program!r} is not on the PATH")
    for index, argument in enumerate(argv[1:], 1):
        if argument in _WITHOUT_SCRIPT:
            break
        if argument.startswith("-"):
            continue
        path = _found(argument, folder)
        if path is not None:
            argv[index] = str(path)
        elif index == 1 and Path(argument).suffix in _SUFFIXES:
            raise ScriptProblem("script", f"{argument!r} is neither in {os.fspath(folder)!r} nor in the working folder")
    return argv


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
    return first[2:].decode(errors="replace").split() if first.startswith(b"#!") else []


def _first_there(suffix: str) -> tuple[str, ...]:
    for command in _SUFFIXES[suffix]:
        if shutil.which(command[0]):
            return command
    raise ScriptProblem("script", f"no program for {suffix} is on the PATH; one of these would do: "
                        f"{', '.join(command[0] for command in _SUFFIXES[suffix])}")  # fmt: skip
