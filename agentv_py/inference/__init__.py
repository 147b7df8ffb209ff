"""Values, a JSON Schema or a model → comparators, each with the rule that chose it and the reason."""
