"""An HTTP service → the answer to each case: a JSON body or a form with files, then the paths of its response."""

import asyncio
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from agentv_py import jsontext
from agentv_py.case import ABSENT
from agentv_py.comparison.paths import parse_path
from agentv_py.errors import EvaluationError
from agentv_py.models.exchange import (
    Request,
    RequestError,
    Response,
    encode_multipart,
    find_refusal,
    is_same_origin,
    malformed_reply,
)
from agentv_py.models.prompt_template import check_expression, evaluate, fill_template, fill_values, find_names
from agentv_py.models.redaction import redact_keys
from agentv_py.options import Options, build_dict
from agentv_py.targets.answer import FACTS, Answer, build_answer, complete
from agentv_py.targets.live import NAMES, LiveTarget, Place, TargetCase

if TYPE_CHECKING:
    from agentv_py.models.sender import Sender

_CREDENTIALS = ("authorization", "cookie")
_CREDENTIAL_WORDS = ("key", "token", "secret")


def _check_template(text: str) -> str:
    find_names(text, NAMES)
    return text


def _check_poll_url(text: str) -> str:
    find_names(text, (*NAMES, "response"))
    return text


def _check_until(text: str) -> str:
    check_expression(text)
    return text


def _check_url(url: str) -> str:
    _check_template(url)
    if not url.startswith(("http://", "https://", "${", "{{")):
        raise ValueError(f"must be an http:// or https:// address, not {url[:60]!r}")
    return url


Template = Annotated[str, AfterValidator(_check_template)]


class ResponsePaths(Options):
    """Where the response has what: paths such as data.result."""

    output: str | None = Field(None, description="Default: the whole response.")
    cost: str | None = None
    tokens: str | None = None
    latency_ms: str | None = None
    trace: str | None = None
    confidence: str | None = None


class Poll(Options):
    """Ask again until the answer is there."""

    url: Annotated[str, AfterValidator(_check_poll_url)] = Field(description="A template, also over response.")
    until: Annotated[str, AfterValidator(_check_until)] = Field(
        description="An expression over the keys of the response's JSON, and over response."
    )
    every: float = Field(2.0, ge=0, le=3600, allow_inf_nan=False, description="Seconds between two requests.")


class _Call(NamedTuple):
    """A request, the template values of its case, and what of it goes into the key of the cache."""

    request: Request
    values: dict[str, Any]
    description: Any


