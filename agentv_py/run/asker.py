"""Questions to targets → answers: from the cache, else from the target, many at once, in a thread with a loop."""

import asyncio
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from agentv_py.case import Case
from agentv_py.errors import EvaluationError, UserError
from agentv_py.models.cache import FOLDER, open_cache
from agentv_py.models.exchange import RequestError
from agentv_py.models.http_clients import HttpClients
from agentv_py.models.policy import CallPolicy
from agentv_py.models.redaction import redact_keys
from agentv_py.models.sender import OutOfBudget, Sender
from agentv_py.models.usage import Usage
from agentv_py.run.answer_cache import AnswerCache
from agentv_py.targets.answer import Answer, InvalidAnswer
from agentv_py.targets.calls import run_in_thread
from agentv_py.targets.live import LiveTarget, TargetCase

if TYPE_CHECKING:
    from agentv_py.models.exchange import Service

_PATIENCE = 1.0
"""Seconds in which the loop may end by itself."""


Result = TypeVar("Result")


class AskOutcome(NamedTuple):
    """What a target gave for a case: an answer for each repeat, or the reason why it gave no answer."""

    case: Case
    answers: Sequence[Answer] = ()
    failure: tuple[str, str] | None = None
    """Kind and message."""
    asked: int = 0
    cached: int = 0
    is_out_of_budget: bool = False


