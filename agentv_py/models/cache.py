"""Answers of models ⇄ a file on disk that several runs share. It holds hashes of questions, never the questions."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from agentv_py.errors import UserError

FOLDER = Path(".evalctl", "cache")

_FILE = "answers.sqlite"
_PATIENCE = 30.0  # seconds that another run may hold the file
_MOST_AT_ONCE = 500  # sqlite takes 999 parameters in its older versions


class Cache:
    """Answers by the hash of everything that shapes them. Errors are never among them."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = sqlite3.connect(path, timeout=_PATIENCE)
        with suppress(sqlite3.OperationalError):  # another run is just doing the same
            self._file.execute("PRAGMA journal_mode=WAL")
        self._file.execute("PRAGMA synchronous=NORMAL")
        self._file.execute("CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, answer BLOB) WITHOUT ROWID")

    def read(self, keys: Iterable[str]) -> dict[str, bytes]:
        wanted, found = list(keys), dict[str, bytes]()
        with _said_plainly(self._path):
            for start in range(0, len(wanted), _MOST_AT_ONCE):
                some = wanted[start : start + _MOST_AT_ONCE]
                marks = ",".join("?" * len(some))
                query = f"SELECT key, answer FROM answers WHERE key IN ({marks}) AND typeof(answer) = 'blob'"  # noqa: S608  of question marks
                found.update(self._file.execute(query, some))
        return found

    def write(self, answers: Iterable[tuple[str, bytes]]) -> None:
        with _said_plainly(self._path), self._file:
            self._file.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?)", answers)

    def close(self) -> None:
        self._file.close()


@contextmanager
def opened(folder: Path = FOLDER) -> Iterator[Cache]:
    """The cache, for a while: no connection outlives a fork."""
    with _said_plainly(folder / _FILE):
        cache = Cache(folder / _FILE)
    try:
        yield cache
    finally:
        cache.close()


@contextmanager
def _said_plainly(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        what = error.strerror if isinstance(error, OSError) else error
        raise UserError(f"{path}: cannot be used: {what}; remove it, or run with --no-cache") from None
