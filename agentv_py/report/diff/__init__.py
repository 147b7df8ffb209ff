"""Two results files → what changed between them."""
