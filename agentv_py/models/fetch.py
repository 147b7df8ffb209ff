"""Questions → answers: from the cache, else from the models, batched and concurrently."""

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from agentv_py.models import cache
from agentv_py.models.backends.base import BackendFailed
from agentv_py.models.cache import Cache
from agentv_py.models.endpoint import Endpoint, Malformed
from agentv_py.models.policy import Terms
from agentv_py.models.question import Answer, Answers, Question
from agentv_py.models.usage import Usage

if TYPE_CHECKING:
    from agentv_py.models.client import Client


def fetch(questions: Sequence[Question], terms: Terms) -> Answers:
    """The answers by their key; one that is not there was not asked for, because the budget was spent."""
    wanted = {question.key: question for question in questions}
    with nullcontext() if terms.cache == "off" else cache.opened() as kept:
        answers = _kept(kept, wanted, terms) if kept is not None else {}
        missing = [question for key, question in wanted.items() if key not in answers]
        if missing:
            answers |= _run(_Fetch(kept, terms), missing)
    return answers


def _kept(kept: Cache, wanted: dict[str, Question], terms: Terms) -> Answers:
    keys = terms.refreshed & wanted.keys() if terms.cache == "refresh" else wanted.keys()
    answers: Answers = {}
    for key, data in kept.read(keys).items():
        try:
            value = wanted[key].model.unpack(data, wanted[key].payload)
        except Malformed:  # of another version, or damaged: asked anew
            continue
        answers[key] = Answer(value, usage=Usage(cached=1))
    return answers


def _run(work: "_Fetch", questions: Sequence[Question]) -> Answers:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work.answers(questions))
    with ThreadPoolExecutor(1) as thread:  # the caller is inside a loop of its own
        return thread.submit(lambda: asyncio.run(work.answers(questions))).result()


class _Fetch:
    def __init__(self, kept: Cache | None, terms: Terms) -> None:
        self.kept = kept
        self.terms = terms

    async def answers(self, questions: Sequence[Question]) -> Answers:
        local = [one for one in questions if not isinstance(one.model, Endpoint)]
        answers = self._computed(local)
        remote = [one for one in questions if isinstance(one.model, Endpoint)]
        if remote:
            answers |= await self._asked(remote)
        return answers

    def _computed(self, questions: Sequence[Question]) -> Answers:
        answers: Answers = {}
        for batch in _batches(questions):
            model: Any = batch[0].model
            try:
                found = [Answer(value) for value in model.compute([one.payload for one in batch])]
            except BackendFailed as error:
                found = [Answer(failure=(error.kind, str(error)))] * len(batch)
            answers |= self._noted(batch, found)
        return answers

    async def _asked(self, questions: Sequence[Question]) -> Answers:
        from agentv_py.models.client import Client, open_http

        async with open_http() as http:
            client = Client(http, self.terms)
            asked = [self._answered(client, batch) for batch in _batches(questions)]
            found = await asyncio.gather(*asked)
        return {key: answer for answers in found for key, answer in answers.items()}

    async def _answered(self, client: "Client", batch: Sequence[Question]) -> Answers:
        from agentv_py.models.client import OutOfBudget

        endpoint = batch[0].model
        assert isinstance(endpoint, Endpoint)  # noqa: S101  see above
        try:
            found = await client.ask(endpoint, [one.payload for one in batch])
        except OutOfBudget:
            return {}
        return self._noted(batch, found)

    def _noted(self, batch: Sequence[Question], found: Sequence[Answer]) -> Answers:
        """The answers by their key, and on disk; errors are not kept."""
        answers = {question.key: answer for question, answer in zip(batch, found, strict=True)}
        good = {key: answer for key, answer in answers.items() if answer.failure is None}
        if self.kept is not None:
            self.kept.write((one.key, one.model.pack(good[one.key].value)) for one in batch if one.key in good)
            self.terms.refreshed.update(good)
        return answers


def _batches(questions: Sequence[Question]) -> Iterator[list[Question]]:
    """Questions to equal models together, as many as go into one request."""
    groups: dict[str, list[Question]] = {}
    for question in questions:
        groups.setdefault(repr(question.model), []).append(question)
    for group in groups.values():
        size = group[0].model.at_once
        yield from (group[start : start + size] for start in range(0, len(group), size))
