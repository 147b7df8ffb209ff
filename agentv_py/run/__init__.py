"""Plans → rows on disk."""
