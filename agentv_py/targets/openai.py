"""An OpenAI-compatible chat endpoint → the answer to each case: a prompt, images and PDFs, and a schema."""

import os
from base64 import b64encode
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from agentv_py import jsontext
from agentv_py.errors import EvaluationError
from agentv_py.models.chat import Chat, read_content
from agentv_py.models.client import Client
from agentv_py.models.exchange import RequestError
from agentv_py.models.prompt_template import fill_template
from agentv_py.options import build_list
from agentv_py.targets.answer import Answer, build_answer, complete
from agentv_py.targets.http import Template, read_file
from agentv_py.targets.live import LiveTarget, Place, TargetCase

if TYPE_CHECKING:
    from agentv_py.models.sender import Sender

_KINDS = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".pdf": "application/pdf",
}


class _Prompt(NamedTuple):
    system: str
    user: str
    attachments: tuple[tuple[str, str], ...]
    """The name and the data address of each file."""


class Openai(Chat, LiveTarget):
    type: Literal["openai"]
    api_key_env: str | None = Field(None, description="The name of the environment variable that holds the key.")
    retries: int = Field(2, ge=0, le=20, description="After 429, 5xx, resets and timeouts.")
    prompt: Template = Field(min_length=1, description="A template.")
    system: Template | None = Field(None, description="A template of the system's message.")
    attach: list[Template] = Field(
        default_factory=build_list,
        description="Images and PDFs: templates of paths, which are relative to the dataset.",
    )
    schema_file: str | None = Field(
        None,
        alias="schema",
        min_length=1,
        description="A file with the JSON Schema of the answer, for response_format.",
    )

    counts_usage: ClassVar[bool] = True  # as for every model

    @property
    def has_unknown_cost(self) -> bool:
        return self.prices is None

    def problems(self) -> Iterator[tuple[str | Place, str]]:
        if self.api_key_env is not None and not os.environ.get(self.api_key_env, "").strip():
            yield "api_key_env", f"the environment variable {self.api_key_env!r} is not set"
        if self.schema_file is not None:
            try:
                _ = self._schema
            except (OSError, ValueError) as error:
                reason = error.strerror if isinstance(error, OSError) else error
                yield "schema", f"{self.schema_file!r} cannot be read: {reason}"

    def list_files(self) -> Iterator[Path]:
        if self.schema_file is not None:
            yield self._folder / self.schema_file

    def secrets(self) -> Sequence[str]:
        key = self.key()
        return [*self._secrets, *([key] if key else [])]

    def build_request(self, question: TargetCase) -> _Prompt:
        values = question.values()
        files = (read_file(question.folder, fill_template(path, values)) for path in self.attach)
        attachments = tuple((name, _encode(name, data)) for name, data in files)
        system = "" if self.system is None else fill_template(self.system, values)
        return _Prompt(system, fill_template(self.prompt, values), attachments)

    def describe_request(self, request: _Prompt) -> Any:
        return [self.url, self.body([request])]

    async def ask(self, request: _Prompt, sender: "Sender") -> Answer:
        [reply] = await Client(sender).ask(self, [request])
        if reply.failure is not None:
            raise RequestError(*reply.failure)
        usage = reply.usage
        tokens = {"input": usage.prompt_tokens, "output": usage.completion_tokens}
        facts = {"tokens": tokens} | ({} if usage.cost is None else {"cost": usage.cost})
        return complete(build_answer(reply.value, facts), reply.seconds or 0.0, None)

    def body(self, payloads: Sequence[Any], *, plain: bool = False) -> dict[str, Any]:
        [prompt] = payloads
        content: Any = prompt.user
        if prompt.attachments:
            content = [{"type": "text", "text": prompt.user}, *map(_build_part, prompt.attachments)]
        messages = [{"role": "system", "content": prompt.system}] if prompt.system else []
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [*messages, {"role": "user", "content": content}],
            **self.parameters,
        }
        if self.temperature is not None:
            body["temperature"] = self.temperature
        if self.schema_file is not None and not plain:
            form = {"name": "answer", "strict": _is_strict(self._schema), "schema": self._schema}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        return body

    def private_text(self, payloads: Sequence[Any]) -> str:
        return "\n".join(f"{prompt.system}\n{prompt.user}" for prompt in payloads)

    def read(self, response: Any, payloads: Sequence[Any]) -> list[Any]:  # noqa: ARG002  as every endpoint
        return [read_content(response)]

    @cached_property
    def _schema(self) -> Any:
        return jsontext.loads((self._folder / (self.schema_file or "")).read_bytes())


def _encode(name: str, data: bytes) -> str:
    kind = _KINDS.get(PurePath(name).suffix.lower())
    if kind is None:
        raise EvaluationError("file", f"{name!r} cannot be attached; valid: {' '.join(_KINDS)}")
    return f"data:{kind};base64,{b64encode(data).decode()}"


def _build_part(attachment: tuple[str, str]) -> dict[str, Any]:
    name, address = attachment
    if address.startswith("data:image/"):
        return {"type": "image_url", "image_url": {"url": address}}
    return {"type": "file", "file": {"filename": name, "file_data": address}}


def _is_strict(schema: Any) -> bool:
    """Tell whether the endpoint's strict mode takes a schema: objects are closed, and every property is required."""
    if isinstance(schema, list):
        return all(map(_is_strict, schema))
    if not isinstance(schema, dict):
        return True
    properties = schema.get("properties")
    if isinstance(properties, dict) and (
        schema.get("additionalProperties") is not False or set(schema.get("required") or ()) != properties.keys()
    ):
        return False
    return all(map(_is_strict, schema.values()))
