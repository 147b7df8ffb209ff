"""The base branch → the results to compare with: its newest artifact, else the baselines in the repository."""

import io
import os
import sys
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).parent))
from github_api import ApiError, print_warning, request_bytes, request_json

_RESULTS = "results.jsonl"
_MOST_BYTES = 2**30


def main() -> None:
    results = _download_results() or _find_baselines()
    print(f"base: {results or 'none, so nothing is compared'}")
    with Path(os.environ["GITHUB_OUTPUT"]).open("a", encoding="utf-8") as outputs:
        outputs.write(f"results={results}\n")


def _download_results() -> str:
    """Return the file with the results of the base branch; empty outside pull requests, and if there are none."""
    branch = os.environ.get("GITHUB_BASE_REF")
    if not branch:
        return ""
    try:
        name = quote(os.environ["EVALCTL_NAME"])
        listed = request_json("GET", f"actions/artifacts?name={name}&per_page=100")["artifacts"]
        found = [artifact for artifact in listed if _is_of_branch(artifact, branch)]
        if not found:
            return ""
        newest = max(found, key=lambda artifact: str(artifact["created_at"]))
        return _unpack(request_bytes("GET", newest["archive_download_url"]))
    except (ApiError, KeyError, TypeError, ValueError, zipfile.BadZipFile) as error:
        print_warning(f"the results of {branch} cannot be read: {error}")
        return ""


def _is_of_branch(artifact: dict[str, Any], branch: str) -> bool:
    """Return whether a run of this branch made it. A fork may have a branch of the same name, which does not count."""
    run = artifact["workflow_run"]
    is_own = run["repository_id"] == run["head_repository_id"]
    return is_own and run["head_branch"] == branch and not artifact["expired"]


def _unpack(archive: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        if files.getinfo(_RESULTS).file_size > _MOST_BYTES:
            raise ValueError(f"{_RESULTS} is larger than 1 GiB")
        target = Path(".evalctl", "base", _RESULTS)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(files.read(_RESULTS))
    return str(target)


def _find_baselines() -> str:
    """Return the word that `--against` understands, if the repository keeps baselines."""
    return "baseline" if any(Path("evals", "baselines").glob("*.jsonl")) else ""


if __name__ == "__main__":
    main()
