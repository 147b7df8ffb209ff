"""Dataset file → rows with their lines. The suffix selects the reader."""
