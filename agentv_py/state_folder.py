"""`.evalctl`, the folder of results and caches → created, so that git ignores what is in it."""

from contextlib import suppress
from pathlib import Path

NAME = ".evalctl"

_IGNORE_ALL = "# evalctl keeps results and caches here. They are not meant for git.\n*\n"


def make_state_folder(folder: Path) -> None:
    """Create a folder. If it is `.evalctl` or below one, git ignores everything in `.evalctl`. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for above in (folder, *folder.parents):
        if above.name == NAME:
            with suppress(FileExistsError), (above / ".gitignore").open("x", encoding="utf-8") as file:
                file.write(_IGNORE_ALL)
            return
