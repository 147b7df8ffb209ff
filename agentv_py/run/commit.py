"""The working folder → the commit that git has checked out there, as git's own files tell it."""

import re
from pathlib import Path

_HASH = re.compile(r"[0-9a-f]{40,64}")


def read_commit(folder: Path) -> str:
    """Return the hash of the commit; empty outside a repository, and where there is no commit yet."""
    try:
        return _read_head(folder.absolute())
    except (OSError, UnicodeDecodeError):
        return ""


def _read_head(folder: Path) -> str:
    git = next((path for each in (folder, *folder.parents) if (path := each / ".git").exists()), None)
    if git is None:
        return ""
    if git.is_file():  # a worktree or a submodule: the file names the folder
        git = git.parent / git.read_text(encoding="utf-8").strip().removeprefix("gitdir:").strip()
    head = (git / "HEAD").read_text(encoding="utf-8").strip()
    return _find_reference(git, head.removeprefix("ref: ")) if head.startswith("ref: ") else _check_hash(head)


def _find_reference(git: Path, name: str) -> str:
    """Find the commit of a branch: in a file of its own, else in the list of packed references."""
    shared = git / "commondir"
    common = git / shared.read_text(encoding="utf-8").strip() if shared.is_file() else git
    for file in (git / name, common / name):
        if file.is_file():
            return _check_hash(file.read_text(encoding="utf-8").strip())
    packed = common / "packed-refs"
    lines = packed.read_text(encoding="utf-8").splitlines() if packed.is_file() else []
    return next((_check_hash(line.split()[0]) for line in lines if line.endswith(f" {name}")), "")


def _check_hash(text: str) -> str:
    return text if _HASH.fullmatch(text) else ""
