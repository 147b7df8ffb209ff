"""Answers of targets ⇄ the cache on disk. Answers that arrive together are written together."""

import asyncio

from agentv_py.errors import UserError
from agentv_py.models.cache import Cache
from agentv_py.models.policy import CallPolicy
from agentv_py.targets.answer import Answer, decode_answer


class AnswerCache:
    """The cache as the loop that asks targets uses it."""

    def __init__(self, cache: Cache, policy: CallPolicy, loop: asyncio.AbstractEventLoop) -> None:
        self._cache = cache
        self._policy = policy
        self._loop = loop
        self._unwritten: list[tuple[str, bytes]] = []
        self._written: asyncio.Future[None] | None = None
        """Done when these answers are in the cache; None while there are none."""

    def read(self, key: str) -> Answer | None:
        if self._policy.cache == "refresh" and key not in self._policy.refreshed:
            return None
        data = self._cache.read([key]).get(key)
        return None if data is None else decode_answer(data)

    async def write(self, key: str, answer: Answer) -> None:
        """Return when the answer is in the cache."""
        self._unwritten.append((key, answer.encode()))
        if self._written is None:
            self._written = self._loop.create_future()
            self._loop.call_soon(self._write_together, self._written)
        await self._written

    def _write_together(self, written: "asyncio.Future[None]") -> None:
        values, self._unwritten, self._written = self._unwritten, [], None
        failure: UserError | None = None
        try:
            self._cache.write(values)
            self._policy.refreshed.update(key for key, _ in values)
        except UserError as error:
            failure = error
        if written.done():  # the end of the run has cancelled it; the answers are kept nevertheless
            return
        if failure is None:
            written.set_result(None)
        else:
            written.set_exception(failure)
