"""The reports of a run → one comment on the pull request, which each further run updates."""

import json
import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from github_api import ApiError, print_warning, request_json

_FOLDER = Path(".evalctl", "action")
_MOST = 65_536
"""Characters that GitHub accepts in a comment."""
_PER_PAGE = 100
_MOST_PAGES = 30


def main() -> None:
    number = _find_pull_request()
    if number is None:
        print("not a pull request, so there is no comment")
        return
    mark = f"<!-- evalctl: {os.environ['EVALCTL_NAME']} -->"
    try:
        comment = _find_comment(number, mark)
        body = {"body": _write_body(mark)}
        if comment is None:
            done = request_json("POST", f"issues/{number}/comments", body)
        else:
            done = request_json("PATCH", f"issues/comments/{comment['id']}", body)
        print(f"{'created' if comment is None else 'updated'}: {done['html_url']}")
    except (ApiError, KeyError, TypeError, ValueError) as error:
        # The token of a pull request from a fork may not write. The summary of the job holds the same report.
        print_warning(f"the comment cannot be written: {error}")


def _find_pull_request() -> int | None:
    event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    number = (event.get("pull_request") or {}).get("number")
    return number if isinstance(number, int) else None


def _find_comment(number: int, mark: str) -> dict[str, Any] | None:
    """Find the comment of an earlier run by its mark."""
    for page in range(1, _MOST_PAGES + 1):
        comments = request_json("GET", f"issues/{number}/comments?per_page={_PER_PAGE}&page={page}")
        for comment in comments:
            if str(comment.get("body", "")).startswith(mark):
                return dict(comment)
        if len(comments) < _PER_PAGE:
            return None
    return None


def _write_body(mark: str) -> str:
    """Write what changed, or the summary if nothing was compared; then the gates that failed, and a link to the run."""
    texts = (_read(name) for name in ("diff.md", "summary.md"))
    report = next(filter(None, texts), "evalctl wrote no report; see the log.\n")
    failed = [line for line in _read("log.txt").splitlines() if line.startswith(("gate ", "error: "))]
    quoted = ("`" + line.replace("`", "'") + "`" for line in failed[:20])
    gates = "".join(f"- {line}\n" for line in quoted)
    server, repository = os.environ.get("GITHUB_SERVER_URL", "https://github.com"), os.environ["GITHUB_REPOSITORY"]
    address = f"{server}/{repository}/actions/runs/{os.environ.get('GITHUB_RUN_ID', '')}"
    end = f"\n{gates}\n[The run]({address}) has every case in its artifact.\n"
    room = _MOST - len(mark) - len(end) - 1
    return f"{mark}\n{report[:room]}{end}"


def _read(name: str) -> str:
    file = _FOLDER / name
    return file.read_text(encoding="utf-8") if file.is_file() else ""


if __name__ == "__main__":
    main()
