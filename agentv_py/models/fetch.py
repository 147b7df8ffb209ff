"""Questions → replies: from the cache, else from the models, in batches and several at once."""

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from agentv_py.errors import EvaluationError
from agentv_py.models.cache import Cache, open_cache
from agentv_py.models.endpoint import Endpoint, MalformedReply
from agentv_py.models.policy import CallPolicy
from agentv_py.models.question import Question, Replies, Reply
from agentv_py.models.usage import Usage

if TYPE_CHECKING:
    from agentv_py.models.client import Client


def fetch(questions: Sequence[Question], policy: CallPolicy) -> Replies:
    """Return the replies by key. A question without a reply was not asked, because the budget is spent."""
    wanted = {question.key: question for question in questions}
    with nullcontext() if policy.cache == "off" else open_cache() as cache:
        replies = _read_cache(cache, wanted, policy) if cache is not None else {}
        missing = [question for key, question in wanted.items() if key not in replies]
        if missing:
            replies |= _run(_Fetcher(cache, policy), missing)
    return replies


def _read_cache(cache: Cache, wanted: dict[str, Question], policy: CallPolicy) -> Replies:
    keys = policy.refreshed & wanted.keys() if policy.cache == "refresh" else wanted.keys()
    replies: Replies = {}
    for key, data in cache.read(keys).items():
        try:
            value = wanted[key].model.unpack(data, wanted[key].payload)
        except MalformedReply:  # written by another version, or damaged: the question is asked again
            continue
        replies[key] = Reply(value, usage=Usage(cached=1))
    return replies


def _run(fetcher: "_Fetcher", questions: Sequence[Question]) -> Replies:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(fetcher.fetch(questions))
    with ThreadPoolExecutor(1) as thread:  # the caller is inside a loop of its own
        return thread.submit(lambda: asyncio.run(fetcher.fetch(questions))).result()


class _Fetcher:
    def __init__(self, cache: Cache | None, policy: CallPolicy) -> None:
        self.cache = cache
        self.policy = policy

    async def fetch(self, questions: Sequence[Question]) -> Replies:
        local = [question for question in questions if not isinstance(question.model, Endpoint)]
        replies = self._compute(local)
        remote = [question for question in questions if isinstance(question.model, Endpoint)]
        if remote:
            replies |= await self._ask_endpoints(remote)
        return replies

    def _compute(self, questions: Sequence[Question]) -> Replies:
        """The replies of models that run in this process."""
        replies: Replies = {}
        for batch in _group_into_batches(questions):
            model: Any = batch[0].model
            try:
                batch_replies = [Reply(value) for value in model.compute([question.payload for question in batch])]
            except EvaluationError as error:
                batch_replies = [Reply(failure=(error.kind, str(error)))] * len(batch)
            replies |= self._store(batch, batch_replies)
        return replies

    async def _ask_endpoints(self, questions: Sequence[Question]) -> Replies:
        from agentv_py.models.client import Client
        from agentv_py.models.http_clients import HttpClients
        from agentv_py.models.sender import Sender

        async with HttpClients() as http:
            client = Client(Sender(http, self.policy))
            batches = await asyncio.gather(
                *(self._ask_batch(client, batch) for batch in _group_into_batches(questions))
            )
        return {key: reply for replies in batches for key, reply in replies.items()}

    async def _ask_batch(self, client: "Client", batch: Sequence[Question]) -> Replies:
        from agentv_py.models.sender import OutOfBudget

        endpoint = batch[0].model
        assert isinstance(endpoint, Endpoint)  # noqa: S101  see above
        try:
            replies = await client.ask(endpoint, [question.payload for question in batch])
        except OutOfBudget:
            return {}
        return self._store(batch, replies)

    def _store(self, batch: Sequence[Question], batch_replies: Sequence[Reply]) -> Replies:
        """Return the replies by key, and write the replies that are not errors to the cache."""
        replies = {question.key: reply for question, reply in zip(batch, batch_replies, strict=True)}
        good = [question for question in batch if replies[question.key].failure is None]
        if self.cache is not None:
            self.cache.write((question.key, question.model.pack(replies[question.key].value)) for question in good)
            self.policy.refreshed.update(question.key for question in good)
        return replies


def _group_into_batches(questions: Sequence[Question]) -> Iterator[list[Question]]:
    """Group questions to equal models, as many as one request holds."""
    groups: dict[str, list[Question]] = {}
    for question in questions:
        groups.setdefault(repr(question.model), []).append(question)
    for group in groups.values():
        size = group[0].model.batch_size
        yield from (group[start : start + size] for start in range(0, len(group), size))
