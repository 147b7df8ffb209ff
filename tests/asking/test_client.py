"""What the client knows of endpoints that do less than OpenAI's own."""

from pathlib import Path

import pytest
from models import Models

from agentv_py.models.backends import Llm
from agentv_py.models.policy import CallPolicy
from agentv_py.models.replies import ReplySource, using


def test_requests_under_way_when_an_endpoint_first_refuses_a_schema_are_sent_again_too(
    models: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refusal = {"status": 400, "text": '{"error": {"message": "response_format is not supported"}}', "delay": 0.1}
    models.script(("response_format", [refusal]), ("", [{"score": 0.7}]))
    backend = Llm(base_url=models.url, model="m", max_concurrency=4, retries=0)
    with using(ReplySource(CallPolicy(cache="off"))):
        assert backend.similarities([(f"{number}", "x") for number in range(6)]) == [0.7] * 6
    assert models.most_under_way() == 4
