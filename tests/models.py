"""A model for a test: its address, its script, and what it was asked. All models of a session share one server."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

_SERVER = Path(__file__).parent / "model_server.py"


@dataclass(frozen=True)
class Models:
    root: str

    @property
    def url(self) -> str:
        return f"{self.root}/v1"

    def script(self, *rules: tuple[str, list[dict[str, Any]]]) -> None:
        body = json.dumps([{"when": when, "do": steps} for when, steps in rules]).encode()
        with urlopen(Request(f"{self.root}/script", body, method="PUT"), timeout=20):
            return

    def requests(self) -> list[dict[str, Any]]:
        return list(self._told()["requests"])

    def most_under_way(self) -> int:
        return int(self._told()["most_under_way"])

    def llm(self, **options: Any) -> dict[str, Any]:
        return {"type": "llm", "base_url": self.url, "model": "tester", "backoff": 0.01, "timeout": 10, **options}

    def embedding(self, **options: Any) -> dict[str, Any]:
        return self.llm(type="embedding", **options)

    def _told(self) -> Any:
        with urlopen(f"{self.root}/requests", timeout=20) as response:
            return json.loads(response.read())


@contextmanager
def model_server() -> Iterator[Iterator[Models]]:
    """Yields models without end, each with an address of its own. The server lives as long as its stdin is open."""
    command = [sys.executable, str(_SERVER)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        address = f"http://127.0.0.1:{process.stdout.readline().strip()}"
        yield (Models(f"{address}/{number}") for number in count(1))
