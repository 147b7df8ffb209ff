"""AgentV's .agentv/targets.yaml → our targets, and the endpoints of judges that are models."""

import os
from pathlib import Path
from typing import Any

from agentv_py.errors import did_you_mean
from agentv_py.suite.agentv.environment import VARIABLE
from agentv_py.suite.agentv.shell import UnknownPlaceholder, split_command, translate_command
from agentv_py.suite.translation import Keys, Translation, build_list, build_mapping, build_scalar, build_value
from agentv_py.suite.yaml_document import read_yaml
from agentv_py.suite.yaml_node import Node

_PLACEHOLDERS = {
    "PROMPT": "prompt",
    "PROMPT_FILE": "prompt_file",
    "FILES": "files",
    "OUTPUT_FILE": "output_file",
    "EVAL_ID": "id",
    "ATTEMPT": "attempt",
}
_STDIN = "/dev/stdin"
_OPENAI_URL = "https://api.openai.com/v1"
_JUDGE_KEYS = ("judge_target", "judgeTarget", "grader_target")


class TargetTranslator:
    """Finds targets by name, in the suite's folder or above it."""

    def __init__(self, translation: Translation) -> None:
        self._translation = translation
        self._nodes: dict[str, Node] | None = None
        self._file = ""
        self._judge: Node | None = None
        """The name of the judge of the target that runs."""

    def translate(self, target: Node, timeout: Node | None) -> Node | None:
        """Translate a target, which the suite names or holds itself. Return None if it cannot be translated."""
        node = target if isinstance(target.below, dict) else self._find(target)
        if node is None:
            return None
        keys = Keys(node, self._translation, f"target {target.value!r}" if node is not target else "target")
        self._judge = keys.take_text(*_JUDGE_KEYS)
        provider = keys.take_text("provider")
        kind = str(provider.value).lower() if provider is not None else ""
        if kind not in ("cli", "mock"):
            self._refuse_provider(kind, provider or node, keys.where)
            return None
        name, workers = keys.take_text("name"), keys.take("workers")
        own = self._build_cli(keys, timeout) if kind == "cli" else self._build_mock(keys)
        keys.end()
        common = {"name": name, "type": build_scalar("command", node), "max_concurrency": workers}
        return build_mapping(common | own | {"reply": build_scalar("agentv", node)}, node)

    def has(self, name: str) -> bool:
        return name in self._list_nodes()

    def find_judge(self, name: Node | None, at: Node, where: str) -> dict[str, Node]:
        """Return the endpoint of the model that judges: the named one, or that of the target that runs."""
        name = name or self._judge
        if name is None:
            what = "a model must judge this, but no target names one; add judge_target to the target in"
            what += " .agentv/targets.yaml, or write another evaluator"
            self._translation.refuse(what, at, where)
            return {}
        node = self._find(name)
        if node is None:
            return {}
        keys = Keys(node, self._translation, f"target {name.value!r}")
        provider = keys.take_text("provider")
        kind = str(provider.value).lower() if provider is not None else ""
        if kind != "openai":
            what = f"provider {kind!r} cannot judge here; write provider: openai with base_url, model and api_key"
            self._translation.refuse(what, provider or node, keys.where)
            return {}
        return self._build_endpoint(keys, node)

    def _build_endpoint(self, keys: Keys, node: Node) -> dict[str, Node]:
        keys.ignore("name", "workers", "verbose", *_JUDGE_KEYS)
        url = self._read_setting(keys, "base_url", "baseUrl", "endpoint") or build_scalar(_OPENAI_URL, node)
        model = self._read_setting(keys, "model", "deployment")
        if model is None:
            self._translation.refuse("model is required", node, keys.where)
        key = keys.take_text("api_key", "apiKey")
        variable = VARIABLE.fullmatch(str(key.value).strip()) if key is not None else None
        if key is not None and variable is None:
            self._translation.refuse(
                "write a variable of the environment, such as ${{ OPENAI_API_KEY }}", key, "api_key"
            )
        endpoint = {"base_url": url, "model": model, "temperature": keys.take("temperature")}
        if key is not None and variable is not None:
            endpoint["api_key_env"] = build_scalar(variable[1], key)
        keys.end()
        return {name: value for name, value in endpoint.items() if value is not None}

    def _read_setting(self, keys: Keys, *names: str) -> Node | None:
        """Return a setting that is no secret, with the values of the environment in it."""
        node = keys.take_text(*names)
        if node is None:
            return None
        for name in VARIABLE.findall(node.value):
            if not os.environ.get(name):
                self._translation.refuse(f"the environment variable {name!r} is not set", node, names[0])
        return build_scalar(VARIABLE.sub(lambda match: os.environ.get(match[1], ""), node.value), node)

    def _build_cli(self, keys: Keys, timeout: Node | None) -> dict[str, Node | None]:
        keys.ignore("verbose", "cli_verbose", "cliVerbose", "keep_temp_files", "keepTempFiles")
        keys.ignore("keep_output_files", "keepOutputFiles")
        own_timeout = keys.take("timeout_seconds", "timeoutSeconds")
        batch = keys.take_flag("provider_batching", "providerBatching")
        command = keys.take_text("command", "command_template", "commandTemplate")
        files_format = keys.take_text("files_format", "filesFormat", "attachments_format", "attachmentsFormat")
        if files_format is not None and files_format.value != "{path}":
            what = "files are given by their path here; write {path}, or read the files' names from {PROMPT}"
            self._translation.refuse(what, files_format, "files_format")
        if command is None:
            self._translation.refuse("command is required", keys.node, keys.where)
        names = _PLACEHOLDERS if not batch else {"OUTPUT_FILE": "output_file", "PROMPT_FILE": "prompt_file"}
        return {
            "command": None if command is None else self._build_command(command, names, is_batch=batch),
            "cwd": self._build_folder(keys.take_text("cwd"), keys.node),
            "env": _rename_texts(keys.take("env")),
            "timeout": own_timeout or timeout,
            "batch": build_scalar(value=True, at=keys.node) if batch else None,
            "healthcheck": self._build_healthcheck(keys.take("healthcheck")),
        }

    def _build_mock(self, keys: Keys) -> dict[str, Node | None]:
        keys.ignore("delayMs", "delayMinMs", "delayMaxMs", "delay_ms", "delay_min_ms", "delay_max_ms")
        keys.ignore("provider_batching", "providerBatching", "verbose")
        response = keys.take_text("response")
        if response is None or not response.value:
            self._translation.refuse("write what the target answers: response: TEXT", response or keys.node, keys.where)
            return {}
        text = str(response.value)
        escaped = "{% raw %}" + text + "{% endraw %}" if "{" in text else text
        return {"command": build_value(["printf", "%s", escaped], response)}

    def _build_command(self, command: Node, names: dict[str, str], *, is_batch: bool) -> Node:
        try:
            words = translate_command(_rename_variables(command.value), names)
        except UnknownPlaceholder as error:
            self._translation.refuse(str(error), command, "command")
            return command
        if is_batch:  # the rows of all cases are on stdin
            words = [word.replace("{{prompt_file}}", _STDIN) for word in words]
        return build_list([build_scalar(word, command) for word in words], command)

    def _build_folder(self, cwd: Node | None, node: Node) -> Node | None:
        if cwd is None:
            return None if self._translation.stays_in_folder else build_scalar(self._translation.relate("."), node)
        return build_scalar(self._translation.relate(_rename_variables(cwd.value)), cwd)

    def _build_healthcheck(self, node: Node | None) -> Node | None:
        if node is None:
            return None
        keys = Keys(node, self._translation, "healthcheck")
        kind = keys.take_text("type")
        command = keys.take_text("command", "command_template", "commandTemplate")
        url = keys.take_text("url")
        keys.ignore("timeout_seconds", "timeoutSeconds")
        keys.refuse("the healthcheck runs where the command of the target runs", "cwd")
        keys.end()
        if url is not None or command is None or (kind is not None and kind.value != "command"):
            what = f"only a command can check: {{type: command, command: curl --fail {url.value if url else 'URL'}}}"
            self._translation.refuse(what, kind or node, "healthcheck")
            return None
        return build_value(split_command(command.value), command)

    def _refuse_provider(self, kind: str, node: Node, where: str) -> None:
        way_out = "write provider: cli with a command, or provider: mock with a response"
        self._translation.refuse(f"provider {kind!r} cannot be asked here; {way_out}", node, where)

    def _find(self, name: Node) -> Node | None:
        nodes = self._list_nodes()
        found = nodes.get(str(name.value))
        if found is None and nodes:
            hint = did_you_mean(str(name.value), list(nodes)) or ";"
            what = f"no target is named {name.value!r}{hint} {self._file} has: {', '.join(nodes)}"
            self._translation.refuse(what, name, "target")
        elif found is None:
            what = f"target {name.value!r} needs a file .agentv/targets.yaml in this folder or above it"
            self._translation.refuse(f"{what}, or give recorded answers with --predictions FILE", name, "target")
        return found

    def _list_nodes(self) -> dict[str, Node]:
        if self._nodes is None:
            self._nodes = {}
            path = self._find_file()
            if path is not None:
                self._file = os.path.relpath(path)
                self._translation.files.append(path)
                self._read(read_yaml(path, self._file))
        return self._nodes

    def _find_file(self) -> Path | None:
        folder = self._translation.folder.absolute()
        names = [Path(".agentv", f"targets.{suffix}") for suffix in ("yaml", "yml")]
        return next((path for above in (folder, *folder.parents) for n in names if (path := above / n).is_file()), None)

    def _read(self, document: Node) -> None:
        set_file(document, self._file)
        targets = document.below.get("targets") if isinstance(document.below, dict) else None
        for node in targets.below if targets is not None and isinstance(targets.below, list) else ():
            name = node.value.get("name") if isinstance(node.value, dict) else None
            if isinstance(name, str) and self._nodes is not None:
                self._nodes[name] = node
            else:
                self._translation.refuse("a target needs a name", node, "targets")


def set_file(node: Node, file: str) -> None:
    """Say in which file a node and all nodes below it are."""
    node.file = file
    below: Any = node.below.values() if isinstance(node.below, dict) else node.below or ()
    for key in node.keys.values():
        key.file = file
    for item in below:
        set_file(item, file)


def _rename_texts(node: Node | None) -> Node | None:
    if node is None or not isinstance(node.below, dict):
        return node
    items = node.below.items()
    return build_mapping({key: build_scalar(_rename_variables(str(item.value)), item) for key, item in items}, node)


def _rename_variables(text: str) -> str:
    """Write `${{ NAME }}` as our targets do."""
    return VARIABLE.sub(r"${\1}", text)
