"""argv of one command → its work: one file per command."""
