"""The files of a new suite → a folder. A file that exists is never replaced."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from agentv_py import jsontext
from agentv_py.errors import InvalidSuite, UserError
from agentv_py.state_folder import NAME, make_state_folder
from agentv_py.suite.schema import build_json_schema

_SCHEMA = "suite.schema.json"
SCHEMA_LINE = f"# yaml-language-server: $schema={NAME}/{_SCHEMA}"
"""The line that gives editors completion and checks for a suite."""


def write_new_files(folder: str, files: dict[str, str]) -> Path:
    """Write files of a suite and the schema for editors; return the path of the first one. Raises UserError."""
    check_new_files(folder, files)
    try:
        make_state_folder(Path(folder, NAME))
        Path(folder, NAME, _SCHEMA).write_bytes(jsontext.dumps(build_json_schema()) + b"\n")
        for name, text in files.items():
            Path(folder, name).parent.mkdir(parents=True, exist_ok=True)
            with Path(folder, name).open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
    except OSError as error:
        raise UserError(f"{folder}: cannot be written: {error.strerror}") from None
    return Path(folder, next(iter(files)))


def check_new_files(folder: str, files: Iterable[str], way_out: str = "name another folder") -> None:
    """Raise a UserError if one of the files exists."""
    for path in (Path(folder, name) for name in files):
        if path.exists():
            raise UserError(f"{path}: exists already; {way_out}")


@contextmanager
def remove_if_invalid(folder: str, files: Iterable[str]) -> Iterator[None]:
    """If the new suite is not valid, remove the files and folders that did not exist before. Raises InvalidSuite."""
    state = Path(folder, NAME)
    written = [*(Path(folder, name) for name in files), state / _SCHEMA, state / ".gitignore"]
    new = [path for path in (*written, state, Path(folder), *Path(folder).parents) if not path.exists()]
    try:
        yield
    except InvalidSuite:
        for path in new:
            with suppress(OSError):  # a folder that holds something else stays
                path.rmdir() if path.is_dir() else path.unlink()
        raise
