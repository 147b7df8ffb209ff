"""A prompt → what a chat model says, held to a schema."""

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from pydantic import BaseModel, Field, ValidationError

from agentv_py import jsontext
from agentv_py.models.endpoint import Endpoint, Malformed

_ANSWER_IN_JSON = "Answer with one JSON object and nothing else. It must follow this JSON Schema:\n"


class Prompt(NamedTuple):
    system: str
    user: str
    answer: type[BaseModel]
    """What the answer must be; its JSON Schema goes with the question."""


class Chat(Endpoint):
    temperature: float | None = Field(
        0.0, ge=0, le=2, allow_inf_nan=False, description="null leaves it to the endpoint."
    )

    path: ClassVar[str] = "chat/completions"

    def body(self, payloads: Sequence[Prompt], *, plain: bool = False) -> dict[str, Any]:
        [prompt] = payloads
        schema = prompt.answer.model_json_schema()
        system = f"{prompt.system}\n\n{_ANSWER_IN_JSON}{jsontext.dumps(schema).decode()}"
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": prompt.user}],
            **self.parameters,
        }
        if self.temperature is not None:
            body["temperature"] = self.temperature
        if not plain:
            form = {"name": "answer", "strict": True, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        return body

    def prompt_in(self, payloads: Sequence[Prompt]) -> str:
        return "\n".join(f"{one.system}\n{one.user}" for one in payloads)

    def read(self, said: Any, payloads: Sequence[Prompt]) -> list[dict[str, Any]]:
        [prompt] = payloads
        return [_checked(_json_in(_content(said)), prompt)]

    def pack(self, value: dict[str, Any]) -> bytes:
        return jsontext.dumps(value)

    def unpack(self, data: bytes, payload: Prompt) -> dict[str, Any]:
        return _checked(_json_in(data.decode(errors="replace")), payload)


def _checked(value: Any, prompt: Prompt) -> dict[str, Any]:
    """The answer, if it is one. Raises Malformed."""
    try:
        return prompt.answer.model_validate(value).model_dump(by_alias=True)
    except ValidationError as error:
        finding = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, finding["loc"]))
        raise Malformed(f"the model's answer does not follow the schema: {place}: {finding['msg'].lower()}") from None


def _json_in(content: str) -> Any:
    try:
        return jsontext.find(content)
    except jsontext.NotJson:
        raise Malformed("the model's answer holds no JSON") from None


def _content(said: Any) -> str:
    try:
        message = said["choices"][0]["message"]
        content = message.get("content")
    except (TypeError, KeyError, IndexError, AttributeError):
        raise Malformed("the answer is not a chat completion") from None
    if isinstance(content, str):
        return content
    if isinstance(message.get("refusal"), str):
        raise Malformed("the model refused to answer")
    raise Malformed("the model answered nothing")
