"""The package's files → the map in agentv_py/README.md: a line per module, with the module's own first line.

python tests/package_map.py            prints the map
python tests/package_map.py --write    writes it into agentv_py/README.md
"""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).parents[1] / "agentv_py"
README = _PACKAGE / "README.md"

# Folders in the order the data flows through them; a folder that is not listed comes last.
_FLOW = (
    "api", "cli", "commands", "suite", "targets", "evaluators", "quality", "comparison", "comparing", "matchers",
    "readers", "models", "asking", "backends", "process", "run", "engines", "results", "report", "formats",
)  # fmt: skip
_COLUMN = 32
_PLACE = re.compile(r"(?<=<!-- map -->\n```text\n).*?(?=```\n<!-- end -->)", re.DOTALL)


def draw_map() -> str:
    """Return the map of the files as they are now."""
    return "".join(f"{name:{_COLUMN - 1}} {sentence}".rstrip() + "\n" for name, sentence in _list_folder(_PACKAGE, 0))


def read_map() -> str:
    """Return the map that the README shows."""
    shown = _PLACE.search(README.read_text(encoding="utf-8"))
    if shown is None:
        raise ValueError(f"{README.name}: the markers of the map are missing")
    return shown[0]


def write_map() -> None:
    text = README.read_text(encoding="utf-8")
    README.write_text(_PLACE.sub(lambda _: draw_map(), text), encoding="utf-8")


@cache
def list_modules() -> list[Path]:
    """Return every module and script that the map must show; a folder shows the first line of its `__init__.py`."""
    paths = (path for path in _PACKAGE.rglob("*") if path.suffix in (".py", ".js"))
    return sorted(path for path in paths if path.name != "__main__.py")


@cache
def first_line(path: Path) -> str:
    """Return the first line of a module's docstring, or the comment on a script's first line."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".js":
        return text.partition("\n")[0].removeprefix("//").strip()
    return (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]


def _list_folder(folder: Path, depth: int) -> Iterator[tuple[str, str]]:
    initial = folder / "__init__.py"
    yield f"{'  ' * depth}{folder.name}/", first_line(initial) if initial.exists() else ""
    modules = [path for path in list_modules() if path.parent == folder and path != initial]
    yield from ((f"{'  ' * (depth + 1)}{path.name}", first_line(path)) for path in modules)
    for below in sorted(_subfolders(folder), key=_flow):
        yield from _list_folder(below, depth + 1)


def _subfolders(folder: Path) -> Iterator[Path]:
    return (path for path in folder.iterdir() if path.is_dir() and any(path.glob("*.[pj][ys]")))


def _flow(folder: Path) -> tuple[int, str]:
    return _FLOW.index(folder.name) if folder.name in _FLOW else len(_FLOW), folder.name


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        write_map()
    else:
        sys.stdout.write(draw_map())
