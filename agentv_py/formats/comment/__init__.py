"""A report → the blocks of a Markdown comment."""
