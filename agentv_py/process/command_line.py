"""`script:` → the argv that starts it, or the option that is wrong."""

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from agentv_py.input_file import suggest_file

_SUFFIXES = {
    ".py": ((sys.executable,),),
    ".js": (("node",), ("bun",)),
    ".mjs": (("node",), ("bun",)),
    ".cjs": (("node",),),
    ".ts": (("bun",), ("deno", "run", "--allow-all"), ("tsx",), ("node", "--experimental-strip-types")),
    ".sh": (("bash",), ("sh",)),
}
_INTERPRETERS = ("python", "node", "bun", "deno", "bash", "sh", "ruby", "perl")
_RUN_A_FILE = {("bun", "run"), ("deno", "run")}
"""Words behind these programs that are no file: the file comes next. `bun run` also takes the name of a script."""
_RUN_NO_FILE = ("-c", "-m", "-e", "-p", "--eval", "--print")


class ScriptProblem(Exception):  # noqa: N818  a finding about a suite, not a fault of the program
    """The script cannot be started; `key` names the option that is wrong."""

    def __init__(self, key: str, what: str) -> None:
        super().__init__(what)
        self.key = key


def build_argv(script: str | Sequence[str], folder: Path, search: str) -> list[str]:
    """Look up relative paths in the folder, then in the working folder; look up programs along the PATH `search`.

    Raises ScriptProblem.
    """
    if not folder.is_dir():
        raise ScriptProblem("cwd", f"{os.fspath(folder)!r} is not a folder")
    argv = _start_path(script, folder, search) if isinstance(script, str) else _start_list(script, folder, search)
    if any("\0" in part for part in argv):
        raise ScriptProblem("script", "holds a NUL character")
    return argv


def _start_path(script: str, folder: Path, search: str) -> list[str]:
    path = _require_file(script, folder, _suggest_list(script, search))
    shebang = _read_shebang(path)
    if path.suffix == ".py" and (not shebang or _is_python(shebang)):  # this interpreter can import the SDK
        return [sys.executable, str(path)]
    if shebang:
        return _start_by_shebang(path, search)
    if path.suffix in _SUFFIXES:
        return [*_find_interpreter(path.suffix, search), str(path)]
    if os.access(path, os.X_OK):
        return [str(path)]
    raise ScriptProblem("script", f"{script!r} has no shebang, no run bit and none of {' '.join(_SUFFIXES)}")


def _start_list(argv: Sequence[str], folder: Path, search: str) -> list[str]:
    program, *arguments = argv
    words = [(n, word) for n, word in enumerate(arguments) if word]
    has_word = any((Path(program).name, word) in _RUN_A_FILE for _, word in words[:1])
    files = (n for n, word in words[has_word:] if not word.startswith("-") or word in _RUN_NO_FILE)
    index = next(files, None)
    start = _start_program(program, folder, search)
    if index is not None and arguments[index] not in _RUN_NO_FILE:
        must_exist = Path(arguments[index]).suffix in _SUFFIXES or (is_interpreter(program) and not has_word)
        path = _require_file(arguments[index], folder) if must_exist else _find_file(arguments[index], folder)
        if path is not None:
            arguments[index] = str(path)
    return [*start, *arguments]


def _start_program(program: str, folder: Path, search: str) -> list[str]:
    if os.sep in program:
        path = _require_file(program, folder)
        is_program = not _read_shebang(path) and os.access(path, os.X_OK)
        return [str(path)] if is_program else _start_by_shebang(path, search)
    if shutil.which(program, path=search):
        return [program]
    raise ScriptProblem("script", f"program {program!r} is not on the PATH")


def _start_by_shebang(path: Path, search: str) -> list[str]:
    shebang = _read_shebang(path)
    if not shebang:
        raise ScriptProblem("script", f"{path.name!r} has neither a shebang nor a run bit")
    words = _list_words(shebang)
    if not Path(shebang[0]).exists() or (words and not shutil.which(words[0], path=search)):
        raise ScriptProblem("script", f"{path.name!r} names an interpreter that is not there: {' '.join(shebang)!r}")
    return [str(path)] if os.access(path, os.X_OK) else [*shebang, str(path)]


def _read_shebang(path: Path) -> list[str]:
    with path.open("rb") as file:
        first = file.readline(512)
    # A carriage return at the end stays part of the last word: no program has such a name.
    return first[2:].decode(errors="replace").rstrip("\n").strip(" ").split(" ") if first.startswith(b"#!") else []


def _list_words(shebang: Sequence[str]) -> Sequence[str]:
    """Return the interpreter of a shebang and its arguments, without `env`."""
    return [word for word in shebang[1:] if not word.startswith("-")] if Path(shebang[0]).name == "env" else shebang


def _is_python(shebang: Sequence[str]) -> bool:
    words = _list_words(shebang)
    return bool(words) and Path(words[0].strip()).name.rstrip("0123456789.") == "python"


def is_interpreter(program: str) -> bool:
    """Tell whether a program runs scripts in a language, such as `python3.12` or `/usr/bin/node`."""
    return Path(program).name.rstrip("0123456789.") in _INTERPRETERS


def _find_interpreter(suffix: str, search: str) -> tuple[str, ...]:
    for command in _SUFFIXES[suffix]:
        if shutil.which(command[0], path=search):
            return command
    raise ScriptProblem("script", f"no program for {suffix} is on the PATH; one of these would do: "
                        f"{', '.join(command[0] for command in _SUFFIXES[suffix])}")  # fmt: skip


def _suggest_list(script: str, search: str) -> str:
    """Return what to write where the text is a command line; an empty text where it is not."""
    words = script.split() or [""]
    return f"; to start a program, write a list: [{', '.join(words)}]" if shutil.which(words[0], path=search) else ""


def _require_file(name: str, folder: Path, hint: str = "") -> Path:
    path = _find_file(name, folder)
    if path is None:
        hint = hint or suggest_file(name, os.fspath(folder)) or suggest_file(name)
        what = f"{name!r} is neither in {os.fspath(folder)!r} nor in the working folder{hint}"
        raise ScriptProblem("script", what)
    return path


def _find_file(name: str, folder: Path) -> Path | None:
    for path in (folder / name, Path(name)):
        try:
            if path.is_file():
                return path.absolute()
        except OSError:  # no file can have this name
            return None
    return None
