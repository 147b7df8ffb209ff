"""The new content of a file → the file, in one step."""

import os
from pathlib import Path
from stat import S_IMODE

from agentv_py.errors import UserError
from agentv_py.suite.edit.case_edit import FileEdit


def save_edit(edit: FileEdit) -> None:
    """Replace the content of the file. Raises UserError if it has changed since it was read, or cannot be written."""
    real = edit.path.resolve()
    beside = real.parent / f".evalctl-{os.urandom(6).hex()}.new"
    try:
        if real.read_bytes() != edit.old:
            raise UserError(f"{edit.shown}: has changed meanwhile; nothing is written")
        _write(beside, edit.new, S_IMODE(real.stat().st_mode))
        beside.replace(real)
    except OSError as error:
        raise UserError(f"{edit.shown}: cannot be written: {error.strerror}") from None
    finally:
        beside.unlink(missing_ok=True)


def _write(path: Path, content: bytes, mode: int) -> None:
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
        os.fchmod(file.fileno(), mode)
