"""Questions → a model's answers: many at once, each paid for once."""
