"""Answers of targets → files of predictions, which give the same rows again without the targets."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from agentv_py import jsontext
from agentv_py.errors import Unwritable, UserError
from agentv_py.results.write import name_file
from agentv_py.suite.plan import Plan

_TARGET = "{target}"


class Recorder:
    """Writes each answer as soon as it is there. A resumed run adds the answers that the file lacks."""

    def __init__(self, name: str, plans: Sequence[Plan], *, resume: bool) -> None:
        # A name of a target leads to no other folder.
        self._paths = {target: Path(name.replace(_TARGET, name_file(target))) for target in _list_targets(name, plans)}
        if len(set(self._paths.values())) < len(self._paths):
            raise UserError("--record: two targets have names that give the same file; rename one of them")
        inputs = [path.resolve() for plan in plans for path in plan.list_inputs()]
        self._known: dict[str, set[str]] = {}
        for target, path in self._paths.items():
            if path.resolve() in inputs:
                raise UserError(f"--record: {path} is a file that the run reads; name another")
            self._known[target] = _open(path, resume=resume)

    def __call__(self, target: str, prediction: dict[str, Any]) -> None:
        if prediction["id"] in self._known[target]:
            return
        try:
            with self._paths[target].open("ab") as file:
                file.write(jsontext.dumps_line(prediction))
        except OSError as error:
            raise Unwritable(f"{self._paths[target]}: cannot be written: {error.strerror}") from None


@contextmanager
def open_recorder(name: str | None, plans: Sequence[Plan], *, resume: bool) -> "Iterator[Recorder | None]":
    yield None if name is None else Recorder(name, plans, resume=resume)


def _list_targets(name: str, plans: Sequence[Plan]) -> list[str]:
    asking = [plan for plan in plans if plan.has_live_targets]
    targets = [target.name for plan in asking for target in plan.targets if target.predictions is None]
    if not targets:
        raise UserError("--record: no target is asked, so there is nothing to record")
    if len(asking) > 1:
        raise UserError("--record: several suites ask targets; record one suite at a time")
    if len(targets) > 1 and _TARGET not in name:
        raise UserError(
            f"--record: several targets are asked; write {_TARGET} into the name, or choose one with --target"
        )
    return targets


def _open(path: Path, *, resume: bool) -> set[str]:
    """Empty the file; in a resumed run keep its whole rows, and return their ids."""
    ids, kept = set[str](), b""
    try:
        for line in path.read_bytes().splitlines(keepends=True) if resume and path.exists() else ():
            with suppress(jsontext.NotJson, TypeError, KeyError):  # a killed run may have cut the last line
                if line.endswith(b"\n"):
                    ids.add(jsontext.loads(line)["id"])
                    kept += line
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(kept)
    except OSError as error:
        raise Unwritable(f"{path}: cannot be written: {error.strerror}") from None
    return ids
