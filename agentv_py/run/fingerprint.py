"""A suite and its files → a hash, kept aside, so that a results file can be told from one of another suite."""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from agentv_py import jsontext
from agentv_py.results.write import STDOUT
from agentv_py.suite.plan import Plan

FOLDER = Path(".evalctl", "fingerprints")

# What may change between the parts of one run, because no row depends on it.
_FREE = ("description", "gates", "budget")

_WITHOUT_DATA = " --no-data"


def note(target: str, plans: Sequence[Plan], *, data: bool = True) -> None:
    """Beside the results, not in them: a row says what became of a case, and nothing of its suite's options."""
    if target == STDOUT or not Path(target).is_file():
        return
    try:
        FOLDER.mkdir(parents=True, exist_ok=True)
        lines = (f"{line}{'' if data else _WITHOUT_DATA}\n" for line in _lines(plans))
        _file(target).write_text("".join(lines), encoding="utf-8")
    except OSError:  # then --resume will say that it knows nothing of the file
        return


def discard(target: str) -> None:
    """Let no run go on with a results file unasked."""
    with suppress(OSError):
        _file(target).unlink(missing_ok=True)


def changed(target: str, plans: Sequence[Plan], *, data: bool = True) -> str:
    """What speaks against going on with a results file, or nothing."""
    try:
        known = _file(target).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return "it is not known from which suite it came"
    for line, plan in zip(_lines(plans), plans, strict=True):
        if line not in known and line + _WITHOUT_DATA not in known:
            return f"{plan.shown} or one of its files has changed since, or was not part of that run"
        if (line in known) != data:
            return f"its rows were written with{'' if data else 'out'} --no-data, and these would not be"
    return ""


def _lines(plans: Sequence[Plan]) -> Iterator[str]:
    return (f"{_hash(plan)} {plan.name!r}" for plan in plans)


def _hash(plan: Plan) -> str:
    whole = sha256(jsontext.dumps({key: value for key, value in plan.written.items() if key not in _FREE}))
    for path in list(plan.inputs())[1:]:
        if not path.samefile(plan.shown):
            whole.update(b"%d %d " % plan.files.checksum(path))
    return whole.hexdigest()


def _file(target: str) -> Path:
    return FOLDER / sha256(os.fsencode(Path(target).resolve())).hexdigest()[:32]
