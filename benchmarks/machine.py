"""This machine → what a figure depends on: processor, cores, Python, versions of libraries, load, commit."""

import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

_LIBRARIES = (
    "agentv-py", "jsonschema-rs", "lapx", "numpy", "orjson", "pycocotools", "pydantic", "pydantic-evals", "rapidfuzz",
    "stickler-eval", "typer",
)  # fmt: skip


def describe_machine() -> dict[str, Any]:
    return {
        "processor": _read_processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "versions": {name: _read_version(name) for name in _LIBRARIES},
    }


def describe_moment() -> dict[str, Any]:
    """What differs between two runs on one machine."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M"),
        "commit": _read_commit(),
        "load": round(os.getloadavg()[0], 1),
    }


def _read_processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _read_version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _read_commit() -> str:
    folder = Path(__file__).parent
    try:
        command = ["git", "describe", "--always", "--dirty"]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
