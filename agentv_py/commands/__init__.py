"""argv of one command → its work: one file per command."""

NO_PLUGINS = "PYDANTIC_DISABLE_PLUGINS"
