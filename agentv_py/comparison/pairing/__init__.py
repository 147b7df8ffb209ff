"""Two lists → pairs of their rows."""
