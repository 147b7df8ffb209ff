"""Python callers → the same comparison, the same rows."""
