"""promptfoo's providers: exec, python, http and openai → our targets."""

import re
import shlex
from typing import Any
from urllib.parse import urlsplit

from agentv_py import jsontext
from agentv_py.suite.promptfoo.prompt import Prompt
from agentv_py.suite.promptfoo.scripts import PROVIDER_SCRIPT, Scripts
from agentv_py.suite.translation import Keys, Translation, build_list, build_mapping, build_scalar, build_value
from agentv_py.suite.yaml_node import Node

_OPENAI_URL = "https://api.openai.com/v1"
_OPENAI_KEY = "OPENAI_API_KEY"
_PATH = re.compile(r"(?:json|data|response)?\.?((?:\w+|\[\d+\])(?:\.\w+|\[\d+\])*)")
_ENVIRONMENT = re.compile(r"\{\{\s*env\.(\w+)\s*\}\}")
_MODEL_PARAMETERS = ("max_tokens", "top_p", "seed", "stop", "presence_penalty", "frequency_penalty")
_VALID = "valid: exec:COMMAND, python:FILE, http(s)://..., openai:chat:MODEL"
Entries = dict[str, Node | None]


class ProviderTranslator:
    def __init__(self, translation: Translation, prompt: Prompt, scripts: Scripts) -> None:
        self._translation = translation
        self._prompt = prompt
        self._scripts = scripts

    def translate(self, node: Node) -> Node | None:
        """Return the target of a provider: a text, an object with an id, or an id with its options below it."""
        place, id_, keys = self._open(node)
        if id_ is None:
            self._translation.refuse(f"a provider needs an id; {_VALID}", node, "providers")
            return None
        label, config_node = keys.take_text("label"), keys.take("config")
        keys.ignore("id")
        keys.refuse("transform the answer in the provider itself", "transform")
        keys.refuse("write the one prompt under prompts", "prompts")
        keys.refuse("there is no pause between cases; write requests_per_minute into the converted suite", "delay")
        keys.end()
        config = Keys(config_node or build_mapping({}, node), self._translation, "providers.config")
        entries = self._build(str(id_), place, config)
        config.end()
        if entries is None:
            return None
        return build_mapping({"name": label or build_scalar(_shorten(str(id_)), place), **entries}, node)

    def build_endpoint(self, node: Node, where: str) -> dict[str, Node]:
        """Return the endpoint of a model that judges or compares."""
        place, id_, keys = self._open(node)
        config = Keys(keys.take("config") or build_mapping({}, node), self._translation, where)
        keys.ignore("id", "label")
        model = re.fullmatch(r"openai:(?:chat:|embeddings?:)?([^:]+)", str(id_))
        if model is None:
            self._translation.refuse(f"{id_!r} cannot judge here; write openai:chat:MODEL", node, where)
            return {}
        endpoint = self._build_model(model[1], place, config)
        keys.end()
        config.end()
        return {name: value for name, value in endpoint.items() if value is not None}

    def _open(self, node: Node) -> tuple[Node, Any, Keys]:
        if isinstance(node.value, str):
            return node, node.value, Keys(build_mapping({}, node), self._translation, "providers")
        below = node.below if isinstance(node.below, dict) else {}
        names = [name for name, item in below.items() if isinstance(item.below, dict) and ":" in name]
        if len(names) == len(below) == 1:
            return node, names[0], Keys(below[names[0]], self._translation, "providers")
        id_node = below.get("id", node)
        return id_node, id_node.value if id_node is not node else None, Keys(node, self._translation, "providers")

    def _build(self, id_: str, place: Node, config: Keys) -> Entries | None:
        kind, _, rest = id_.partition(":")
        if kind == "exec":
            return self._build_exec(rest, place, config)
        if kind == "python" or (kind == "file" and ".py" in rest):
            return self._build_python(rest.removeprefix("//"), place, config)
        if kind in ("http", "https"):
            return self._build_http(id_, place, config)
        model = re.fullmatch(r"openai:(?:chat:)?([^:]+)", id_)
        if model:
            prompt = build_scalar(self._prompt.template, place)
            return {
                "type": build_scalar("openai", place),
                **self._build_model(model[1], place, config),
                "prompt": prompt,
            }
        config.take_rest()
        self._translation.refuse(f"provider {id_!r} cannot be translated; {_VALID}", place, "providers")
        return None

    def _build_exec(self, command: str, place: Node, config: Keys) -> Entries:
        options = {"config": {name: node.value for name, node in config.take_rest().items()}}
        words = [*_split(command), self._prompt.template, _write_json(options), '{"vars":{{ input }}}']
        folder = None if self._translation.stays_in_folder else build_scalar(self._translation.relate("."), place)
        return self._build_command(words, place, "text") | {"cwd": folder}

    def _build_python(self, file: str, place: Node, config: Keys) -> Entries:
        path, _, function = file.partition(":")
        options = {"config": {name: node.value for name, node in config.take_rest().items()}}
        shim = self._scripts.add("provider.py", PROVIDER_SCRIPT)
        found = self._translation.folder / path
        if not found.is_file():
            self._translation.refuse(f"the file {path!r} does not exist", place, "providers")
        target = self._translation.relate(path)
        words = ["python3", shim, target, function or "call_api", self._prompt.template, _write_json(options)]
        return self._build_command([*words, '{"vars":{{ input }}}'], place, "evalctl")

    def _build_command(self, words: list[str], place: Node, reply: str) -> Entries:
        command = build_list([build_scalar(word, place) for word in words], place)
        return {"type": build_scalar("command", place), "command": command, "reply": build_scalar(reply, place)}

    def _build_http(self, id_: str, place: Node, config: Keys) -> Entries:
        url = config.take_text("url") or build_scalar(id_, place)
        body = config.take("body")
        if body is not None and isinstance(body.value, str):
            self._translation.refuse("write the body as a mapping, so that its texts can be filled in", body, "body")
        response = config.take_text("transformResponse", "responseParser")
        path = _PATH.fullmatch(response.value.strip()) if response is not None else None
        if response is not None and path is None:
            self._translation.refuse(
                "write the path of the answer, such as json.choices[0].text", response, config.where
            )
        output = {"output": build_scalar(path[1], response)} if response is not None and path is not None else None
        return {
            "type": build_scalar("http", place),
            "url": self._fill(url),
            "method": config.take_text("method"),
            "headers": self._fill(config.take("headers")),
            "body": self._fill(body),
            "response": None if output is None else build_mapping(output, response or place),
        }

    def _build_model(self, model: str, place: Node, config: Keys) -> Entries:
        url = config.take_text("apiBaseUrl", "basePath")
        variable = config.take_text("apiKeyEnvar")
        config.refuse("write apiKeyEnvar with the name of the variable that holds it", "apiKey")
        parameters = {name: config.take(name) for name in _MODEL_PARAMETERS}
        given = build_mapping(parameters, place)
        return {
            "base_url": url or build_scalar(_OPENAI_URL, place),
            "model": build_scalar(model, place),
            "api_key_env": variable or build_scalar(_OPENAI_KEY, place),
            "temperature": config.take("temperature"),
            "parameters": given if given.below else None,
        }

    def _fill(self, node: Node | None) -> Node | None:
        """Put our template in place of `{{prompt}}`, and our spelling in place of variables of the environment."""
        if node is None or (node.below is None and not isinstance(node.scalar, str)):
            return node
        if isinstance(node.below, dict):
            return build_mapping({key: self._fill(item) for key, item in node.below.items()}, node)
        if isinstance(node.below, list):
            return build_list([item for item in map(self._fill, node.below) if item is not None], node)
        text = re.sub(r"\{\{\s*prompt\s*\}\}", lambda _: self._prompt.template, node.scalar)
        return build_value(_ENVIRONMENT.sub(r"${\1}", text), node)


def _split(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return ["sh", "-c", f'{command} "$@"', "sh"]


def _write_json(value: Any) -> str:
    """Write JSON that no template reads as its own."""
    text = jsontext.dumps(value).decode()
    return "{% raw %}" + text + "{% endraw %}" if "{{" in text or "{%" in text or "{#" in text else text


def _shorten(id_: str) -> str:
    """Return a name for a provider that has no label."""
    if id_.startswith(("http:", "https:")):
        return urlsplit(id_).hostname or "http"
    return id_.partition(":")[2].rpartition("/")[2] or id_
