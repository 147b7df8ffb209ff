"""Replies of models ⇄ a file on disk that several runs share. It holds hashes of questions, never the questions."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from agentv_py.errors import UserError
from agentv_py.state_folder import NAME, make_state_folder

FOLDER = Path(NAME, "cache")

# The names on disk never change, so that older caches stay usable.
_FILE = "answers.sqlite"
_TABLE = "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, answer BLOB) WITHOUT ROWID"
_LOCK_TIMEOUT = 30.0  # seconds that another run may hold the file
_MAX_PARAMETERS = 500  # sqlite takes 999 parameters in its older versions


class Cache:
    """Replies by the key of their question. Errors are never stored."""

    def __init__(self, path: Path) -> None:
        self._path = path
        make_state_folder(path.parent)
        self._file = sqlite3.connect(path, timeout=_LOCK_TIMEOUT)
        try:
            self._prepare()
        except sqlite3.Error:
            self._file.close()
            raise

    def _prepare(self) -> None:
        with suppress(sqlite3.OperationalError):  # another run is doing the same
            self._file.execute("PRAGMA journal_mode=WAL")
        self._file.execute("PRAGMA synchronous=NORMAL")
        self._file.execute(_TABLE)

    def read(self, keys: Iterable[str]) -> dict[str, bytes]:
        wanted, values = list(keys), dict[str, bytes]()
        with _raise_as_user_error(self._path):
            for start in range(0, len(wanted), _MAX_PARAMETERS):
                some = wanted[start : start + _MAX_PARAMETERS]
                marks = ",".join("?" * len(some))
                query = f"SELECT key, answer FROM answers WHERE key IN ({marks}) AND typeof(answer) = 'blob'"  # noqa: S608  of question marks
                values.update(self._file.execute(query, some))
        return values

    def write(self, values: Iterable[tuple[str, bytes]]) -> None:
        with _raise_as_user_error(self._path), self._file:
            self._file.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?)", values)

    def close(self) -> None:
        self._file.close()


@contextmanager
def open_cache(folder: Path = FOLDER) -> Iterator[Cache]:
    """Open the cache for this context only, because a connection must not be open during a fork."""
    with _raise_as_user_error(folder / _FILE):
        cache = Cache(folder / _FILE)
    try:
        yield cache
    finally:
        cache.close()


@contextmanager
def _raise_as_user_error(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError, UnicodeDecodeError) as error:  # sqlite's own message quotes a damaged file
        reason = error.strerror if isinstance(error, OSError) else error
        raise UserError(f"{path}: cannot be used: {reason}; remove it, or run with --no-cache") from None
