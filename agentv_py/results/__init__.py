"""Rows of results ⇄ JSONL files."""
