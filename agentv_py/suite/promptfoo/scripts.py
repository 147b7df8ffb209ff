"""Functions and expressions that promptfoo calls → small scripts that evalctl starts, in a folder beside the suite."""

import json
import os
import textwrap
from pathlib import Path

from agentv_py.suite.translation import Translation

PROVIDER_SCRIPT = '''\
#!/usr/bin/env python3
"""A Python provider of promptfoo, called for one case: FILE FUNCTION PROMPT OPTIONS CONTEXT → the answer as JSON."""

import asyncio
import importlib.util
import inspect
import json
import os
import sys

file, function, prompt, options, context = sys.argv[1:]
answers, sys.stdout = sys.stdout, sys.stderr  # stdout is for the answer only
sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
spec = importlib.util.spec_from_file_location("provider", file)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
reply = getattr(module, function)(prompt, json.loads(options), json.loads(context))
if inspect.isawaitable(reply):
    reply = asyncio.run(reply)
if not isinstance(reply, dict):
    reply = {"output": reply}
if reply.get("error"):
    sys.exit(str(reply["error"]))
answer = {"output": reply.get("output")}
usage = reply.get("tokenUsage") or {}
names = {"input": "prompt", "output": "completion", "total": "total"}
tokens = {name: usage[key] for name, key in names.items() if key in usage}
if tokens:
    answer["tokens"] = tokens
if reply.get("cost") is not None:
    answer["cost"] = reply["cost"]
print(json.dumps(answer), file=answers)
'''

_PYTHON = '''\
#!/usr/bin/env python3
"""A judge that was an assertion of promptfoo."""

import json
import sys

question = json.load(sys.stdin)
answers, sys.stdout = sys.stdout, sys.stderr  # stdout is for the answer only
values = question["input"] or {{}}
context = {{"vars": values, "test": {{"vars": values}}, "config": question["config"]}}

{function}

result = get_assert(question["candidate_answer"], context)
if not isinstance(result, dict):
    result = {{"pass": result, "score": result}} if isinstance(result, bool) else {{"score": result}}
passed = result.get("pass", result.get("pass_"))
score = 0.0 if passed is False else float(result.get("score", 1.0 if passed else 0.0))
print(json.dumps({{"score": score, "reasoning": str(result.get("reason") or "")}}), file=answers)
'''
_PYTHON_FILE = """\
import importlib.util
import os

sys.path.insert(0, os.path.dirname(os.path.abspath(os.path.join(os.path.dirname(__file__), {path}))))
spec = importlib.util.spec_from_file_location("assertion", os.path.join(os.path.dirname(__file__), {path}))
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
get_assert = getattr(module, {name})
"""
_JAVASCRIPT = """\
// A judge that was an assertion of promptfoo.
import {{ readFileSync }} from "node:fs";

const question = JSON.parse(readFileSync(0, "utf8"));
const vars = question.input ?? {{}};
const context = {{ vars, test: {{ vars }}, config: question.config }};
console.log = console.error; // stdout is for the answer only

{function}

let result = await getAssert(question.candidate_answer, context);
if (typeof result === "boolean") result = {{ pass: result }};
if (typeof result !== "object" || result === null) result = {{ score: result }};
const score = result.pass === false ? 0 : Number(result.score ?? (result.pass ? 1 : 0));
process.stdout.write(JSON.stringify({{ score, reasoning: String(result.reason ?? "") }}) + "\\n");
"""
_JAVASCRIPT_FILE = """\
const module = await import(new URL({path}, import.meta.url).href);
const exported = module[{name}] ?? module.default?.[{name}] ?? module.default ?? module;
const getAssert = exported;
"""
LEVENSHTEIN_SCRIPT = '''\
#!/usr/bin/env python3
"""A judge: at most `most` letters of the answer differ from `text`, as promptfoo's levenshtein counts them."""

import json
import sys

question = json.load(sys.stdin)
answer, text, most = question["candidate_answer"], question["config"]["text"], question["config"]["most"]
row = list(range(len(text) + 1))
for number, letter in enumerate(answer, 1):
    before, row[0] = row[0], number
    for place, other in enumerate(text, 1):
        before, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, before + (letter != other))
print(json.dumps({"score": float(row[-1] <= most), "reasoning": f"{row[-1]} letters differ, at most {most} may"}))
'''


class Scripts:
    """The scripts of a converted suite; each is written once."""

    def __init__(self, translation: Translation, folder: str) -> None:
        self._translation = translation
        self._folder = folder
        self.files: dict[str, str] = {}
        """Paths, relative to the suite's folder → texts."""

    def add(self, name: str, text: str) -> str:
        """Return the path of a script with this text; another name is chosen if a script has this one."""
        stem, suffix = Path(name).stem, Path(name).suffix
        names = (name if number == 1 else f"{stem}_{number}{suffix}" for number in range(1, 10_000))
        path = next(path for path in (f"{self._folder}/{name}" for name in names) if self.files.get(path, text) == text)
        self.files[path] = text
        return path

    def add_python(self, code: str) -> str:
        """Add a judge for an expression, or for the body of a function that returns."""
        body = code.strip() if "\n" in code.strip() else f"return {code.strip()}"
        return self.add("assertion.py", _PYTHON.format(function="def get_assert(output, context):\n" + _indent(body)))

    def add_python_file(self, path: str, name: str) -> str:
        function = _PYTHON_FILE.format(path=json.dumps(self._relate(path)), name=json.dumps(name or "get_assert"))
        return self.add("assertion.py", _PYTHON.format(function=function.rstrip()))

    def add_javascript(self, code: str) -> str:
        text = code.strip().removesuffix(";")
        body = text if "\n" in text or text.startswith("return ") else f"return {text}"
        function = "const getAssert = async (output, context) => {\n" + _indent(body) + "\n};"
        return self.add("assertion.mjs", _JAVASCRIPT.format(function=function))

    def add_javascript_file(self, path: str, name: str) -> str:
        function = _JAVASCRIPT_FILE.format(path=json.dumps(self._relate(path)), name=json.dumps(name or "default"))
        return self.add("assertion.mjs", _JAVASCRIPT.format(function=function.rstrip()))

    def _relate(self, path: str) -> str:
        """Return a path, relative to the folder of promptfoo's file, as one that is relative to the scripts."""
        return os.path.relpath(self._translation.folder / path, Path(self._translation.base, self._folder))


def _indent(code: str) -> str:
    return textwrap.indent(textwrap.dedent(code), "    ")
