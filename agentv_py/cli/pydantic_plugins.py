"""pydantic's plugins → left out while the command line checks its own models, and back for the user's code."""

import os
import sys
from types import ModuleType

VARIABLE = "PYDANTIC_DISABLE_PLUGINS"
_LOADER = "pydantic.plugin._loader"


def leave_out_plugins() -> None:
    """Keep pydantic from searching for plugins: the search takes longer than building the models of a suite.

    With the variable alone, pydantic still loads the module that searches, and `importlib.metadata`, `email` and
    `socket` with it. If pydantic moves that module, the variable remains.
    """
    os.environ.setdefault(VARIABLE, "__all__")
    if _LOADER not in sys.modules:
        sys.modules[_LOADER] = _NoPlugins(_LOADER)


def allow_plugins() -> None:
    """Let judges and functions of the user have their plugins."""
    os.environ.pop(VARIABLE, None)
    if isinstance(sys.modules.get(_LOADER), _NoPlugins):
        del sys.modules[_LOADER]


class _NoPlugins(ModuleType):
    """Takes the place of the module that searches."""

    @staticmethod
    def get_plugins() -> tuple[()]:
        return ()
