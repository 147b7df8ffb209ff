"""A field tree and two values → comparisons, one per leaf."""
