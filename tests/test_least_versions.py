"""The least versions in pyproject.toml have none of the holes that are known of their libraries.

`pip-audit` finds new ones; see CONTRIBUTING.md. This list holds what it has found, so that no floor falls below it.
"""

import re
import tomllib
from pathlib import Path

_FIRST_SAFE = {
    "h11": ("0.16", "CVE-2025-43859: a chunked body that is malformed is accepted"),
    "jinja2": ("3.1.6", "CVE-2025-27516: a template leaves its sandbox"),
    "orjson": ("3.11.6", "CVE-2025-67221: a deep value overflows the stack"),
    "pyarrow": ("14.0.1", "CVE-2023-47248: a file runs code"),
    "pyyaml": ("5.4", "CVE-2020-14343: a file runs code"),
    "ray": ("2.52", "CVE-2025-62593: a web page runs code through the dashboard"),
}


def test_no_least_version_has_a_known_hole() -> None:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [name for part in project["optional-dependencies"].values() for name in part]
    floors = dict(re.findall(r"^([\w-]+)>=([\d.]+)", "\n".join([*project["dependencies"], *extras]), re.MULTILINE))
    too_low = {name: why for name, (safe, why) in _FIRST_SAFE.items() if _parse(floors[name]) < _parse(safe)}
    assert too_low == {}


def _parse(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]
