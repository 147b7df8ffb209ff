"""Questions → a model's replies: many at once, each paid for once."""
