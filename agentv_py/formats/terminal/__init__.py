"""A report → what a terminal shows of it."""