class Asker:
    """A thread with a loop that asks targets. It starts with the first question, after any fork."""

    def __init__(self, policy: CallPolicy) -> None:
        self.policy = policy
        self._loop = asyncio.new_event_loop()
        self._ready: Future[None] = Future()
        self._ended: asyncio.Event | None = None
        self._thread: threading.Thread | None = None
        self._cache: AnswerCache | None = None
        self._sender: Sender | None = None
        self._submitted: deque[tuple[Future[AskOutcome], Callable[[], Awaitable[AskOutcome]]]] = deque()
        self._is_woken = False
        """Whether the loop will look at what was submitted. Waking it costs more than many questions."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._batched: dict[str, Answer | RequestError] = {}
        """By the key of the cache: what a batch gave."""

    def submit(self, target: LiveTarget, question: TargetCase, repeats: int) -> "Future[AskOutcome]":
        """Ask a target for as many answers to a question as there are repeats."""
        self._start()
        future: Future[AskOutcome] = Future()
        self._submitted.append((future, partial(self._answer, target, question, repeats)))
        if not self._is_woken:
            self._is_woken = True
            self._loop.call_soon_threadsafe(self._begin_submitted)
        return future

    def ask_batch(self, target: LiveTarget, questions: Sequence[TargetCase], repeats: int) -> None:
        """Let one process answer every question that the cache has no answer to; `submit` then returns its answers."""
        self._start()
        with suppress(OutOfBudget):  # each of the cases then says so
            asyncio.run_coroutine_threadsafe(self._answer_batch(target, questions, repeats), self._loop).result()

    def close(self, targets: Iterable[LiveTarget]) -> None:
        """End everything that is under way. A thread that runs a function of the user is left to itself."""
        if self._thread is None:
            self._loop.close()
            return
        for target in targets:
            target.close()
        with suppress(RuntimeError):  # the loop has ended already
            self._loop.call_soon_threadsafe(self._end)
        self._thread.join(_PATIENCE)

    def _begin_submitted(self) -> None:
        self._is_woken = False
        while self._submitted:
            task = self._loop.create_task(_settle(*self._submitted.popleft()))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _end(self) -> None:
        if self._ended is not None:
            self._ended.set()

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()
        self._ready.result()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        except (UserError, OSError) as error:
            if not self._ready.done():
                self._ready.set_exception(error)
        finally:
            self._loop.close()

    async def _serve(self) -> None:
        """Keep the cache and the connections open until `close`, then cancel what is under way."""
        self._ended = asyncio.Event()
        async with HttpClients() as http:
            self._sender = Sender(http, self.policy)
            if self.policy.cache == "off":
                await self._wait_for_end()
                return
            with open_cache(FOLDER) as cache:
                self._cache = AnswerCache(cache, self.policy, self._loop)
                await self._wait_for_end()

    async def _wait_for_end(self) -> None:
        assert self._ended is not None  # noqa: S101  `_serve` makes it
        self._ready.set_result(None)
        await self._ended.wait()
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks, timeout=_PATIENCE / 2) if tasks else None

    async def _answer(self, target: LiveTarget, question: TargetCase, repeats: int) -> AskOutcome:
        """Return an answer for each repeat. Whatever goes wrong is an error of this case."""
        outcomes: Sequence[tuple[Answer, bool] | BaseException]
        if repeats == 1:
            outcomes = [await _catch(self._answer_once(target, question, 0))]
        else:
            each = (self._answer_once(target, question, repeat) for repeat in range(repeats))
            outcomes = await asyncio.gather(*each, return_exceptions=True)
        case, answers, cached = question.case, list[Answer](), 0
        for outcome in outcomes:
            if isinstance(outcome, OutOfBudget):
                return AskOutcome(case, is_out_of_budget=True)
            if isinstance(outcome, BaseException):
                return AskOutcome(case, failure=self._explain(outcome, target), asked=len(outcomes))
            answers.append(outcome[0])
            cached += outcome[1]
        return AskOutcome(case, answers, asked=len(answers) - cached, cached=cached)

    def _explain(self, error: BaseException, target: LiveTarget) -> tuple[str, str]:
        """Return the kind and the message of an error that a target may cause. Any other one is a bug, and raised."""
        if isinstance(error, InvalidAnswer):
            return "answer", redact_keys(f"the answer of {target.label}: {error}", target.secrets())
        if isinstance(error, RequestError | EvaluationError):
            return error.kind, redact_keys(str(error), target.secrets())
        raise error

    async def _answer_once(self, target: LiveTarget, question: TargetCase, repeat: int) -> tuple[Answer, bool]:
        """Return an answer, and whether the cache had it. A new answer is in the cache before it is returned."""
        assert self._sender is not None  # noqa: S101  `_start` waits for it
        request = target.build_request(question)
        if self._cache is None and not self._batched:  # nobody needs the key
            return await self._keep(target, "", await target.ask(request, self._sender)), False
        key = target.build_key(request, repeat)
        if (batched := self._batched.get(key)) is not None:
            if isinstance(batched, RequestError):
                raise batched
            return batched, False
        if self._cache is not None and (stored := self._cache.read(key)) is not None:
            return stored, True
        return await self._keep(target, key, await target.ask(request, self._sender)), False

    async def _keep(self, target: LiveTarget, key: str, answer: Answer) -> Answer:
        """Pay for a new answer, and return it without secrets when the cache has it."""
        if not target.counts_usage:
            self._pay(answer)
        answer = answer.redact(target.secrets())
        if self._cache is not None:
            await self._cache.write(key, answer)
        return answer

    async def _answer_batch(self, target: LiveTarget, questions: Sequence[TargetCase], repeats: int) -> None:
        assert self._sender is not None  # noqa: S101  as above
        for repeat in range(repeats):
            requests = {}
            for question in questions:
                request = target.build_request(question)
                key = target.build_key(request, repeat)
                if self._cache is None or self._cache.read(key) is None:
                    requests[key] = request
            if not requests:
                continue
            await self._sender.admit(cast("Service", target))
            answers = await run_in_thread(partial(target.answer_all, list(requests.values())))
            await asyncio.gather(*(self._keep_batched(target, key, answers[one.id]) for key, one in requests.items()))

    async def _keep_batched(self, target: LiveTarget, key: str, answer: Answer | RequestError) -> None:
        """Keep what a batch gave at once, so that a run that is killed afterwards does not ask for it again."""
        self._batched[key] = answer if isinstance(answer, RequestError) else await self._keep(target, key, answer)

    def _pay(self, answer: Answer) -> None:
        tokens = answer.facts.get("tokens", {})
        if tokens or "cost" in answer.facts:
            used = Usage(0, 0, tokens.get("input", 0), tokens.get("output", 0), answer.facts.get("cost"))
            self.policy.spending.record_usage(used)


async def _settle(future: "Future[AskOutcome]", answer: Callable[[], Awaitable[AskOutcome]]) -> None:
    try:
        future.set_result(await answer())
    except Exception as error:  # noqa: BLE001  the thread that waits for the answer raises it
        future.set_exception(error)


async def _catch(answer: Awaitable[Result]) -> Result | Exception:
    try:
        return await answer
    except Exception as error:  # noqa: BLE001  as `gather` returns it
        return error
