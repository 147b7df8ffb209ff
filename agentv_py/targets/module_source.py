"""`module:function` → what is wrong with it, as far as files show it: nothing is imported and nothing runs."""

import ast
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path

from agentv_py.errors import did_you_mean


def explain_missing_function(module: str, function: str) -> str:
    """Return why a function cannot be imported; "" if nothing speaks against it."""
    if module in sys.modules:
        return "" if hasattr(sys.modules[module], function) else _deny(module, function, dir(sys.modules[module]))
    spec = _find_spec(module)
    if spec is None:
        return f"ModuleNotFoundError: No module named {module!r}"
    if spec.origin is None or not spec.origin.endswith(".py"):
        return ""
    try:
        tree = ast.parse(Path(spec.origin).read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"{type(error).__name__}: {error}"
    except OSError:
        return ""
    names = list(_list_names(tree))
    return "" if function in names or not {"*", "__getattr__"}.isdisjoint(names) else _deny(module, function, names)


def _deny(module: str, function: str, names: list[str]) -> str:
    return f"{module} has no {function!r}{did_you_mean(function, names)}"


def _find_spec(module: str) -> ModuleSpec | None:
    """Find a module step by step. Python's own search imports the packages above a module."""
    name, path, spec = "", None, None
    for part in module.split("."):
        name = f"{name}.{part}" if name else part
        found = (finder.find_spec(name, path) for finder in sys.meta_path if hasattr(finder, "find_spec"))
        spec = next((one for one in found if one is not None), None)
        if spec is None:
            return None
        path = spec.submodule_search_locations
    return spec


def _list_names(tree: ast.Module) -> Iterator[str]:
    """Yield every name that the source may define, wherever it does so."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.alias):
            yield node.asname or node.name.partition(".")[0]
