"""Requests to GitHub's API → its answers, as JSON or bytes. Nothing but Python's own library is needed."""

import json
import os
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

_TIMEOUT = 30


class ApiError(Exception):
    """The API does not answer as it should; the message says how."""


def request_json(method: str, path: str, body: dict[str, Any] | None = None) -> Any:
    """Send a request about the repository, such as `issues/1/comments`. Raises ApiError."""
    root = f"{os.environ.get('GITHUB_API_URL', 'https://api.github.com')}/repos/{os.environ['GITHUB_REPOSITORY']}"
    return json.loads(request_bytes(method, f"{root}/{path}", body) or b"null")


def request_bytes(method: str, url: str, body: dict[str, Any] | None = None) -> bytes:
    """Send a request. A redirect to another host is followed without the token."""
    data = None if body is None else json.dumps(body).encode()
    request = Request(url, data, {"Accept": "application/vnd.github+json"}, method=method)  # noqa: S310  GitHub's own address
    request.add_unredirected_header("Authorization", f"Bearer {os.environ.get('GITHUB_TOKEN', '')}")
    if data is not None:
        request.add_header("Content-Type", "application/json")
    try:
        with urlopen(request, timeout=_TIMEOUT) as response:  # noqa: S310  as above
            content: bytes = response.read()
            return content
    except HTTPError as error:
        raise ApiError(f"{method} {url.partition('?')[0]}: {error.code} {error.reason}") from None
    except (URLError, OSError) as error:
        raise ApiError(f"{method} {url.partition('?')[0]}: {getattr(error, 'reason', error)}") from None


def print_warning(text: str) -> None:
    """Print a warning that GitHub shows on the page of the run."""
    print(f"::warning title=evalctl::{text.replace('%', '%25')}".replace("\n", "%0A"))
