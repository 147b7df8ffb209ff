"""Rows ⇄ JSONL."""
