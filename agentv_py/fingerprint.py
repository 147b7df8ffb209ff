"""A suite and its files → a hash, kept aside, so that a results file can be told from one of another suite."""

import os
from collections.abc import Iterator, Sequence
from hashlib import file_digest, sha256
from pathlib import Path

from agentv_py import jsontext
from agentv_py.results import STDOUT
from agentv_py.suite.plan import Plan

FOLDER = Path(".evalctl", "fingerprints")

# What may change between the parts of one run, because no row depends on it.
_FREE = ("description", "gates", "budget")


def note(target: str, plans: Sequence[Plan]) -> None:
    """Beside the results, not in them: a row says what became of a case, and nothing of its suite's options."""
    if target == STDOUT or not Path(target).is_file():
        return
    try:
        FOLDER.mkdir(parents=True, exist_ok=True)
        _file(target).write_text("".join(f"{line}\n" for line in _lines(plans)), encoding="utf-8")
    except OSError:  # then --resume will say that it knows nothing of the file
        return


def changed(target: str, plans: Sequence[Plan]) -> str:
    """What speaks against going on with a results file, or nothing."""
    try:
        known = _file(target).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return "it is not known from which suite it came"
    for line, plan in zip(_lines(plans), plans, strict=True):
        if line not in known:
            return f"{plan.shown} or one of its files has changed since, or was not part of that run"
    return ""


def _lines(plans: Sequence[Plan]) -> Iterator[str]:
    return (f"{_hash(plan)} {plan.name!r}" for plan in plans)


def _hash(plan: Plan) -> str:
    whole = sha256(jsontext.dumps({key: value for key, value in plan.written.items() if key not in _FREE}))
    for path in list(plan.inputs())[1:]:
        if not path.samefile(plan.shown):
            with path.open("rb") as file:
                whole.update(file_digest(file, "sha256").digest())
    return whole.hexdigest()


def _file(target: str) -> Path:
    return FOLDER / sha256(os.fsencode(Path(target).resolve())).hexdigest()[:32]
