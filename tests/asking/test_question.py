"""The key of a question is the name of its reply in the cache, so a later version must not change it."""

from typing import Any

import pytest

from agentv_py.case import Case
from agentv_py.evaluators.llm_judge import LlmJudge
from agentv_py.models.backends import Embedding, Llm
from agentv_py.models.replies import QuestionRecorder, using

_ENDPOINT: dict[str, Any] = {"base_url": "http://h/v1", "model": "m"}


def _judge(rubric: Any) -> None:
    judge = LlmJudge.model_validate({"type": "llm_judge", "rubric": rubric, **_ENDPOINT})
    judge.evaluate(Case("c", {"a": "some text"}, {"a": "other text"}))


@pytest.mark.parametrize(
    ("ask", "keys"),
    [
        (lambda: Llm(**_ENDPOINT).similarities([("a", "b")]), ["30cbfef0f169e327"]),
        (lambda: Embedding(**_ENDPOINT).similarities([("a", "b")]), ["9ed207d15459e12a", "7b88142d662d2762"]),
        (lambda: _judge("x"), ["2f8a28cb6d8f6f52"]),
        (lambda: _judge(["x", {"id": "title", "text": "y"}]), ["166eeb75971dd2e2"]),
    ],
    ids=["llm", "embedding", "a rubric of text", "a rubric of items"],
)
def test_a_question_keeps_its_key(ask: Any, keys: list[str]) -> None:
    with using(QuestionRecorder()) as recorder:
        ask()
    assert [key[:16] for key in recorder.questions] == keys
