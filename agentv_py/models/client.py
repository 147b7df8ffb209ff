"""Payloads → replies of an OpenAI-compatible endpoint, with their usage."""

from collections.abc import Sequence
from typing import Any

from agentv_py import jsontext
from agentv_py.models.endpoint import Endpoint, MalformedReply
from agentv_py.models.exchange import Request, RequestError, malformed_reply
from agentv_py.models.question import Reply
from agentv_py.models.redaction import redact_key
from agentv_py.models.sender import Sender
from agentv_py.models.usage import Usage


class Client:
    def __init__(self, sender: Sender) -> None:
        self.sender = sender
        self._without_format: set[str] = set()
        """The addresses of endpoints that refuse response_format."""

    async def ask(self, endpoint: Endpoint, payloads: Sequence[Any]) -> list[Reply]:
        """Return a reply to each payload, all of them from one request. Raises OutOfBudget."""
        usage = Usage()
        try:
            values, seconds = await self.sender.retry(endpoint, lambda: self._ask_once(endpoint, payloads, usage))
        except RequestError as error:
            failure = (error.kind, str(error))
            return [Reply(failure=failure, usage=share) for share in usage.share([1] * len(payloads))]
        shares = usage.share([len(str(payload)) for payload in payloads])
        return [Reply(value, usage=share, seconds=seconds) for value, share in zip(values, shares, strict=True)]

    async def _ask_once(self, endpoint: Endpoint, payloads: Sequence[Any], usage: Usage) -> tuple[list[Any], float]:
        """Return the values, and how long the endpoint took."""
        plain = endpoint.url in self._without_format
        body = jsontext.dumps(endpoint.body(payloads, plain=plain))
        usage.calls += 1
        try:
            request = Request(body, endpoint.private_text(payloads), endpoint.model)
            sent = await self.sender.send(endpoint, request)
            response = sent.read_json(endpoint.host)
        except RequestError as error:
            if plain or not _is_about_format(error):
                raise
            self._without_format.add(endpoint.url)
            return await self._ask_once(endpoint, payloads, usage)
        spent = endpoint.usage(response, body.decode())
        self.sender.policy.spending.record_usage(spent)
        usage.add(spent)
        try:
            values = endpoint.read(response, payloads)
        except MalformedReply as problem:
            raise malformed_reply(str(problem)) from None
        return [redact_key(value, endpoint.key()) for value in values], sent.seconds


def _is_about_format(error: RequestError) -> bool:
    return error.status == 400 and ("response_format" in error.response or "json_schema" in error.response)
