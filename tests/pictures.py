"""The command and the page → the two pictures that README.md shows.

python tests/pictures.py    draws .github/images/terminal.png and page.png anew
"""

import os
import pty
import subprocess
import sys
import tempfile
import zlib
from io import StringIO
from pathlib import Path

from browser import browser
from rich.console import Console
from rich.terminal_theme import SVG_EXPORT_THEME
from rich.text import Text

_ROOT = Path(__file__).parents[1]
IMAGES = _ROOT / ".github" / "images"
TERMINAL = IMAGES / "terminal.png"
COMMAND = "evalctl run evals/invoices.yaml"
_PAGE = """\
<!doctype html><meta charset="utf-8"><style>{stylesheet}
body {{ margin: 0 }}
main {{ width: max-content; padding: 18px 26px; background: #1e2329; color: #dfe3e8 }}
pre {{ margin: 0; font: 15px/1.3 "DejaVu Sans Mono", monospace }}
</style><main><pre>$ {command}\n{code}</pre></main>"""


def draw_pictures() -> None:
    with tempfile.TemporaryDirectory() as name, browser(Path(name, "profile")) as page:
        folder = Path(name)
        output, terminal = _run_in_terminal(folder), folder / "terminal.html"
        terminal.write_text(_terminal_page(output), encoding="utf-8")
        page.open(terminal)
        page.one("main").screenshot(str(TERMINAL))
        _write_text(TERMINAL, Text.from_ansi(output).plain)
        suite, report = str(_ROOT / "evals" / "line_items.yaml"), folder / "page.html"
        arguments = ["run", suite, "-q", "-o", str(folder / "results.jsonl"), "--report", str(report)]
        subprocess.run([sys.executable, "-m", "agentv_py", *arguments], check=True)
        page.command("Emulation.setDeviceMetricsOverride", width=1000, height=922, deviceScaleFactor=1, mobile=False)
        page.open(report)
        page.open_case("three mistakes")
        page.run("document.querySelector('.detail').scrollIntoView({block: 'start'}); scrollBy(0, -76)")
        page.driver.save_screenshot(str(IMAGES / "page.png"))


def _run_in_terminal(folder: Path) -> str:
    """Return what a terminal of 80 columns receives, with its colours."""
    ours, theirs = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"COLUMNS": "80", "TERM": "xterm-256color"}
    argv = [sys.executable, "-m", "agentv_py", *COMMAND.split()[1:], "-o", str(folder / "results.jsonl")]
    subprocess.run(argv, cwd=_ROOT, env=environment, stdout=theirs, stderr=subprocess.DEVNULL, check=True)
    os.close(theirs)
    return os.read(ours, 100_000).decode().replace("\r\n", "\n").rstrip()


def _terminal_page(output: str) -> str:
    console = Console(record=True, width=80, file=StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text.from_ansi(output))
    code_format = _PAGE.replace("{command}", COMMAND)
    return console.export_html(theme=SVG_EXPORT_THEME, code_format=code_format, inline_styles=True)


# A picture carries its text, so that a test can compare it with what the command prints today.
_KEY = b"iTXtDescription\0\0\0\0\0"


def read_text(picture: Path) -> str:
    data = picture.read_bytes()
    start = data.index(_KEY)
    length = int.from_bytes(data[start - 4 : start]) - len(_KEY) + 4
    return data[start + len(_KEY) :][:length].decode()


def _write_text(picture: Path, text: str) -> None:
    data, chunk = picture.read_bytes(), _KEY + text.encode()
    framed = (len(chunk) - 4).to_bytes(4) + chunk + zlib.crc32(chunk).to_bytes(4)
    head = 33  # the signature and the first chunk, which must stay first
    picture.write_bytes(data[:head] + framed + data[head:])


if __name__ == "__main__":
    draw_pictures()