class Http(LiveTarget):
    type: Literal["http"]
    url: Annotated[str, AfterValidator(_check_url)] = Field(description="A template.")
    method: Literal["POST", "PUT", "PATCH", "GET"] = "POST"
    headers: dict[str, Template] = Field(default_factory=build_dict)
    body: Any = Field(None, description="Templates in any JSON value. Default: the input as JSON.")
    files: dict[str, Template] | None = Field(
        None, description="A form with these files, whose paths are relative to the dataset; body has its other fields."
    )
    response: ResponsePaths = ResponsePaths()
    poll: Poll | None = None

    @property
    def host(self) -> str:
        return urlsplit(self.url).netloc or self._label

    def problems(self) -> Iterator[tuple[str | Place, str]]:
        if "{{" not in self.url and (reason := find_refusal(self.url)):
            yield "url", f"no request can be sent to it: {redact_keys(reason, self.secrets())}"
        if self.method == "GET" and ("body" in self.model_fields_set or self.files):
            yield "method", "a GET has no body; use url: with templates"

    def build_request(self, question: TargetCase) -> _Call:
        values = question.values()
        url = fill_template(self.url, values)
        headers = {name: fill_template(text, values) for name, text in self.headers.items()}
        content_type, body, description = self._build_body(question, values)
        if content_type and not any(name.lower() == "content-type" for name in headers):
            headers["Content-Type"] = content_type
        headers.setdefault("Accept", "application/json")
        shown = [] if self.files else [body.decode(errors="replace")] if body else []
        request = Request(body, "\n".join(shown), "", self.method, url, tuple(headers.items()), follows_redirects=True)
        kept = [(name, value) for name, value in headers.items() if not _is_credential(name)]
        paths = self.response.model_dump()
        poll = self.poll.model_dump() if self.poll else None
        return _Call(request, values, [self.method, url, kept, description, paths, poll])

    def describe_request(self, request: _Call) -> Any:
        return request.description

    async def ask(self, request: _Call, sender: "Sender") -> Answer:
        return await sender.retry(self, lambda: self._try(request, sender))

    async def _try(self, request: _Call, sender: "Sender") -> Answer:
        response = await sender.send(self, request.request)
        seconds = response.seconds
        if self.poll is not None:
            started = time.perf_counter()
            response = await self._poll(self.poll, request, response, sender)
            seconds += time.perf_counter() - started
        return complete(self._read_response(response), seconds, self.prices)

    def _build_body(self, question: TargetCase, values: dict[str, Any]) -> tuple[str, bytes | None, Any]:
        """Return the content type, the body, and what of it goes into the key of the cache."""
        if self.method == "GET":
            return "", None, None
        has_body = "body" in self.model_fields_set
        body = fill_values(self.body, values) if has_body else question.case.input
        if self.files is not None:
            return self._build_form(question, values, body if has_body else {})
        if isinstance(self.body, str) and isinstance(body, str):
            return "text/plain; charset=utf-8", body.encode(), body
        return "application/json", jsontext.dumps(body), body

    def _build_form(self, question: TargetCase, values: dict[str, Any], body: Any) -> tuple[str, bytes, Any]:
        fields = {
            name: value if isinstance(value, str) else jsontext.dumps(value).decode()
            for name, value in (body if isinstance(body, dict) else {}).items()
        }
        files = {
            name: read_file(question.folder, fill_template(text, values)) for name, text in (self.files or {}).items()
        }
        content_type, content = encode_multipart(fields, files)
        hashes = {name: (file, sha256(data).hexdigest()) for name, (file, data) in files.items()}
        return content_type, content, [fields, hashes]

    async def _poll(self, poll: Poll, call: _Call, response: Response, sender: "Sender") -> Response:
        """Ask until the expression holds, at most as long as one answer may take. A key never goes to another host."""
        try:
            async with asyncio.timeout(self.timeout):
                request = None
                while not _is_ready(poll.until, response):
                    request = request or self._build_poll(poll, call, response)
                    await asyncio.sleep(poll.every)
                    response = await sender.send(self, request)
        except TimeoutError:
            message = f"{self.host}: the answer was not there within {self.timeout:g} seconds"
            raise RequestError("timeout", message) from None
        return response

    def _build_poll(self, poll: Poll, call: _Call, response: Response) -> Request:
        url = fill_template(poll.url, call.values | {"response": _show(response)})
        headers = [(name, value) for name, value in call.request.headers if name.lower() != "content-type"]
        if not is_same_origin(call.request.url, url):
            headers = [("Accept", "application/json")]
        return call.request._replace(body=None, method="GET", url=url, headers=headers)

    def _read_response(self, response: Response) -> Answer:
        paths = {name: path for name, path in self.response.model_dump().items() if path is not None}
        try:
            value = jsontext.loads(response.body)
        except jsontext.NotJson:
            if paths or "json" in response.headers.get("content-type", ""):
                raise malformed_reply(f"{self.host}: the reply is not JSON") from None
            return Answer(response.body.decode(errors="replace"), {})
        facts = {name: found for name in FACTS if name in paths and (found := _get(value, paths[name])) is not ABSENT}
        output = _get(value, paths["output"]) if "output" in paths else value
        if output is ABSENT:
            raise RequestError("response", f"{self.host}: the response has no {paths['output']!r}")
        return build_answer(output, {name: fact for name, fact in facts.items() if fact is not None})


def read_file(folder: Path, name: str) -> tuple[str, bytes]:
    """Return the name and the content of a file that an input names. Raises EvaluationError."""
    path = folder / name
    try:
        return path.name, path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise EvaluationError(
            "file", f"{name!r} cannot be read: {reason}; it is looked up in {str(folder)!r}"
        ) from None


def _get(value: Any, path: str) -> Any:
    return parse_path(path).build_getter()(value)


def _show(response: Response) -> dict[str, Any]:
    """Return a response as templates see it."""
    try:
        body = jsontext.loads(response.body)
    except jsontext.NotJson:
        body = response.body.decode(errors="replace")
    return {"status": response.status, "headers": dict(response.headers), "body": body}


def _is_ready(until: str, response: Response) -> bool:
    shown = _show(response)
    keys = shown["body"] if isinstance(shown["body"], dict) else {}
    try:
        return bool(evaluate(until, {**keys, "response": shown}))
    except EvaluationError:  # the first response may lack the key that later ones have
        return False


def _is_credential(header: str) -> bool:
    """Tell whether a header only identifies the user, so that another value gives the same answer."""
    name = header.lower()
    return name in _CREDENTIALS or any(word in name for word in _CREDENTIAL_WORDS)
