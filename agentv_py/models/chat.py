"""A prompt → the reply of a chat model, which must follow a schema."""

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from agentv_py import jsontext
from agentv_py.models.endpoint import Endpoint, MalformedReply
from agentv_py.models.question import PLACEHOLDER_SCORE

_ANSWER_IN_JSON = "Answer with one JSON object and nothing else. It must follow this JSON Schema:\n"
_STRICT = ConfigDict(extra="forbid", strict=True, defer_build=True)
_PLACEHOLDERS: dict[Any, Any] = {float: PLACEHOLDER_SCORE, bool: False, str: ""}

Schema = type[BaseModel]


class Prompt(NamedTuple):
    system: str
    user: str
    schema: Schema
    """The schema of the reply; the question contains it as JSON Schema."""


def reply_schema(name: str, description: str | None = None, **fields: Any) -> Schema:
    """A schema for replies. Its name and description go to the model, so a change invalidates cached replies."""
    return create_model(name, __config__=_STRICT, __doc__=description, **fields)


class Chat(Endpoint):
    temperature: float | None = Field(
        0.0, ge=0, le=2, allow_inf_nan=False, description="null leaves it to the endpoint."
    )

    path: ClassVar[str] = "chat/completions"
    batch_size: ClassVar[int] = 1

    def body(self, payloads: Sequence[Prompt], *, plain: bool = False) -> dict[str, Any]:
        [prompt] = payloads
        schema = prompt.schema.model_json_schema()
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

    def private_text(self, payloads: Sequence[Prompt]) -> str:
        return "\n".join(f"{prompt.system}\n{prompt.user}" for prompt in payloads)

    def read(self, response: Any, payloads: Sequence[Prompt]) -> list[dict[str, Any]]:
        [prompt] = payloads
        return [_validate(_find_json(read_content(response)), prompt)]

    def placeholder(self, payload: Prompt) -> dict[str, Any]:
        return _fill_schema(payload.schema)

    def pack(self, value: dict[str, Any]) -> bytes:
        return jsontext.dumps(value)

    def unpack(self, data: bytes, payload: Prompt) -> dict[str, Any]:
        return _validate(_find_json(data.decode(errors="replace")), payload)


def _validate(value: Any, prompt: Prompt) -> dict[str, Any]:
    """Return the reply if it follows the schema. Raises MalformedReply."""
    try:
        return prompt.schema.model_validate(value).model_dump(by_alias=True)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        place, message = ".".join(map(str, problem["loc"])), problem["msg"].lower()
        raise MalformedReply(f"the model's reply does not follow the schema: {place}: {message}") from None


def _fill_schema(schema: Schema) -> dict[str, Any]:
    return {
        field.alias or name: _fill_schema(field.annotation)
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel)
        else _PLACEHOLDERS[field.annotation]
        for name, field in schema.model_fields.items()
    }


def _find_json(content: str) -> Any:
    try:
        return jsontext.find(content).value
    except jsontext.NotJson:
        raise MalformedReply("the model's reply holds no JSON") from None


def read_content(response: Any) -> str:
    """Return the text of a chat completion. Raises MalformedReply."""
    try:
        message = response["choices"][0]["message"]
        content = message.get("content")
    except (TypeError, KeyError, IndexError, AttributeError):
        raise MalformedReply("the reply is not a chat completion") from None
    if isinstance(content, str):
        return content
    if isinstance(message.get("refusal"), str):
        raise MalformedReply("the model refused to reply")
    raise MalformedReply("the model's reply is empty")
