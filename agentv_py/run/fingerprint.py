"""A suite and its files → a hash in a file of its own: it tells whether a results file belongs to the suite."""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from agentv_py import jsontext
from agentv_py.results.write import STDOUT
from agentv_py.suite.plan import Plan

FOLDER = Path(".evalctl", "fingerprints")

# These may change before a run is resumed, because no row depends on them.
_FREE = ("description", "gates", "budget")

_WITHOUT_DATA = " --no-data"


def write(target: str, plans: Sequence[Plan], *, data: bool = True) -> None:
    """Store the hashes of the suites of a results file, in a file of their own, because rows hold no options."""
    if target == STDOUT or not Path(target).is_file():
        return
    try:
        FOLDER.mkdir(parents=True, exist_ok=True)
        lines = (f"{line}{'' if data else _WITHOUT_DATA}\n" for line in _describe_plans(plans))
        _find_file(target).write_text("".join(lines), encoding="utf-8")
    except OSError:  # --resume then reports that the suite of the file is unknown
        return


def discard(target: str) -> None:
    """Delete the note of a results file, so that only --force resumes it."""
    with suppress(OSError):
        _find_file(target).unlink(missing_ok=True)


def explain_mismatch(target: str, plans: Sequence[Plan], *, data: bool = True) -> str:
    """Say why a results file cannot be resumed; empty if it can."""
    try:
        known = _find_file(target).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return "it is not known from which suite it came"
    for line, plan in zip(_describe_plans(plans), plans, strict=True):
        if line not in known and line + _WITHOUT_DATA not in known:
            return f"{plan.file} or one of its files has changed since, or was not part of that run"
        if (line in known) != data:
            return f"its rows were written with{'' if data else 'out'} --no-data, and these would not be"
    return ""


def _describe_plans(plans: Sequence[Plan]) -> Iterator[str]:
    return (f"{_hash(plan)} {plan.name!r}" for plan in plans)


def _hash(plan: Plan) -> str:
    digest = sha256(jsontext.dumps({key: value for key, value in plan.written.items() if key not in _FREE}))
    for path in list(plan.list_inputs())[1:]:
        if not path.samefile(plan.file):
            digest.update(b"%d %d " % plan.files.checksum(path))
    return digest.hexdigest()


def _find_file(target: str) -> Path:
    return FOLDER / sha256(os.fsencode(Path(target).resolve())).hexdigest()[:32]
