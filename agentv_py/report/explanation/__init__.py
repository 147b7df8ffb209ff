"""A suite, or rows of results → why: how each field is compared, and what became of a case."""
